// A coin: an asset in the log with the operator's description.

import type { Static } from 'typebox';
import {
  Decimal,
  DecimalOrNull,
  FreeObject,
  field,
  mapOf,
  StringOrNull,
  Timestamp,
  Type,
} from '../../../protocol/wire/index.ts';

/** Withdrawal fee of one network. */
export const WithdrawalFee = Type.Object(
  {
    value: field(Decimal, 'The withdrawal fee on this network.', 0.0005),
    symbol: Type.String({ description: 'The coin used to pay the fee.' }),
    active: Type.Boolean(),
    type: Type.String({ description: '`static`: a fixed amount.' }),
    min: DecimalOrNull,
    max: DecimalOrNull,
  },
  { title: 'WithdrawalFee' },
);
export type WithdrawalFee = Static<typeof WithdrawalFee>;

export const coinFields = {
  id: Type.Integer(),
  fullname: Type.String(),
  symbol: Type.String(),
  code: Type.String(),
  active: Type.Boolean(),
  verified: Type.Boolean(),
  allow_deposit: Type.Boolean(),
  allow_withdrawal: Type.Boolean(),
  is_public: Type.Boolean(),
  withdrawal_fee: Decimal,
  withdrawal_fees: Type.Union([mapOf(WithdrawalFee), Type.Null()]),
  min: Decimal,
  max: Decimal,
  increment_unit: Decimal,
  estimated_price: DecimalOrNull,
  description: StringOrNull,
  type: Type.String({ description: '`blockchain`, `fiat` or `other`.' }),
  network: Type.String({ description: 'Empty if the coin has none.' }),
  standard: Type.String(),
  issuer: field(Type.String(), 'The issuer, if the operator set one.', 'Rialto'),
  logo: Type.String(),
  meta: FreeObject,
  created_at: Timestamp,
  updated_at: Timestamp,
  created_by: Type.Integer(),
};

export const Coin = Type.Object(
  {
    ...coinFields,
    code: field(coinFields.code, 'The symbol of the coin.', 'btc'),
    min: field(coinFields.min, 'The minimum withdrawal.', 0.001),
    max: field(coinFields.max, 'The maximum withdrawal.', 100),
  },
  { title: 'Coin' },
);
export type Coin = Static<typeof Coin>;
