// Responses to a withdrawal request and to its confirmation: the money is on hold.

import type { Static } from 'typebox';
import { Decimal, Type } from '../../../protocol/wire/index.ts';

export const WithdrawalCreated = Type.Object(
  {
    message: Type.String(),
    id: Type.Integer(),
    transaction_id: Type.String({
      description: 'A UUID until the network assigns its transaction id.',
    }),
    amount: Decimal,
    currency: Type.String(),
    fee: Decimal,
    fee_coin: Type.String(),
  },
  { title: 'WithdrawalCreated' },
);
export type WithdrawalCreated = Static<typeof WithdrawalCreated>;

export const WithdrawalConfirmed = Type.Object(
  { message: Type.String(), fee: Decimal, transaction_id: Type.String() },
  { title: 'WithdrawalConfirmed' },
);
