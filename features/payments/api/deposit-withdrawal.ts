// A deposit or a withdrawal in a list. Flags hold its state: `status` is completed, `dismissed`
// canceled, `rejected` failed; `processing` and `waiting` are in progress.

import type { Static } from 'typebox';
import {
  Decimal,
  FreeObject,
  field,
  oneOf,
  StringOrNull,
  sample,
  Timestamp,
  Type,
} from '../../../protocol/wire/index.ts';

const row = {
  id: Type.Integer(),
  amount: Decimal,
  fee: Decimal,
  fee_coin: Type.String(),
  address: StringOrNull,
  transaction_id: Type.String({
    description: 'A UUID until the network assigns its transaction id.',
  }),
  status: Type.Boolean(),
  dismissed: Type.Boolean(),
  rejected: Type.Boolean(),
  processing: Type.Boolean(),
  waiting: Type.Boolean(),
  onhold: field(Type.Boolean(), 'Whether a rule puts it on hold for review.', false),
  description: StringOrNull,
  type: oneOf(['deposit', 'withdrawal']),
  currency: Type.String(),
  network: StringOrNull,
  created_at: Timestamp,
  updated_at: Timestamp,
  user_id: Type.Integer(),
  confirmations: field(
    Type.Optional(Type.Integer()),
    'Blocks since the transaction, with its own. Absent once it is credited, and in networks ' +
      'that the exchange does not follow.',
    3,
  ),
  confirmations_needed: field(
    Type.Optional(Type.Integer()),
    'Confirmations at which deposits of the network are credited now.',
    5,
  ),
  txid_url: field(
    Type.Optional(Type.String()),
    "The transaction in the network's block explorer.",
    'https://etherscan.io/tx/0xab12',
  ),
};

const ToldLine = Type.Object({
  rule: Type.String({ description: '`under_review`, or the rule that rejects it.' }),
  result: oneOf(['review', 'refuse']),
  until: field(
    Type.Optional(Timestamp),
    'When a temporary rejection ends.',
    '2026-01-06T10:00:00.000Z',
  ),
});

const PolicyLine = Type.Object({
  rule: Type.String(),
  result: oneOf(['pass', 'review', 'refuse']),
  reviews: sample(
    Type.Integer({ description: 'Number of operator approvals required by this line.' }),
    1,
  ),
  facts: field(FreeObject, 'The values used by the rule.'),
  tell_user: field(
    oneOf(['reason', 'end_time', 'under_review', 'contact_support']),
    'The part shown to the user.',
    'under_review',
  ),
});

export const DepositOrWithdrawal = Type.Object(
  {
    ...row,
    status: field(row.status, 'Whether the money has arrived.', true),
    policy: Type.Optional(
      Type.Array(ToldLine, { description: 'Why the withdrawal is on hold for review.' }),
    ),
  },
  { title: 'DepositOrWithdrawal' },
);
export type DepositOrWithdrawal = Static<typeof DepositOrWithdrawal>;

/** Operators' view, with the user. */
export const DepositOrWithdrawalOfUser = Type.Object(
  {
    ...row,
    message: Type.Optional(Type.String({ description: '`Success`, after a change.' })),
    policy: Type.Optional(
      Type.Array(PolicyLine, {
        description: 'The results of the withdrawal policy, one per rule.',
      }),
    ),
    bank_account: field(
      Type.Optional(FreeObject),
      'Bank account fields of a fiat withdrawal, as they were at the request. Masked ' +
        'except for the operator who has claimed it.',
      { bank_name: 'Example Bank', account_number: '•••57' },
    ),
    network_id: Type.Integer(),
    User: Type.Object({
      id: Type.Integer(),
      email: Type.String(),
      exchange_id: Type.Integer(),
      Exchange: field(
        Type.Object({
          id: Type.Integer(),
          name: Type.String(),
          display_name: Type.String(),
        }),
        'The exchange, for clients that expect it.',
      ),
    }),
  },
  { title: 'DepositOrWithdrawalOfUser' },
);
export type DepositOrWithdrawalOfUser = Static<typeof DepositOrWithdrawalOfUser>;

export const withdrawalExample = {
  id: 91,
  amount: 0.5,
  fee: 0.0005,
  fee_coin: 'btc',
  address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
  transaction_id: '1c2f8a52-6c1e-4a2e-9d0b-6f5a3c1e7b90',
  status: false,
  dismissed: false,
  rejected: false,
  processing: false,
  waiting: true,
  onhold: false,
  description: null,
  type: 'withdrawal',
  currency: 'btc',
  network: 'btc',
  created_at: '2026-01-05T10:00:00.000Z',
  updated_at: '2026-01-05T10:00:00.000Z',
  user_id: 7,
};
