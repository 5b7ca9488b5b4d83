// Compares a standby's events and state with those that its leader reports.

import type { LeaderHeartbeat } from '../../infra/command-link/index.ts';
import type { Replica } from '../../infra/replica/index.ts';
import { StateHashes, type StateHashSettings } from './state-hashes.ts';
import type { SequencerWatcher } from './watcher.ts';

export class LeaderComparison {
  readonly #stateHashes: StateHashes;
  readonly #watcher: Pick<SequencerWatcher, 'digestMatched' | 'stateMatched'>;
  #lastHeartbeat: LeaderHeartbeat | undefined;
  #matchedSequence = 0;
  #matchedStateSequence = 0;

  constructor(
    settings: StateHashSettings,
    watcher: Pick<SequencerWatcher, 'digestMatched' | 'stateMatched'>,
  ) {
    this.#stateHashes = new StateHashes(settings);
    this.#watcher = watcher;
  }

  /** Called when the standby has applied a frame. Returns the difference, if there is one. */
  applied(replica: Replica): string | undefined {
    this.#stateHashes.after(replica);
    return this.#compare(replica);
  }

  heard(heartbeat: LeaderHeartbeat, replica: Replica | undefined): string | undefined {
    this.#lastHeartbeat = heartbeat;
    return replica && this.#compare(replica);
  }

  #compare(replica: Replica): string | undefined {
    const heartbeat = this.#lastHeartbeat;
    if (heartbeat === undefined) return undefined;
    for (const { digest, sequence } of heartbeat.outputDigests) {
      if (sequence <= this.#matchedSequence) continue;
      const own = replica.outputDigests.find((one) => one.sequence === sequence);
      if (own === undefined) continue;
      if (own.digest !== digest) {
        return `the events of the frames up to ${sequence} differ from the leader's`;
      }
      this.#matchedSequence = sequence;
      this.#watcher.digestMatched(sequence);
    }
    const { stateHash, stateHashSequence: sequence } = heartbeat;
    if (sequence <= this.#matchedStateSequence) return undefined;
    const own = this.#stateHashes.at(sequence);
    if (own === undefined) return undefined;
    if (own.stateHash !== stateHash)
      return `the state at frame ${sequence} differs from the leader's`;
    this.#matchedStateSequence = sequence;
    this.#watcher.stateMatched(sequence);
    return undefined;
  }
}
