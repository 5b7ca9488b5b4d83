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
    decimals: Type.Integer({ description: 'Digits after the point of an amount. Fixed.' }),
    issuance_cap: Type.Unsafe<Static<typeof Decimal>>({
      ...Decimal,
      description: 'The engine never issues more of it.',
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
      description: 'Trades happen within this many percent of the reference price; 0 for no band.',
    }),
    slippage: Type.Unsafe<Static<typeof Decimal>>({
      ...Decimal,
      description: 'A market order fills within this many percent of the best price; 0 for no cap.',
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
  assetsMax: ['The most coins.', 64],
  marketsMax: ['The most markets.', 256],
  usersMax: ['The most users.', 1000000],
  accountsMax: ['The most accounts: one for each user and coin.', 4000000],
  ordersMax: ['The most open orders.', 1000000],
  withdrawalsMax: ['The most open withdrawals.', 100000],
  deadManSwitchesMax: ["The most armed dead man's switches.", 10000],
  channelsMax: ['The most channels of money commands.', 64],
  commandWindow: ['Commands that the engine recognizes when they are repeated.', 1000000],
  clientOrderIdWindow: ['Client order ids that the engine remembers.', 1000000],
  ordersPerUserMax: ['The most open orders of one user.', 10000],
  fillsPerCommandMax: ['The most fills of one command.', 1000],
  accountsPerUserMax: ['The most accounts of one user: one for each coin.', 64],
  stopsPerUserMax: ['The most waiting stops of one user.', 1000],
  withdrawalsPerUserMax: ['The most open withdrawals of one user.', 100],
  deadManSwitchesPerUserMax: ["The most armed dead man's switches of one user.", 100],
  clientOrderIdsPerUserMax: ['Client order ids that are remembered of one user.', 100000],
  ownOrdersPerCommandMax: ['Own orders that one incoming order cancels or skips.', 100],
  stopsPerStepMax: ['Stops that are triggered in one step.', 100],
  switchesPerFrameMax: ["Dead man's switches that fire in one frame.", 100],
  bandWindowMs: ['How long a band keeps its reference, in milliseconds.', 60000],
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
    version: sample(Type.Integer({ description: 'The version of the rules in force.' }), 2),
    version_max: sample(
      Type.Integer({ description: 'The highest version that this release can run.' }),
      2,
    ),
  },
  { title: 'RulesVersion' },
);
export type RulesVersion = Static<typeof RulesVersion>;

export const FrozenByCommand = Type.Object(
  {
    command: Type.Integer({ description: 'The number of the command in the log.' }),
    symbol: StringOrNull,
    channel: sample(
      Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        description: 'The channel of the outbox that is frozen, if any.',
      }),
      3,
    ),
    waiting: Type.Integer({ description: 'Commands of the channel that wait.' }),
    frame: Type.Integer(),
    frozen_at: field(Timestamp, 'When it was frozen.'),
  },
  { title: 'FrozenByCommand' },
);
export type FrozenByCommand = Static<typeof FrozenByCommand>;
