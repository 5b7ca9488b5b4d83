// Hashes of state samples, which let a standby compare its state with the leader's at any exchange
// size and across releases. See StateSampler.

import { type Replica, StateSampler } from '../../infra/replica/index.ts';

export interface StateHash {
  readonly sequence: number;
  readonly stateHash: string;
}

export interface StateHashSettings {
  /** The first frame of a run starts a new hash; all sequencers use the same value. */
  readonly runFrames: number;
  /** The hash since the start of its run is published each time this many frames have passed. */
  readonly everyFrames: number;
}

/** A standby can be ahead of the leader's heartbeat by this many hashes. */
const REMEMBERED = 1_024;

export class StateHashes {
  readonly #everyFrames: number;
  readonly #sampler: StateSampler;
  readonly #taken: StateHash[] = [];

  constructor({ everyFrames, runFrames }: StateHashSettings) {
    this.#everyFrames = everyFrames;
    this.#sampler = new StateSampler({ runFrames });
  }

  /** Call it after each frame. */
  after({ exchange, sequence }: Pick<Replica, 'exchange' | 'sequence'>): void {
    const stateHash = this.#sampler.after(exchange);
    if (stateHash === undefined || sequence % this.#everyFrames !== 0) return;
    this.#taken.push({ sequence, stateHash });
    if (this.#taken.length > REMEMBERED) this.#taken.shift();
  }

  /** Returns the latest hash at or before this frame. */
  latest(atMost: number): StateHash | undefined {
    return this.#taken.findLast(({ sequence }) => sequence <= atMost);
  }

  at(sequence: number): StateHash | undefined {
    return this.#taken.findLast((taken) => taken.sequence === sequence);
  }
}
