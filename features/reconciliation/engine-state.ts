// The engine as the checks see it: a replica that goes on while they read. Everything but `reach`
// is of the moment of the call; nothing is kept across an `await`.

import type { AssetId, Atoms, UserId } from '../../core/money/index.ts';

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

export interface EngineState {
  /** The last frame applied. */
  readonly frame: number;
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
}
