// Coins and pairs as operators see them, the limits of the engine, and frozen markets.

import { type Static, Type } from 'typebox';
import { LIMIT_NAMES, type Limits } from '../../../core/messages/index.ts';
import { Decimal, DecimalOrNull, StringOrNull, Timestamp } from '../../../protocol/wire/index.ts';
import { Coin } from './coin.ts';
import { Pair } from './pair.ts';

export const ListedCoin = Type.Object(
  {
    ...Coin.properties,
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
    ...Pair.properties,
    band: Type.Unsafe<Static<typeof Decimal>>({
      ...Decimal,
      description: 'Trades happen within this many percent of the reference price; 0 for no band.',
    }),
    slippage: Type.Unsafe<Static<typeof Decimal>>({
      ...Decimal,
      description: 'A market order fills within this many percent of the best price; 0 for no cap.',
    }),
    reference_price: DecimalOrNull,
    frozen_by: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'The command on which the engine failed; null unless the market is frozen.',
    }),
  },
  { title: 'ListedPair' },
);
export type ListedPair = Static<typeof ListedPair>;

const limitProperties = Object.fromEntries(
  LIMIT_NAMES.map((name) => [name, Type.Integer()]),
) as Record<keyof Limits, ReturnType<typeof Type.Integer>>;

export const EngineLimits = Type.Object(limitProperties, { title: 'EngineLimits' });
export type EngineLimits = Static<typeof EngineLimits>;

export const RulesVersion = Type.Object(
  {
    version: Type.Integer({ description: 'The version of the rules in force.' }),
    version_max: Type.Integer({ description: 'The highest version that this release can run.' }),
  },
  { title: 'RulesVersion' },
);
export type RulesVersion = Static<typeof RulesVersion>;

export const FrozenByCommand = Type.Object(
  {
    command: Type.Integer({ description: 'The number of the command in the log.' }),
    symbol: StringOrNull,
    channel: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'The channel of the outbox that is frozen, if any.',
    }),
    waiting: Type.Integer({ description: 'Commands of the channel that wait.' }),
    frame: Type.Integer(),
    frozen_at: Timestamp,
  },
  { title: 'FrozenByCommand' },
);
export type FrozenByCommand = Static<typeof FrozenByCommand>;
