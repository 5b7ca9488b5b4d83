// Private messages, for one user or for operators.

import type { Static } from 'typebox';
import { UserTrade } from '../../features/accounts/api/index.ts';
import { Staker } from '../../features/staking/api/index.ts';
import { Order } from '../../features/trading/api/index.ts';
import { Decimal, oneOf, StringOrNull, Timestamp, Type } from '../wire/index.ts';
import { type StreamMessage, StreamTime } from './public-messages.ts';

const user = { user_id: Type.Integer() };

export const OrdersMessage = Type.Object(
  {
    topic: oneOf(['order']),
    action: oneOf(['partial']),
    ...user,
    data: Type.Array(Order, { maxItems: 50, description: 'Your last orders, newest first.' }),
    time: StreamTime,
  },
  { title: 'OrdersMessage', additionalProperties: false },
);

export const OrderMessage = Type.Object(
  {
    topic: oneOf(['order']),
    action: oneOf(['insert', 'update']),
    ...user,
    symbol: Type.String(),
    data: Type.Array(Order, { minItems: 1, maxItems: 1, description: 'The order.' }),
    time: StreamTime,
  },
  { title: 'OrderMessage', additionalProperties: false },
);

export const UserTradesMessage = Type.Object(
  {
    topic: oneOf(['usertrade']),
    action: oneOf(['partial', 'insert']),
    ...user,
    symbol: Type.Optional(Type.String({ description: 'Only in an insert.' })),
    data: Type.Array(UserTrade),
    time: StreamTime,
  },
  { title: 'UserTradesMessage', additionalProperties: false },
);

const WalletData = Type.Unsafe<Record<string, unknown>>({
  title: 'WalletData',
  type: 'object',
  properties: { updated_at: { type: 'string', format: 'date-time' } },
  required: ['updated_at'],
  patternProperties: { '^[a-z0-9]+_(?:balance|available)$': { type: 'number' } },
});

export const WalletMessage = Type.Object(
  {
    topic: oneOf(['wallet']),
    action: oneOf(['partial']),
    ...user,
    data: WalletData,
    time: StreamTime,
  },
  { title: 'WalletMessage', additionalProperties: false },
);

const TRANSFER_STATES = [
  'unconfirmed',
  'awaiting_recipient',
  'opening',
  'executing',
  'pending',
  'crediting',
  'in_review',
  'approved',
  'claimed',
  'completing',
  'canceling',
  'dismissing',
  'rejecting',
  'expiring',
  'completed',
  'refused',
  'canceled',
  'dismissed',
  'rejected',
  'expired',
] as const;

const transfer = {
  id: Type.Integer({ description: 'The id that the lists and the cancellation use.' }),
  state: oneOf(TRANSFER_STATES, 'The exact state; the status summarizes it.'),
  change: Type.Integer({
    description: 'Increases with every change of a request; a repeated message has the same one.',
  }),
  amount: Decimal,
  currency: Type.String(),
  status: oneOf(['PENDING', 'COMPLETED', 'REJECTED', 'DISMISSED']),
  address: StringOrNull,
  transaction_id: Type.String(),
  network: StringOrNull,
  fee: Decimal,
  fee_coin: Type.String(),
  description: StringOrNull,
  created_at: Timestamp,
  updated_at: Timestamp,
};

/** Operators also get the user's network ID. */
const notice = { ...user, user_network_id: Type.Optional(Type.Integer()), time: StreamTime };

export const DepositMessage = Type.Object(
  {
    topic: oneOf(['deposit']),
    action: oneOf(['insert']),
    data: Type.Object(transfer, { title: 'DepositNews' }),
    ...notice,
  },
  { title: 'DepositMessage' },
);
export type DepositMessage = Static<typeof DepositMessage>;

export const WithdrawalMessage = Type.Object(
  {
    topic: oneOf(['withdrawal']),
    action: oneOf(['insert']),
    data: Type.Object(transfer, { title: 'WithdrawalNews' }),
    ...notice,
  },
  { title: 'WithdrawalMessage' },
);
export type WithdrawalMessage = Static<typeof WithdrawalMessage>;

export const StakeMessage = Type.Object(
  {
    topic: oneOf(['stake']),
    action: oneOf(
      ['insert', 'update', 'delete'],
      'insert: staked. delete: it ends. update: paid, or changed by an operator.',
    ),
    data: Type.Object(
      {
        ...Staker.properties,
        change: Type.Integer({
          description:
            'Increases with every change of a stake; a repeated message has the same one.',
        }),
      },
      { title: 'StakeNews' },
    ),
    ...notice,
  },
  { title: 'StakeMessage' },
);
export type StakeMessage = Static<typeof StakeMessage>;

export const streamPrivateMessages = {
  orders: {
    schema: OrdersMessage,
    summary: 'Your last 50 orders of any status, newest first; the first message.',
  },
  order: { schema: OrderMessage, summary: 'A new or changed order.' },
  userTrades: { schema: UserTradesMessage, summary: 'Your last trades, then each new one.' },
  wallet: { schema: WalletMessage, summary: 'All your balances, again after each change.' },
  deposit: {
    schema: DepositMessage,
    summary: 'Every change of a deposit. Operators get those of all users.',
  },
  withdrawal: {
    schema: WithdrawalMessage,
    summary: 'Every change of a withdrawal. Operators get those of all users.',
  },
  stake: { schema: StakeMessage, summary: 'A stake that started, changed or ended.' },
} as const satisfies Record<string, StreamMessage>;
