// The response to a withdrawal request: the money is held, and the request has an id.

import { type Static, Type } from 'typebox';
import { Decimal } from '../wire-types.ts';

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
