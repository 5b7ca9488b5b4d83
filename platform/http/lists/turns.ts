// Turns for work that few callers can do in parallel: reading a page or a full list. A caller has
// one turn at a time, and callers that wait are served in the order of their arrival, so none
// of them takes all turns. Both the queue and the time in it are bounded.

import type { Clock, Timer } from '../../../infra/process/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';

export interface TurnsOptions {
  readonly clock: Clock;
  /** Turns at the same time. */
  readonly runningMax: number;
  /** Requests of one caller that wait; further ones are refused. */
  readonly waitingPerCallerMax: number;
  readonly waitMsMax: number;
}

/** Ends the turn. Calling it again does nothing. */
export type EndTurn = () => void;

interface Waiting {
  readonly who: string;
  readonly timer: Timer;
  start(): void;
}

/** Requests of all callers that wait. */
const WAITING_MAX = 200;
const RETRY_AFTER_S = 5;

export class Turns {
  readonly #options: TurnsOptions;
  readonly #running = new Set<string>();
  #waiting: Waiting[] = [];
  /** Blocked callers, with the end of the block. */
  readonly #blocked = new Map<string, Timer>();

  constructor(options: TurnsOptions) {
    this.#options = options;
  }

  take(who: string): Promise<EndTurn | Refused<'rate_limit_exceeded'>> {
    const { clock, runningMax, waitMsMax, waitingPerCallerMax } = this.#options;
    if (this.#blocked.has(who)) return Promise.resolve(tooMany());
    if (this.#running.size < runningMax && !this.#running.has(who)) {
      return Promise.resolve(this.#start(who));
    }
    const own = this.#waiting.filter((waiting) => waiting.who === who).length;
    const isRunning = this.#running.has(who) ? 1 : 0;
    // A caller without a turn may always wait for its first one.
    const isTooMany = own + isRunning > waitingPerCallerMax || this.#waiting.length >= WAITING_MAX;
    if (isTooMany) return Promise.resolve(tooMany());
    const { promise, resolve } = Promise.withResolvers<EndTurn | Refused<'rate_limit_exceeded'>>();
    const waiting: Waiting = {
      who,
      timer: clock.after(waitMsMax, () => {
        this.#waiting = this.#waiting.filter((one) => one !== waiting);
        resolve(tooMany());
      }),
      start: () => {
        waiting.timer.cancel();
        resolve(this.#start(who));
      },
    };
    this.#waiting.push(waiting);
    return promise;
  }

  /** Refuses the caller for some time. */
  block(who: string, forMs: number): void {
    this.#blocked.get(who)?.cancel();
    const timer = this.#options.clock.after(forMs, () => void this.#blocked.delete(who));
    this.#blocked.set(who, timer);
  }

  #start(who: string): EndTurn {
    this.#running.add(who);
    let hasEnded = false;
    return () => {
      if (hasEnded) return;
      hasEnded = true;
      this.#running.delete(who);
      this.#startNext();
    };
  }

  #startNext(): void {
    const at = this.#waiting.findIndex(({ who }) => !this.#running.has(who));
    if (at < 0 || this.#running.size >= this.#options.runningMax) return;
    const [next] = this.#waiting.splice(at, 1);
    next.start();
  }
}

function tooMany(): Refused<'rate_limit_exceeded'> {
  return new Refused('rate_limit_exceeded', {}, RETRY_AFTER_S);
}
