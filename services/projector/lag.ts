// How far the tables lag behind the log. Polls the log's length, so a projector that receives
// nothing does not report a lag of zero.

import type { LogStream } from '../../infra/journal/index.ts';
import type { Clock, Metrics, Timer } from '../../infra/process/index.ts';
import type { Projector } from './projector.ts';

export interface LagOptions {
  readonly events: LogStream;
  readonly projector: Pick<Projector, 'cursor' | 'isStandby' | 'readSequence'>;
  readonly clock: Clock;
  readonly metrics: Metrics;
}

const POLL_EVERY_MS = 1_000;

export class Lag {
  readonly #options: LagOptions;
  #lastSequence = 0;
  #isKnown = false;
  #timer: Timer | undefined;
  #isStopped = false;

  constructor(options: LagOptions) {
    this.#options = options;
    const lag = this;
    options.metrics.gauge({
      name: 'rialto_projector_lag_messages',
      help: 'EVENTS messages that are not in the tables yet',
      collect() {
        this.set(lag.messages);
      },
    });
    options.metrics.gauge({
      name: 'rialto_projector_lag_seconds',
      help: 'Age of the last projected frame while there are later ones',
      collect() {
        this.set(lag.ms / 1_000);
      },
    });
    this.#poll();
  }

  /** True if the log's length is known. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  get messages(): number {
    const { cursor, isStandby, readSequence } = this.#options.projector;
    if (isStandby) return 0;
    return Math.max(this.#lastSequence, readSequence) - (cursor?.eventsSequence ?? 0);
  }

  /**
   * 0 if the tables are up to date, or if another projector writes them and reports it; infinite
   * before the first frame is projected.
   */
  get ms(): number {
    const { clock, projector } = this.#options;
    if (projector.isStandby) return 0;
    if (projector.cursor === undefined) return Infinity;
    if (this.messages <= 0) return 0;
    const { timeMs } = projector.cursor;
    return timeMs === 0 ? Infinity : Math.max(0, clock.nowMs() - timeMs);
  }

  stop(): void {
    this.#isStopped = true;
    this.#timer?.cancel();
  }

  #poll(): void {
    this.#options.events.extent((extent) => {
      if (this.#isStopped) return;
      this.#lastSequence = extent?.last ?? this.#lastSequence;
      this.#isKnown ||= extent !== undefined;
      this.#timer = this.#options.clock.after(POLL_EVERY_MS, () => this.#poll());
    });
  }
}
