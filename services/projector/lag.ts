// How far the tables are behind the log. The log is asked now and then, so that a projector which
// hears nothing does not believe that there is nothing.

import type { LogStream } from '../../infra/journal/index.ts';
import type { Clock, Metrics, Timer } from '../../infra/process/index.ts';
import type { Projector } from './projector.ts';

export interface LagOptions {
  readonly events: LogStream;
  readonly projector: Pick<Projector, 'cursor' | 'readSequence'>;
  readonly clock: Clock;
  readonly metrics: Metrics;
}

const ASK_EVERY_MS = 1_000;

export class Lag {
  readonly #options: LagOptions;
  #lastSequence = 0;
  #hasAsked = false;
  #timer: Timer | undefined;
  #isStopped = false;

  constructor(options: LagOptions) {
    this.#options = options;
    const lag = this;
    options.metrics.gauge({
      name: 'rialto_projector_lag_messages',
      help: 'Messages of EVENTS that are not in the tables',
      collect() {
        this.set(lag.messages);
      },
    });
    options.metrics.gauge({
      name: 'rialto_projector_lag_seconds',
      help: 'Age of the last frame in the tables while there are later ones',
      collect() {
        this.set(lag.ms / 1_000);
      },
    });
    this.#ask();
  }

  /** Whether the log has said how long it is. */
  get hasAsked(): boolean {
    return this.#hasAsked;
  }

  get messages(): number {
    const { cursor, readSequence } = this.#options.projector;
    return Math.max(this.#lastSequence, readSequence) - (cursor?.eventsSequence ?? 0);
  }

  /** 0 when the tables have all; infinite before the first frame is in. */
  get ms(): number {
    const { clock, projector } = this.#options;
    if (projector.cursor === undefined) return Infinity;
    if (this.messages <= 0) return 0;
    const { timeMs } = projector.cursor;
    return timeMs === 0 ? Infinity : Math.max(0, clock.nowMs() - timeMs);
  }

  stop(): void {
    this.#isStopped = true;
    this.#timer?.cancel();
  }

  #ask(): void {
    this.#options.events.extent((extent) => {
      if (this.#isStopped) return;
      this.#lastSequence = extent?.last ?? this.#lastSequence;
      this.#hasAsked ||= extent !== undefined;
      this.#timer = this.#options.clock.after(ASK_EVERY_MS, () => this.#ask());
    });
  }
}
