// Follows the heartbeats of leaders and standbys: the current leader, the standbys that could take
// over, and every digest and state hash that a leader published, to compare with the log at the
// end.

import type { Bus } from '../../../infra/bus/index.ts';
import {
  decodeLeaderHeartbeat,
  decodeStandbyHeartbeat,
  type LeaderHeartbeat,
  linkSubjects,
} from '../../../infra/command-link/index.ts';
import { steadyMs } from './clients/frame-arrivals.ts';

/** A heartbeat is sent every 100 ms. */
const FRESH_MS = 500;
/** Maximum lag of a standby behind the leader, in frames. */
const LAG_MAX = 64;

export class LinkWatch {
  readonly outputDigests = new Map<number, number>();
  readonly stateHashes = new Map<number, string>();
  /** Frames for which two leaders published different values. */
  readonly contradictions: string[] = [];
  readonly #standbys = new Map<string, { sequence: number; atMs: number }>();
  #leader: { heartbeat: LeaderHeartbeat; atMs: number } | undefined;

  constructor(bus: Bus, exchange: string) {
    const subjects = linkSubjects(exchange);
    bus.subscribe(subjects.leader, (message) => this.#onLeader(message));
    bus.subscribe(subjects.standby, (message) => this.#onStandby(message));
  }

  /** Leader of the latest epoch, if its last heartbeat is recent and it serves. */
  get leader(): LeaderHeartbeat | undefined {
    const isFresh = this.#leader !== undefined && steadyMs() - this.#leader.atMs < FRESH_MS;
    return isFresh && this.#leader?.heartbeat.state === 'leading'
      ? this.#leader.heartbeat
      : undefined;
  }

  get epoch(): number {
    return this.#leader?.heartbeat.epoch ?? 0;
  }

  /** Standbys that follow closely. */
  get standbys(): string[] {
    const { leader } = this;
    if (leader === undefined) return [];
    return [...this.#standbys]
      .filter(([name]) => name !== leader.instance)
      .filter(([, { atMs }]) => steadyMs() - atMs < FRESH_MS)
      .filter(([, { sequence }]) => sequence >= leader.sequence - LAG_MAX)
      .map(([name]) => name);
  }

  /** Returns true if all frames and events are stored and every standby has caught up. */
  isSettled(standbyCount: number): boolean {
    const { leader } = this;
    if (leader === undefined || leader.eventsSequence !== leader.sequence) return false;
    const level = this.standbys.filter(
      (name) => this.#standbys.get(name)?.sequence === leader.sequence,
    );
    return level.length === standbyCount;
  }

  describe(): string {
    const { outputDigests: _, ...heartbeat } = this.#leader?.heartbeat ?? { outputDigests: [] };
    const standbys = JSON.stringify([...this.#standbys]);
    return `leader ${JSON.stringify(heartbeat)}, standbys ${standbys}, now ${steadyMs()}`;
  }

  #onLeader(message: Uint8Array): void {
    const heartbeat = decodeLeaderHeartbeat(message);
    if (heartbeat === undefined) return;
    for (const { digest, sequence } of heartbeat.outputDigests) {
      this.#note(this.outputDigests, { sequence, value: digest, by: heartbeat.instance });
    }
    const { stateHash, stateHashSequence: sequence } = heartbeat;
    if (sequence > 0)
      this.#note(this.stateHashes, { sequence, value: stateHash, by: heartbeat.instance });
    if (heartbeat.epoch >= this.epoch) this.#leader = { heartbeat, atMs: steadyMs() };
  }

  #note<Value>(
    known: Map<number, Value>,
    { by, value, sequence }: { sequence: number; value: Value; by: string },
  ): void {
    const before = known.get(sequence);
    if (before !== undefined && before !== value) {
      this.contradictions.push(
        `${by} published ${value} for frame ${sequence}, expected ${before}`,
      );
    }
    known.set(sequence, value);
  }

  #onStandby(message: Uint8Array): void {
    const heartbeat = decodeStandbyHeartbeat(message);
    if (heartbeat === undefined) return;
    this.#standbys.set(heartbeat.instance, { sequence: heartbeat.sequence, atMs: steadyMs() });
  }
}
