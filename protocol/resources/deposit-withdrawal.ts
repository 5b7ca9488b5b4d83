// A deposit or a withdrawal in a list. Flags hold its state: `status` is completed, `dismissed`
// cancelled, `rejected` failed; `processing` and `waiting` are in progress.

import { type Static, Type } from 'typebox';
import { Decimal, oneOf, StringOrNull, Timestamp } from '../wire-types.ts';

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
  onhold: Type.Boolean(),
  description: StringOrNull,
  type: oneOf(['deposit', 'withdrawal']),
  currency: Type.String(),
  network: StringOrNull,
  created_at: Timestamp,
  updated_at: Timestamp,
  user_id: Type.Integer(),
};

export const DepositOrWithdrawal = Type.Object(row, { title: 'DepositOrWithdrawal' });
export type DepositOrWithdrawal = Static<typeof DepositOrWithdrawal>;

/** The operators' view, with the user. */
export const DepositOrWithdrawalOfUser = Type.Object(
  {
    ...row,
    message: Type.Optional(Type.String({ description: '`Success`, after a change.' })),
    network_id: Type.Integer(),
    User: Type.Object({
      id: Type.Integer(),
      email: Type.String(),
      exchange_id: Type.Integer(),
      Exchange: Type.Object({
        id: Type.Integer(),
        name: Type.String(),
        display_name: Type.String(),
      }),
    }),
  },
  { title: 'DepositOrWithdrawalOfUser' },
);
export type DepositOrWithdrawalOfUser = Static<typeof DepositOrWithdrawalOfUser>;
