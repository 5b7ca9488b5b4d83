// Hashes of the full state at fixed frames, so that a standby can compare its state with the
// leader's. Hashing time grows with the exchange: a state that is too large, or a hash that
// exceeded its budget, ends the hashing, and only the digests of events are compared.

import type { Clock } from '../../infra/process/index.ts';
import type { Replica } from '../../infra/replica/index.ts';

export interface StateHash {
  readonly sequence: number;
  readonly stateHash: string;
}

type HashedReplica = Pick<Replica, 'sequence' | 'stateSize' | 'stateHash'>;

export interface StateHashOptions {
  readonly clock: Clock;
  readonly everyFrames: number;
  readonly budgetMs: number;
}

/** A standby may lag behind the leader, or the leader's heartbeat may be late. */
const REMEMBERED = 8;

/** Hashing this many entries takes about twenty milliseconds, the longest pause of a leader. */
const STATE_SIZE_MAX = 65_536;

export class StateHashes {
  readonly #options: StateHashOptions;
  readonly #taken: StateHash[] = [];
  #isTooSlow = false;

  constructor(options: StateHashOptions) {
    this.#options = options;
  }

  /** Takes a hash if one is due at this frame. */
  after(replica: HashedReplica): void {
    const { budgetMs, clock, everyFrames } = this.#options;
    const { sequence } = replica;
    if (this.#isTooSlow || sequence % everyFrames !== 0) return;
    if (replica.stateSize > STATE_SIZE_MAX) return;
    const startedMs = clock.elapsedMs();
    this.#taken.push({ sequence, stateHash: replica.stateHash() });
    if (this.#taken.length > REMEMBERED) this.#taken.shift();
    this.#isTooSlow = clock.elapsedMs() - startedMs > budgetMs;
  }

  /** The latest hash at or before this frame. */
  latest(atMost: number): StateHash | undefined {
    return this.#taken.findLast(({ sequence }) => sequence <= atMost);
  }

  at(sequence: number): StateHash | undefined {
    return this.#taken.find((taken) => taken.sequence === sequence);
  }
}
