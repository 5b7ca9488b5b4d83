// Fiat: deposits announced by users, and withdrawals to their verified bank accounts.

import {
  CurrencyIn,
  DecimalIn,
  defineRoute,
  FactorCodeIn,
  NO_QUERY,
  oneOf,
  Type,
  WEIGHT_HEAVY,
} from '../../../protocol/wire/index.ts';
import { DepositOrWithdrawal } from './deposit-withdrawal.ts';
import { ReferenceIn } from './transfer-inputs.ts';
import { WithdrawalCreated } from './withdrawal-created.ts';

const person = { who: 'person' } as const;

export const fiatRoutes = {
  requestFiatDeposit: defineRoute({
    method: 'POST',
    path: '/v2/fiat/deposit',
    summary: 'Announce a fiat deposit; an operator credits it once it has arrived',
    description: 'This request credits nothing. At most three deposits can be pending.',
    tag: 'user',
    permission: person,
    effect: 'write',
    weight: WEIGHT_HEAVY,
    query: NO_QUERY,
    body: Type.Object(
      {
        amount: DecimalIn,
        currency: CurrencyIn,
        transaction_id: ReferenceIn,
        address: Type.Optional(ReferenceIn),
      },
      { title: 'FiatDepositIn', additionalProperties: false },
    ),
    status: 200,
    response: DepositOrWithdrawal,
  }),
  requestFiatWithdrawal: defineRoute({
    method: 'POST',
    path: '/v2/fiat/withdrawal',
    summary: 'Withdraw fiat to a verified bank account; confirm with the emailed code',
    description: 'Requires your second factor. Nothing is put on hold until you confirm the email.',
    tag: 'withdrawals',
    permission: person,
    effect: 'write',
    weight: WEIGHT_HEAVY,
    query: NO_QUERY,
    body: Type.Object(
      {
        amount: DecimalIn,
        currency: CurrencyIn,
        bank_id: Type.String({ pattern: '^[0-9a-f]{16}$' }),
        otp_code: Type.Optional(FactorCodeIn),
        version: Type.Optional(oneOf(['v2', 'v3', 'v4'], 'Code format; v2 is a link.')),
      },
      { title: 'FiatWithdrawalIn', additionalProperties: false },
    ),
    status: 200,
    response: WithdrawalCreated,
  }),
} as const;
