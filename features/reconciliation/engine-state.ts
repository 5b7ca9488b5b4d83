// The engine as the checks see it: a replica that goes on while they read. Everything but `reach`
// is of the moment of the call; nothing is kept across an `await`.

import type { AssetId, Atoms, UserId } from '../../core/money/index.ts';
import type { LogTail } from './log-tail.ts';

export interface EngineAsset {
  readonly symbol: string;
  readonly scale: number;
}

export interface EngineAccount {
  readonly owner: number;
  readonly asset: AssetId;
  readonly availableAtoms: bigint;
  readonly heldAtoms: bigint;
}

/** A withdrawal whose amount and fee are held. */
export interface EngineHold {
  readonly user: UserId;
  readonly asset: AssetId;
  readonly amountAtoms: Atoms;
  readonly feeAsset: AssetId;
  readonly feeAtoms: Atoms;
}

export interface EngineOrder {
  readonly order: number;
  readonly user: number;
  readonly market: number;
  /** The base of the market. */
  readonly base: AssetId;
  readonly sizeLots: number;
  readonly remainingLots: number;
}

export interface EngineUser {
  readonly user: number;
  readonly tier: number;
  readonly discountPpm: number;
}

export interface EngineState {
  /** The last frame applied. */
  readonly frame: number;
  /** The end of the log. */
  readonly log: LogTail;
  /** True once the replica has applied the frame; false if that takes too long. */
  reach(frame: number): Promise<boolean>;
  assetOf(asset: number): EngineAsset;
  /** The accounts as they are now. */
  accounts(): Iterable<EngineAccount>;
  /** The accounts as they were after an earlier frame; undefined if that is too long ago. */
  accountsAt(frame: number): Iterable<EngineAccount> | undefined;
  /** By the number of the withdrawal. */
  holds(): ReadonlyMap<number, EngineHold>;
  /** The last position of a channel that the engine has seen. */
  channelSequence(channel: number): number;
  users(): Iterable<EngineUser>;
  /** The open orders as they are now. */
  orders(): Iterable<EngineOrder>;
  /** Orders that changed after a frame; undefined if that is too long ago. */
  ordersChangedAfter(frame: number): ReadonlySet<number> | undefined;
}
