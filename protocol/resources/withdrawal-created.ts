// What somebody is told who asked for a withdrawal: the money is held, and who goes on with it.

import { type Static, Type } from 'typebox';
import { Decimal } from '../wire-types.ts';

export const WithdrawalCreated = Type.Object(
  {
    message: Type.String(),
    id: Type.Integer(),
    transaction_id: Type.String({ description: 'A UUID until the network has given its own.' }),
    amount: Decimal,
    currency: Type.String(),
    fee: Decimal,
    fee_coin: Type.String(),
  },
  { title: 'WithdrawalCreated' },
);
export type WithdrawalCreated = Static<typeof WithdrawalCreated>;
