// Hashes of the whole state at fixed frames, so that leader and standby can compare them. A hash
// takes time that grows with the exchange; of one that is too large, or once it took more than its
// budget, none is taken, and the digests of what frames gave are compared alone.

import type { Clock } from '../../infra/process/index.ts';
import type { Replica } from '../../infra/replica/index.ts';

export interface StateHash {
  readonly sequence: number;
  readonly stateHash: string;
}

export interface StateHashOptions {
  readonly clock: Clock;
  readonly everyFrames: number;
  readonly budgetMs: number;
}

/** A standby may be behind the leader by some, or the leader's word late. */
const REMEMBERED = 8;

/** Hashing so much takes some twenty milliseconds: no leader shall pause for more, even once. */
const STATE_SIZE_MAX = 65_536;

export class StateHashes {
  readonly #options: StateHashOptions;
  readonly #taken: StateHash[] = [];
  #isTooSlow = false;

  constructor(options: StateHashOptions) {
    this.#options = options;
  }

  after(replica: Replica): void {
    const { budgetMs, clock, everyFrames } = this.#options;
    const { sequence } = replica;
    if (this.#isTooSlow || sequence % everyFrames !== 0) return;
    if (replica.stateSize > STATE_SIZE_MAX) return;
    const startedMs = clock.elapsedMs();
    this.#taken.push({ sequence, stateHash: replica.stateHash() });
    if (this.#taken.length > REMEMBERED) this.#taken.shift();
    this.#isTooSlow = clock.elapsedMs() - startedMs > budgetMs;
  }

  /** The latest that is not of a later frame. */
  latest(atMost: number): StateHash | undefined {
    return this.#taken.findLast(({ sequence }) => sequence <= atMost);
  }

  at(sequence: number): StateHash | undefined {
    return this.#taken.find((taken) => taken.sequence === sequence);
  }
}
