// Fees for completed withdrawals, by the coin in which they were paid.

import type { Static } from 'typebox';
import { Decimal, field, Timestamp, Type } from '../../../protocol/wire/index.ts';

export const NetworkFee = Type.Object(
  {
    id: Type.Integer({ description: 'The withdrawal ID.' }),
    transaction_id: Type.String(),
    currency: Type.String(),
    network_fee: field(Decimal, 'The network fee.', 0.0005),
    timestamp: Timestamp,
    exchange_id: Type.Integer(),
  },
  { title: 'NetworkFee' },
);
export type NetworkFee = Static<typeof NetworkFee>;

export type NetworkFees = Readonly<Record<string, readonly NetworkFee[]>>;

export const NetworkFees = Type.Unsafe<NetworkFees>({
  title: 'NetworkFees',
  type: 'object',
  description: 'By coin, newest first.',
  additionalProperties: { type: 'array', items: NetworkFee },
});
