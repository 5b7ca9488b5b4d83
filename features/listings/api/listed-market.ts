// Coins and pairs as operators see them, the engine's limits, and frozen markets.

import type { Static, TSchema } from 'typebox';
import { LIMIT_NAMES, type Limits } from '../../../core/messages/index.ts';
import {
  Decimal,
  DecimalOrNull,
  field,
  StringOrNull,
  sample,
  Timestamp,
  Type,
} from '../../../protocol/wire/index.ts';
import { coinFields } from './coin.ts';
import { pairFields } from './pair.ts';

export const ListedCoin = Type.Object(
  {
    ...coinFields,
    decimals: Type.Integer({ description: 'Number of decimals. Fixed.' }),
    issuance_cap: Type.Unsafe<Static<typeof Decimal>>({
      ...Decimal,
      description: 'The engine never issues more than this.',
    }),
  },
  { title: 'ListedCoin' },
);
export type ListedCoin = Static<typeof ListedCoin>;

export const ListedPair = Type.Object(
  {
    ...pairFields,
    band: Type.Unsafe<Static<typeof Decimal>>({
      ...Decimal,
      description: 'Trades execute within this percentage of the reference price; 0 for no band.',
    }),
    slippage: Type.Unsafe<Static<typeof Decimal>>({
      ...Decimal,
      description: 'A market order fills within this percentage of the best price; 0 for no cap.',
    }),
    reference_price: DecimalOrNull,
    frozen_by: sample(
      Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        description: 'The command on which the engine failed; null unless the market is frozen.',
      }),
      null,
    ),
  },
  { title: 'ListedPair' },
);
export type ListedPair = Static<typeof ListedPair>;

const LIMIT_NOTES: Readonly<Record<keyof Limits, readonly [meaning: string, example: number]>> = {
  assetsMax: ['Maximum number of coins.', 64],
  marketsMax: ['Maximum number of markets.', 256],
  usersMax: ['Maximum number of users.', 1000000],
  accountsMax: ['Maximum number of accounts: one per user and coin.', 4000000],
  ordersMax: ['Maximum number of open orders.', 1000000],
  withdrawalsMax: ['Maximum number of open withdrawals.', 100000],
  deadManSwitchesMax: ["Maximum number of armed dead man's switches.", 10000],
  channelsMax: ['Maximum number of money command channels.', 64],
  commandWindow: ['Number of commands remembered to detect duplicates.', 1000000],
  clientOrderIdWindow: ['Number of client order IDs remembered.', 1000000],
  ordersPerUserMax: ['Maximum number of open orders per user.', 10000],
  fillsPerCommandMax: ['Maximum number of fills per command.', 1000],
  accountsPerUserMax: ['Maximum number of accounts per user: one per coin.', 64],
  stopsPerUserMax: ['Maximum number of pending stop orders per user.', 1000],
  withdrawalsPerUserMax: ['Maximum number of open withdrawals per user.', 100],
  deadManSwitchesPerUserMax: ["Maximum number of armed dead man's switches per user.", 100],
  clientOrderIdsPerUserMax: ['Number of client order IDs remembered per user.', 100000],
  ownOrdersPerCommandMax: [
    'Maximum number of own orders that one incoming order cancels or skips.',
    100,
  ],
  stopsPerStepMax: ['Maximum number of stop orders triggered in one step.', 100],
  switchesPerFrameMax: ["Maximum number of dead man's switches that fire in one frame.", 100],
  bandWindowMs: ['How long a price band keeps its reference price, in milliseconds.', 60000],
};

/** Returns a property for each engine limit. */
export function limitProperties<const Limit extends TSchema>(schema: Limit) {
  return Object.fromEntries(
    LIMIT_NAMES.map((name) => [name, field(schema, ...LIMIT_NOTES[name])]),
  ) as Record<keyof Limits, Limit>;
}

export const EngineLimits = Type.Object(limitProperties(Type.Integer()), { title: 'EngineLimits' });
export type EngineLimits = Static<typeof EngineLimits>;

export const RulesVersion = Type.Object(
  {
    version: sample(Type.Integer({ description: 'The active rules version.' }), 2),
    version_max: sample(
      Type.Integer({ description: 'The highest rules version supported by this release.' }),
      2,
    ),
  },
  { title: 'RulesVersion' },
);
export type RulesVersion = Static<typeof RulesVersion>;

export const FrozenByCommand = Type.Object(
  {
    command: Type.Integer({ description: 'The command number in the log.' }),
    symbol: StringOrNull,
    channel: sample(
      Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        description: 'The frozen outbox channel, if any.',
      }),
      3,
    ),
    waiting: Type.Integer({ description: 'Commands pending in the channel.' }),
    frame: Type.Integer(),
    frozen_at: field(Timestamp, 'When the command froze it.'),
  },
  { title: 'FrozenByCommand' },
);
export type FrozenByCommand = Static<typeof FrozenByCommand>;
