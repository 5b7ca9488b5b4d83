// The state of a story while it is compiled into commands: the assets and markets by symbol, the
// order numbers by name, and the current ids, channel sequences and time.

import {
  type ChannelPosition,
  type Command,
  type CommandId,
  INITIAL_LIMITS,
  type Limits,
} from '../../core/messages/index.ts';
import {
  type AssetId,
  type Atoms,
  atomsFromDecimal,
  decimalFromAtoms,
  type LotSize,
  type Lots,
  lotsFromDecimal,
  type MarketId,
  type OrderNumber,
  type TickSize,
  type Ticks,
  ticksFromDecimal,
  type UserId,
} from '../../core/money/index.ts';
import { FIRST_NEWCOMER, nameOfLabel, userOf } from './cast.ts';
import { exactly } from './stated-numbers.ts';

export const DEFAULT_MARKET = 'btc-usdt';
export const START_TIME_MS = 1_700_000_000_000;

export interface StagedAsset {
  readonly id: AssetId;
  readonly symbol: string;
  readonly scale: number;
}

export interface StagedMarket {
  readonly id: MarketId;
  readonly symbol: string;
  readonly base: StagedAsset;
  readonly quote: StagedAsset;
  readonly tick: TickSize;
  readonly lot: LotSize;
}

export interface Stage {
  readonly assets: Map<string, StagedAsset>;
  readonly markets: Map<string, StagedMarket>;
  /** Order numbers by the order's name. */
  readonly orders: Map<string, OrderNumber>;
  /** Order names by number. */
  readonly labels: Map<number, string>;
  /** Number of orders that each user has sent, including rejected ones. */
  readonly ordersSent: Map<string, number>;
  /** The name of the next order, while the book before is being built. */
  drawnLabel: string | undefined;
  readonly channels: Map<number, number>;
  limits: Limits;
  newcomers: number;
  /** Commands in the log so far, including repeats, and allocated command ids. */
  commands: number;
  ids: number;
  timeMs: number;
  /** For `again` and for voiding. */
  lastCommand: Command | undefined;
  lastPoisoned: number;
}

export function emptyStage(): Stage {
  return {
    assets: new Map(),
    markets: new Map(),
    orders: new Map(),
    labels: new Map(),
    ordersSent: new Map(),
    drawnLabel: undefined,
    channels: new Map(),
    limits: INITIAL_LIMITS,
    newcomers: 0,
    commands: 0,
    ids: 0,
    timeMs: START_TIME_MS,
    lastCommand: undefined,
    lastPoisoned: 0,
  };
}

export function nextId(stage: Stage): CommandId {
  stage.ids += 1;
  return { source: 1, number: stage.ids };
}

/** Names of nonexistent assets and markets for stories. */
const UNLISTED_ASSET: StagedAsset = { id: 4_000 as AssetId, symbol: 'unlisted', scale: 8 };
const UNLISTED_MARKET: StagedMarket = {
  id: 4_000 as MarketId,
  symbol: 'unlisted-pair',
  base: UNLISTED_ASSET,
  quote: UNLISTED_ASSET,
  tick: { mantissa: 1, scale: 2 },
  lot: { atoms: 100_000n as Atoms, scale: 8 },
};
const NOBODY = 0 as UserId;

export function assetOf(stage: Stage, symbol: string): StagedAsset {
  if (symbol === UNLISTED_ASSET.symbol) return UNLISTED_ASSET;
  const asset = stage.assets.get(symbol);
  if (asset === undefined) throw new Error(`no asset '${symbol}' in this scenario`);
  return asset;
}

export function marketOf(stage: Stage, symbol = DEFAULT_MARKET): StagedMarket {
  if (symbol === UNLISTED_MARKET.symbol) return UNLISTED_MARKET;
  const market = stage.markets.get(symbol);
  if (market === undefined) throw new Error(`no market '${symbol}' in this scenario`);
  return market;
}

/** A newcomer is a user new to the exchange; `nobody` is an invalid user id. */
export function actorOf(stage: Stage, word: string): UserId {
  if (word === 'nobody') return NOBODY;
  if (word !== 'newcomer') return userOf(word);
  stage.newcomers += 1;
  return (FIRST_NEWCOMER + stage.newcomers) as UserId;
}

export function ticksOf(market: StagedMarket, text: string): Ticks {
  return exactly(text, (plain) => ticksFromDecimal(plain, market.tick));
}

export function lotsOf(market: StagedMarket, text: string): Lots {
  return exactly(text, (plain) => lotsFromDecimal(plain, market.lot));
}

export function atomsOf(asset: StagedAsset, text: string): Atoms {
  return exactly(text, (plain) => atomsFromDecimal(plain, asset.scale));
}

export function amountText(asset: StagedAsset, atoms: Atoms): string {
  return `${decimalFromAtoms(atoms, asset.scale)} ${asset.symbol}`;
}

/** Names the next command's order: as drawn, or by counting its sender's orders. */
export function nameNextOrder(stage: Stage, name: string): void {
  const sent = stage.ordersSent.get(name) ?? 0;
  const label = stage.drawnLabel ?? `${name[0]}${sent + 1}`;
  if (stage.orders.has(label)) throw new Error(`two orders are called ${label}`);
  stage.ordersSent.set(name, Math.max(sent, Number(label.slice(1))));
  stage.orders.set(label, (stage.commands + 1) as OrderNumber);
  stage.labels.set(stage.commands + 1, label);
}

export function orderOf(stage: Stage, label: string): OrderNumber {
  nameOfLabel(label);
  const order = stage.orders.get(label);
  if (order === undefined) throw new Error(`no order is called ${label}`);
  return order;
}

/** Returns the next position on channel 1, or the one in the story. */
export function positionOf(stage: Stage, named: string | undefined): ChannelPosition {
  const match = /^channel (\d+)(?: sequence (\d+))?$|^sequence (\d+)$/.exec(named ?? 'channel 1');
  if (match === null) throw new Error(`'${named}' is not a position of a channel`);
  const channel = Number(match[1] ?? 1);
  const next = (stage.channels.get(channel) ?? 0) + 1;
  return { channel, channelSequence: Number(match[2] ?? match[3] ?? next) };
}
