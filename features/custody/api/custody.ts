// Custody as operators see it: each network with its queues, and deposits that credit no user.

import type { Static } from 'typebox';
import {
  Decimal,
  field,
  StringOrNull,
  sample,
  Timestamp,
  TimestampOrNull,
  Type,
} from '../../../protocol/wire/index.ts';

export const CustodyNetworkState = Type.Object(
  {
    network: Type.String(),
    height: field(Type.Integer(), 'The last recorded final block.', 21_000_000),
    tip_height: field(Type.Integer(), 'The newest block of either node.', 21_000_064),
    halted_reason: field(
      StringOrNull,
      'Why nothing is credited; null while the network is followed.',
      null,
    ),
    halted_at: Type.Unsafe<Static<typeof TimestampOrNull>>({
      ...TimestampOrNull,
      description: 'When the network halted.',
    }),
    queues: Type.Object(
      {
        pending: field(Type.Integer(), 'Not final yet.', 2),
        held: field(Type.Integer(), 'Final while deposits of the coin are stopped.', 0),
        small: field(Type.Integer(), 'Below the minimum of the coin.', 1),
        in_review: field(Type.Integer(), 'Final, and pending an operator.', 0),
        unattributed: field(Type.Integer(), 'Final, and of no user.', 0),
      },
      { description: 'Number of deposits in each state.' },
    ),
  },
  { title: 'CustodyNetworkState' },
);

export const UnattributedDeposit = Type.Object(
  {
    id: Type.Integer(),
    network: Type.String(),
    currency: Type.String(),
    amount: Decimal,
    transaction_id: field(Type.String(), 'Empty if no transfer explains the coins.', 'ab12…'),
    address: field(
      Type.String(),
      'The deposit address.',
      '0x52908400098527886E0F7030069857D2E4169EE7',
    ),
    height: field(Type.Integer(), 'The block of the deposit.', 21_000_000),
    reason: StringOrNull,
    created_at: field(Timestamp, 'When it was recorded.'),
  },
  { title: 'UnattributedDeposit' },
);

export const CustodyState = Type.Object(
  {
    networks: field(Type.Array(CustodyNetworkState), 'The networks under custody.'),
    unattributed: Type.Array(UnattributedDeposit, {
      description: 'The oldest deposits that credit no user, at most 100.',
    }),
  },
  { title: 'CustodyState' },
);
export type CustodyState = Static<typeof CustodyState>;

export const DepositAttributed = Type.Object(
  {
    message: Type.String(),
    deposit_id: sample(Type.Integer({ description: 'The deposit of the user.' }), 12),
  },
  { title: 'DepositAttributed' },
);
