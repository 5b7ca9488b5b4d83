// The complete state of an exchange as one record. Only `applyFrame` changes it, and only from the
// fields of a frame: no clock, no randomness, no other input.

import { Ledger } from '../ledger/index.ts';
import { Books, type MatchListener } from '../matching/index.ts';
import { type Event, INITIAL_LIMITS, type Limits } from '../messages/index.ts';
import type { AssetId, Atoms, CommandNumber, MarketId, TimeMs, UserId } from '../money/index.ts';
import { assert, type HashKey, NO_HASH_KEY } from '../structures/index.ts';
import { ClientOrderIds } from './client-order-ids.ts';
import { CommandWindow } from './command-window.ts';
import { DeadManSwitches } from './dead-man-switches.ts';
import type { Market } from './market.ts';
import { createMatchListener } from './match-listener.ts';
import { OrderDetails } from './order-details.ts';
import { Users } from './users.ts';

export interface Asset {
  readonly id: AssetId;
  readonly symbol: string;
  readonly scale: number;
}

export interface Withdrawal {
  readonly user: UserId;
  readonly asset: AssetId;
  readonly amountAtoms: Atoms;
  readonly feeAsset: AssetId;
  readonly feeAtoms: Atoms;
}

/** The stores sized by the capacities of `limits`; raising a capacity rebuilds them. */
export interface Stores {
  limits: Limits;
  ledger: Ledger;
  books: Books;
  users: Users;
  details: OrderDetails;
  clientOrderIds: ClientOrderIds;
  window: CommandWindow;
  /** By channel: the last sequence, and the poison command that froze the channel, or 0. */
  channelSequences: Float64Array;
  channelsFrozenBy: Float64Array;
}

export interface Exchange extends Stores {
  /** The last frame applied. Not in the state hash: the grouping into frames does not matter. */
  sequence: number;
  timeMs: TimeMs;
  commandsApplied: number;
  tradesExecuted: number;
  readonly assets: Asset[];
  readonly markets: Market[];
  readonly withdrawals: Map<number, Withdrawal>;
  readonly switches: DeadManSwitches;

  /** Chosen by the host and not part of the state: no event and no hash depends on it. */
  readonly hashKey: HashKey;

  /**
   * The command being applied (0 for the effects of time) and the events of its frame so far.
   * Fields rather than arguments: every function that emits an event needs both.
   */
  command: CommandNumber;
  events: Event[];
  /** Settles what `books.match` trades. Tests replace it to make the engine fail. */
  matchListener: MatchListener;
  /** True while a frame is applied, and for ever after a failure: the state may be incomplete. */
  torn: boolean;
}

/** An empty exchange: no assets, no markets, no users. */
export function createExchange(
  limits: Limits = INITIAL_LIMITS,
  hashKey: HashKey = NO_HASH_KEY,
): Exchange {
  // One literal with all fields: with spreads or later additions V8 would use a slow dictionary.
  const exchange: Exchange = {
    limits,
    ledger: new Ledger(limits),
    books: new Books(limits),
    users: new Users(limits.usersMax),
    details: new OrderDetails(limits.ordersMax),
    clientOrderIds: new ClientOrderIds(limits, hashKey),
    window: new CommandWindow(limits.commandWindow),
    channelSequences: new Float64Array(limits.channelsMax + 1),
    channelsFrozenBy: new Float64Array(limits.channelsMax + 1),
    hashKey,
    sequence: 0,
    timeMs: 0 as TimeMs,
    commandsApplied: 0,
    tradesExecuted: 0,
    assets: [],
    markets: [],
    withdrawals: new Map(),
    switches: new DeadManSwitches(),
    command: 0 as CommandNumber,
    events: [],
    matchListener: NO_LISTENER,
    torn: false,
  };
  exchange.matchListener = createMatchListener(exchange);
  return exchange;
}

/** Placeholder: the real listener needs the exchange, which does not exist yet. */
const NO_LISTENER: MatchListener = {
  fill: () => assert(false, 'the exchange has a match listener'),
  makerClosed: () => assert(false, 'the exchange has a match listener'),
};

export function marketOf(exchange: Exchange, id: MarketId): Market | undefined {
  return exchange.markets[id - 1];
}

export function assetOf(exchange: Exchange, id: AssetId): Asset | undefined {
  return exchange.assets[id - 1];
}
