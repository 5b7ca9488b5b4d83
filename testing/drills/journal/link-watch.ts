// Listens to what leaders and standbys say of themselves: who leads, who could take over, and all
// digests and state hashes that a leader ever told, to be compared with the log in the end.

import type { Bus } from '../../../infra/bus/index.ts';
import {
  decodeLeaderHeartbeat,
  decodeStandbyHeartbeat,
  type LeaderHeartbeat,
  linkSubjects,
} from '../../../infra/command-link/index.ts';
import { steadyMs } from './clients/frames-heard.ts';

/** A beat is sent every 100 ms. */
const FRESH_MS = 500;
/** How many frames behind the leader a standby may be to count as being there. */
const LAG_MAX = 64;

export class LinkWatch {
  readonly outputDigests = new Map<number, number>();
  readonly stateHashes = new Map<number, string>();
  /** Two leaders said different things of the same frames. */
  readonly contradictions: string[] = [];
  readonly #standbys = new Map<string, { sequence: number; atMs: number }>();
  #leader: { beat: LeaderHeartbeat; atMs: number } | undefined;

  constructor(bus: Bus, exchange: string) {
    const subjects = linkSubjects(exchange);
    bus.subscribe(subjects.leader, (message) => this.#hearLeader(message));
    bus.subscribe(subjects.standby, (message) => this.#hearStandby(message));
  }

  /** The one of the latest epoch, if it has spoken lately and serves. */
  get leader(): LeaderHeartbeat | undefined {
    const isFresh = this.#leader !== undefined && steadyMs() - this.#leader.atMs < FRESH_MS;
    return isFresh && this.#leader?.beat.state === 'leading' ? this.#leader.beat : undefined;
  }

  get epoch(): number {
    return this.#leader?.beat.epoch ?? 0;
  }

  /** Those that follow closely. */
  get standbys(): string[] {
    const { leader } = this;
    if (leader === undefined) return [];
    return [...this.#standbys]
      .filter(([name]) => name !== leader.instance)
      .filter(([, { atMs }]) => steadyMs() - atMs < FRESH_MS)
      .filter(([, { sequence }]) => sequence >= leader.sequence - LAG_MAX)
      .map(([name]) => name);
  }

  /** Everything stored, events as well, and every standby as far as the leader. */
  isSettled(standbyCount: number): boolean {
    const { leader } = this;
    if (leader === undefined || leader.eventsSequence !== leader.sequence) return false;
    const level = this.standbys.filter(
      (name) => this.#standbys.get(name)?.sequence === leader.sequence,
    );
    return level.length === standbyCount;
  }

  describe(): string {
    const { outputDigests: _, ...beat } = this.#leader?.beat ?? { outputDigests: [] };
    const standbys = JSON.stringify([...this.#standbys]);
    return `leader ${JSON.stringify(beat)}, standbys ${standbys}, now ${steadyMs()}`;
  }

  #hearLeader(message: Uint8Array): void {
    const beat = decodeLeaderHeartbeat(message);
    if (beat === undefined) return;
    for (const { digest, sequence } of beat.outputDigests) {
      this.#note(this.outputDigests, { sequence, said: digest, by: beat.instance });
    }
    const { stateHash, stateHashSequence: sequence } = beat;
    if (sequence > 0)
      this.#note(this.stateHashes, { sequence, said: stateHash, by: beat.instance });
    if (beat.epoch >= this.epoch) this.#leader = { beat, atMs: steadyMs() };
  }

  #note<Said>(
    known: Map<number, Said>,
    { by, said, sequence }: { sequence: number; said: Said; by: string },
  ): void {
    const before = known.get(sequence);
    if (before !== undefined && before !== said) {
      this.contradictions.push(`${by} says ${said} of frame ${sequence}, not ${before}`);
    }
    known.set(sequence, said);
  }

  #hearStandby(message: Uint8Array): void {
    const beat = decodeStandbyHeartbeat(message);
    if (beat === undefined) return;
    this.#standbys.set(beat.instance, { sequence: beat.sequence, atMs: steadyMs() });
  }
}
