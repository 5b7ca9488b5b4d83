// Routes for the account holder's address book. API keys can read it; changes need a login session.

import {
  CurrencyIn,
  defineRoute,
  FactorCodeIn,
  LONG_BODY_BYTES_MAX,
  NO_QUERY,
  Type,
  textIn,
  WEIGHT_HEAVY,
  WEIGHT_LIST,
} from '../../../protocol/wire/index.ts';
import { AddressBook } from './address-book.ts';

const person = { who: 'person' } as const;
const path = '/v2/user/addressbook';
const tag = 'user';
const module = 'identity';

const EntryIn = Type.Object(
  {
    address: textIn({ minLength: 1, maxLength: 256, description: 'With a tag: `address:tag`.' }),
    network: Type.String({
      maxLength: 32,
      description:
        'A network of the coin; empty if it has none; `email` for another user of this ' +
        'exchange.',
    }),
    label: textIn({ minLength: 1, maxLength: 100 }),
    currency: CurrencyIn,
  },
  { title: 'AddressBookEntryIn' },
);

export const addressBookRoutes = {
  getAddressBook: defineRoute({
    method: 'GET',
    path,
    summary: 'Addresses that you withdraw to',
    description: 'Includes the time from which each address can be used.',
    tag,
    permission: { who: 'user', scope: 'can_read', sessions: true, noGuests: true },
    effect: 'read',
    weight: WEIGHT_LIST,
    query: NO_QUERY,
    status: 200,
    response: AddressBook,
  }),
  replaceAddressBook: defineRoute({
    method: 'POST',
    path,
    bodyBytesMax: LONG_BODY_BYTES_MAX,
    summary: 'Replace your address book; new addresses can be used after a day',
    description:
      'Requires your second factor. Omitted entries are removed; entries that you keep retain ' +
      'their age.',
    tag,
    permission: person,
    effect: 'write',
    weight: WEIGHT_HEAVY,
    module,
    query: NO_QUERY,
    body: Type.Object(
      {
        // One more than allowed, so the rejection can state the limit.
        addresses: Type.Array(EntryIn, { maxItems: 101 }),
        otp_code: Type.Optional(FactorCodeIn),
      },
      { title: 'AddressBookIn' },
    ),
    status: 200,
    response: AddressBook,
  }),
  setBookOnly: defineRoute({
    method: 'PUT',
    path,
    summary: 'Limit withdrawals to your address book, or lift the limit after a day',
    description: 'The limit starts immediately. Lifting it takes a day, so a thief gains nothing.',
    tag,
    permission: person,
    effect: 'write',
    weight: WEIGHT_HEAVY,
    module,
    isRialtoOnly: true,
    query: NO_QUERY,
    body: Type.Object(
      { book_only: Type.Boolean(), otp_code: Type.Optional(FactorCodeIn) },
      { title: 'BookOnlyIn', additionalProperties: false },
    ),
    status: 200,
    response: AddressBook,
  }),
} as const;
