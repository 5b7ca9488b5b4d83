// Standbys with recent heartbeats, for a handover.

import type { StandbyHeartbeat } from '../../infra/command-link/index.ts';
import type { Clock } from '../../infra/process/index.ts';

interface Standby extends StandbyHeartbeat {
  readonly seenMs: number;
}

/** A standby without a heartbeat for this many intervals is not considered. */
const SILENT_HEARTBEATS_MAX = 10;
/**
 * A standby applies this many frames in a moment; its last heartbeat was before the last frames.
 */
const SUCCESSOR_LAG_MAX = 256;

export class Standbys {
  readonly #clock: Clock;
  readonly #heartbeatMs: number;
  /** By process number. */
  readonly #standbys = new Map<number, Standby>();

  constructor(clock: Clock, heartbeatMs: number) {
    this.#clock = clock;
    this.#heartbeatMs = heartbeatMs;
  }

  heard({ instance, sequence, writer }: StandbyHeartbeat): void {
    const seenMs = this.#clock.elapsedMs();
    this.#standbys.set(writer, { instance, writer, sequence, seenMs });
  }

  /** Returns the standby that has applied most. */
  find(): Standby | undefined {
    const sinceMs = this.#clock.elapsedMs() - SILENT_HEARTBEATS_MAX * this.#heartbeatMs;
    let found: Standby | undefined;
    for (const standby of this.#standbys.values()) {
      if (standby.seenMs < sinceMs || standby.sequence < (found?.sequence ?? 0)) continue;
      found = standby;
    }
    return found;
  }

  /** none: there is no standby. lagging: none is near this frame yet. */
  findSuccessor(sequence: number): 'ready' | 'lagging' | 'none' {
    const standby = this.find();
    if (standby === undefined) return 'none';
    return standby.sequence >= sequence - SUCCESSOR_LAG_MAX ? 'ready' : 'lagging';
  }
}
