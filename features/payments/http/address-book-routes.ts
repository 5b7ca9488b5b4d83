// Handlers for address books. Checks coins and networks against the catalog, and converts requests
// and responses to their wire form.

import type { UserId } from '../../../core/money/index.ts';
import { withConnection } from '../../../infra/postgres/index.ts';
import type { HandlersOf } from '../../../platform/http/index.ts';
import {
  type BodyOf,
  type Routes,
  timeText,
  type AddressBook as WireBook,
} from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { personContext } from '../../auth/http/index.ts';
import type { CatalogueNow, CoinEntry } from '../../listings/index.ts';
import {
  type AddressBook,
  type BookAddress,
  readAddressBook,
  replaceAddressBook,
  setBookOnly,
} from '../addresses/address-book.ts';
import { destinationText } from '../addresses/destination.ts';
import { EMAIL_NETWORK, parseDestination } from '../addresses/parse-destination.ts';
import { listedNetwork } from './deposit-terms.ts';
import { requireCoin } from './withdrawal-quote.ts';

export const addressBookRoutes: HandlersOf<'addressBook'> = {
  async getAddressBook({ caller }, { clock, registry }) {
    const { user } = caller;
    return bookJson(user, await readAddressBook(registry, { user, nowMs: clock.nowMs() }));
  },

  async replaceAddressBook(call, dependencies) {
    const { body, caller } = call;
    const { catalogue, registry, vault } = dependencies;
    const person = personContext(call, dependencies);
    const addresses: BookAddress[] = [];
    for (const given of body.addresses) {
      const entry = requireEntry(catalogue.now, given);
      if (entry instanceof Refused) return entry;
      addresses.push(entry);
    }
    const book = await withConnection(registry, (connection) =>
      replaceAddressBook(connection, vault, person, { addresses, otpCode: body.otp_code ?? '' }),
    );
    return book instanceof Refused ? book : bookJson(caller.user, book);
  },

  async setBookOnly(call, dependencies) {
    const { body, caller } = call;
    const { registry, vault } = dependencies;
    const person = personContext(call, dependencies);
    const wanted = { isBookOnly: body.book_only, otpCode: body.otp_code ?? '' };
    const book = await withConnection(registry, (connection) =>
      setBookOnly(connection, vault, person, wanted),
    );
    return book instanceof Refused ? book : bookJson(caller.user, book);
  },
};

type EntryIn = BodyOf<Routes['replaceAddressBook']>['addresses'][number];

/**
 * Returns the entry in canonical spelling. Rejects unknown coins and networks, and invalid
 * addresses.
 */
function requireEntry(now: CatalogueNow, given: EntryIn) {
  const label = given.label.trim();
  if (label === '') {
    return new Refused('request_invalid', { detail: 'A label must not be empty' });
  }
  const coin = requireCoin(now, given.currency);
  if (coin instanceof Refused) return coin;
  const { symbol: currency } = coin;
  const network = networkOf(coin, given.network);
  if (network === undefined) {
    return new Refused('network_invalid', { network: given.network, currency });
  }
  const destination = parseDestination(network === '' ? currency : network, given.address.trim());
  if (destination === undefined) return new Refused('address_invalid', { currency });
  const entry: BookAddress = { ...destination, label, network, currency };
  return entry;
}

/** '' for a coin without networks; clients can send its symbol instead. */
function networkOf({ networks, symbol }: CoinEntry, given: string): string | undefined {
  const network = given.trim().toLowerCase();
  if (network === EMAIL_NETWORK) return network;
  if (networks.length === 0) return network === '' || network === symbol ? '' : undefined;
  return listedNetwork(networks, given);
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
