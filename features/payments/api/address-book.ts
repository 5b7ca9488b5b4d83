// A user's address book as the owner sees it.

import type { Static } from 'typebox';
import { field, Timestamp, TimestampOrNull, Type } from '../../../protocol/wire/index.ts';

export const AddressBook = Type.Object(
  {
    user_id: Type.Integer(),
    addresses: Type.Array(
      Type.Object(
        {
          address: Type.String({ description: 'With its tag, if it has one: `address:tag`.' }),
          network: Type.String(),
          label: Type.String(),
          currency: Type.String(),
          created_at: Timestamp,
          active_at: Type.String({
            format: 'date-time',
            description: 'When withdrawals to this address become possible.',
          }),
        },
        { title: 'AddressBookEntry' },
      ),
    ),
    book_only: Type.Boolean({
      description: 'Whether withdrawals are limited to addresses in this book.',
    }),
    book_only_until: field(TimestampOrNull, 'When the limit ends; null if it does not.', null),
  },
  { title: 'AddressBook' },
);
export type AddressBook = Static<typeof AddressBook>;
