// The ledger as of a position: totals, balances of an account, and postings.

import type { Static } from 'typebox';
import {
  Decimal,
  DecimalOrNull,
  field,
  oneOf,
  StringOrNull,
  sample,
  Timestamp,
  Type,
} from '../../../protocol/wire/index.ts';

export const LEDGER_ACCOUNTS = ['user', 'fees', 'external'] as const;

export const LedgerPosition = Type.Object(
  {
    frame: Type.Integer({
      description: 'The last included frame. For a time, the last frame with postings.',
    }),
    at: Type.Unsafe<string>({ ...Timestamp, description: 'The time of the last posting.' }),
    is_final: Type.Boolean({
      description: 'False while postings at or before `as_of` might still arrive.',
    }),
  },
  { title: 'LedgerPosition' },
);

const UserIdOrNull = Type.Unsafe<number | null>({
  type: ['integer', 'null'],
  description: 'Null for `fees` and `external`.',
});
const AccountName = oneOf(
  LEDGER_ACCOUNTS,
  '`fees` collects fees; `external` is everything outside the exchange.',
);

const TotalsOfCurrency = Type.Object(
  {
    currency: Type.String(),
    users_available: field(Decimal, 'Available amounts of users.', 120.5),
    users_held: field(Decimal, 'Amounts of users on hold.', 12.25),
    fees: Decimal,
    external: sample(
      Type.Unsafe<Static<typeof Decimal>>({
        ...Decimal,
        description: 'The amount of the currency that came in and has not left, negated.',
      }),
      -132.75,
    ),
    total: Type.Unsafe<Static<typeof Decimal>>({
      ...Decimal,
      description: 'The sum of the four amounts. Anything but 0 is an error of the exchange.',
    }),
  },
  { title: 'LedgerTotalsOfCurrency' },
);

export const LedgerTotals = Type.Object(
  { position: LedgerPosition, totals: field(Type.Array(TotalsOfCurrency), 'Totals by currency.') },
  { title: 'LedgerTotals' },
);
export type LedgerTotals = Static<typeof LedgerTotals>;

export const LedgerBalances = Type.Object(
  {
    position: LedgerPosition,
    account: AccountName,
    user_id: UserIdOrNull,
    balances: field(
      Type.Array(
        Type.Object(
          { currency: Type.String(), available: Decimal, held: Decimal, total: Decimal },
          { title: 'LedgerBalance' },
        ),
      ),
      'Balances by currency.',
    ),
  },
  { title: 'LedgerBalances' },
);
export type LedgerBalances = Static<typeof LedgerBalances>;

export const LedgerPosting = Type.Object(
  {
    frame: Type.Integer(),
    event_index: sample(Type.Integer({ description: 'The index of the event in its frame.' }), 0),
    posting_index: sample(
      Type.Integer({ description: 'The index of the posting in its event.' }),
      0,
    ),
    at: Timestamp,
    command: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Null if caused by the passing of time.',
    }),
    account: AccountName,
    user_id: UserIdOrNull,
    currency: Type.String(),
    available_change: field(Decimal, 'Change of the available amount.', -0.5),
    held_change: field(Decimal, 'Change of the amount on hold.', 0.5),
    available: Type.Unsafe<Static<typeof DecimalOrNull>>({
      ...DecimalOrNull,
      description: 'Balance after the posting; null when listed by command or frame.',
    }),
    held: DecimalOrNull,
    cause: sample(
      Type.String({ description: '`trade`, `order`, `deposit`, `withdrawal` …' }),
      'OrderPlaced',
    ),
    cause_id: sample(
      Type.Integer({
        description: 'The number of the trade, order or withdrawal; otherwise of the command.',
      }),
      184467,
    ),
    reference: StringOrNull,
  },
  { title: 'LedgerPosting' },
);
export type LedgerPosting = Static<typeof LedgerPosting>;

export const LedgerPostings = Type.Object(
  {
    position: LedgerPosition,
    data: Type.Array(LedgerPosting),
    before: sample(
      Type.Unsafe<string | null>({
        ...StringOrNull,
        description: 'Send it as `before` to get the next page. Null on the last page.',
      }),
      '20481.0.0.1.7',
    ),
  },
  { title: 'LedgerPostings' },
);
