// The engine as the checks see it: a replica that keeps advancing while they read. Everything
// except `reach` reflects the time of the call; nothing is kept across an `await`.

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

/** A withdrawal whose amount and fee are on hold. */
export interface EngineHold {
  readonly user: UserId;
  readonly asset: AssetId;
  readonly amountAtoms: Atoms;
  readonly feeAsset: AssetId;
  readonly feeAtoms: Atoms;
  /** Empty if the log does not have it. */
  readonly destination: string;
}

export interface EngineOrder {
  readonly order: number;
  readonly user: number;
  readonly market: number;
  /** Base asset of the market. */
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
  /** Resolves true once the replica has applied the frame, or false if that takes too long. */
  reach(frame: number): Promise<boolean>;
  assetOf(asset: number): EngineAsset;
  /** Current accounts. */
  accounts(): Iterable<EngineAccount>;
  /** Accounts after an earlier frame; undefined if that is too long ago. */
  accountsAt(frame: number): Iterable<EngineAccount> | undefined;
  /** By withdrawal number. */
  holds(): ReadonlyMap<number, EngineHold>;
  /** Last position of a channel that the engine has seen. */
  channelSequence(channel: number): number;
  users(): Iterable<EngineUser>;
  /** Current open orders. */
  orders(): Iterable<EngineOrder>;
  /** Orders changed after a frame; undefined if that is too long ago. */
  ordersChangedAfter(frame: number): ReadonlySet<number> | undefined;
}
