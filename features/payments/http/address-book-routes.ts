// The routes of address books: the catalogue says which coins and networks exist, and requests and
// answers get their wire form.

import type { UserId } from '../../../core/money/index.ts';
import { withConnection } from '../../../infra/postgres/index.ts';
import { ApiRefusal, type HandlersOf } from '../../../platform/http/index.ts';
import {
  type BodyOf,
  type Routes,
  timeText,
  type AddressBook as WireBook,
} from '../../../protocol/index.ts';
import { actOf, mailsRefused } from '../../auth/http/index.ts';
import type { CatalogueNow, CoinEntry } from '../../listings/index.ts';
import {
  ADDRESS_BOOK_MAX,
  type AddressBook,
  type BookAddress,
  type BookRefusal,
  readAddressBook,
  replaceAddressBook,
  setBookOnly,
} from '../addresses/address-book.ts';
import { destinationText } from '../addresses/destination.ts';
import { EMAIL_NETWORK, parseDestination } from '../addresses/parse-destination.ts';
import { requireCoin } from './withdrawal-terms.ts';

export const addressBookRoutes: HandlersOf<'addressBook'> = {
  async getAddressBook({ caller }, { clock, registry }) {
    const { user } = caller;
    return bookJson(user, await readAddressBook(registry, { user, nowMs: clock.nowMs() }));
  },

  async replaceAddressBook(call, dependencies) {
    const { body, caller } = call;
    const { catalogue, registry, vault } = dependencies;
    const act = actOf(call, dependencies);
    const addresses = body.addresses.map((entry) => requireEntry(catalogue.now, entry));
    const book = await withConnection(registry, (connection) =>
      replaceAddressBook(connection, vault, act, { addresses, otpCode: body.otp_code ?? '' }),
    );
    return answer(caller.user, book);
  },

  async setBookOnly(call, dependencies) {
    const { body, caller } = call;
    const { registry, vault } = dependencies;
    const act = actOf(call, dependencies);
    const wanted = { isBookOnly: body.book_only, otpCode: body.otp_code ?? '' };
    const book = await withConnection(registry, (connection) =>
      setBookOnly(connection, vault, act, wanted),
    );
    return answer(caller.user, book);
  },
};

type EntryIn = BodyOf<Routes['replaceAddressBook']>['addresses'][number];

/** The entry in its one spelling. Refuses unknown coins and networks, and invalid addresses. */
function requireEntry(now: CatalogueNow, given: EntryIn): BookAddress {
  const label = given.label.trim();
  if (label === '') {
    throw new ApiRefusal('request_invalid', { detail: 'A label must not be empty' });
  }
  const coin = requireCoin(now, given.currency);
  const { symbol: currency } = coin;
  const network = networkOf(coin, given.network);
  if (network === undefined) {
    throw new ApiRefusal('network_invalid', { network: given.network, currency });
  }
  const destination = parseDestination(network === '' ? currency : network, given.address.trim());
  if (destination === undefined) throw new ApiRefusal('address_invalid', { currency });
  return { ...destination, label, network, currency };
}

/** '' for a coin without networks, whose symbol clients may send instead. */
function networkOf({ networks, symbol }: CoinEntry, given: string): string | undefined {
  const network = given.trim().toLowerCase();
  if (network === EMAIL_NETWORK) return network;
  if (networks.length === 0) return network === '' || network === symbol ? '' : undefined;
  return networks.find((name) => name.toLowerCase() === network);
}

function answer(user: UserId, book: AddressBook | BookRefusal): WireBook {
  if (typeof book === 'string') throw new ApiRefusal(book, { max: ADDRESS_BOOK_MAX });
  if (!('refusal' in book)) return bookJson(user, book);
  if ('retryAfterS' in book) throw mailsRefused(book);
  const { refusal, ...details } = book;
  throw new ApiRefusal(refusal, details);
}

function bookJson(user: UserId, { bookOnlyUntil, entries, isBookOnly }: AddressBook): WireBook {
  return {
    user_id: user,
    addresses: entries.map((entry) => ({
      address: destinationText(entry),
      network: entry.network,
      label: entry.label,
      currency: entry.currency,
      created_at: timeText(entry.createdAt.getTime()),
      active_at: timeText(entry.activeAt.getTime()),
    })),
    book_only: isBookOnly,
    book_only_until: bookOnlyUntil === undefined ? null : timeText(bookOnlyUntil.getTime()),
  };
}
