// The complete state of an exchange as one record. Only `applyFrame` changes it, and only from the
// fields of a frame: no clock, no randomness, no other input.

import type { Ledger } from '../ledger/index.ts';
import type { Books, MatchListener } from '../matching/index.ts';
import type { Event, Limits } from '../messages/index.ts';
import type { AssetId, Atoms, CommandNumber, MarketId, TimeMs, UserId } from '../money/index.ts';
import type { HashKey } from '../structures/index.ts';
import type { ClientOrderIds } from './client-order-ids.ts';
import type { CommandWindow } from './command-window.ts';
import type { DeadManSwitches } from './dead-man-switches.ts';
import type { Expiries } from './expiries.ts';
import type { Market } from './market.ts';
import type { OrderDetails } from './order-details.ts';
import type { Users } from './users.ts';

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
  /** Empty if unknown, as before rules version 3. */
  readonly destination: string;
}

export interface Exchange {
  /** Sizes the stores: those whose capacity is raised grow, and records keep their slots. */
  limits: Limits;
  readonly ledger: Ledger;
  readonly books: Books;
  readonly users: Users;
  readonly details: OrderDetails;
  readonly clientOrderIds: ClientOrderIds;
  window: CommandWindow;
  /** By channel: the last sequence, and the poison command that froze the channel, or 0. */
  channelSequences: Float64Array;
  channelsFrozenBy: Float64Array;

  /** The last frame applied. Not in the state hash: the grouping into frames does not matter. */
  sequence: number;
  timeMs: TimeMs;
  commandsApplied: number;
  tradesExecuted: number;
  /** The rules in force; see rules-version.ts. */
  rulesVersion: number;
  readonly assets: Asset[];
  readonly markets: Market[];
  readonly withdrawals: Map<number, Withdrawal>;
  readonly switches: DeadManSwitches;
  /** By slot of each linked order: the slot of the other one. */
  readonly links: Map<number, number>;
  readonly expiries: Expiries;

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
  /** True while a frame is applied, and always after a failure: the state might be incomplete. */
  torn: boolean;
}

export function marketOf(exchange: Exchange, id: MarketId): Market | undefined {
  return exchange.markets[id - 1];
}

export function assetOf(exchange: Exchange, id: AssetId): Asset | undefined {
  return exchange.assets[id - 1];
}
