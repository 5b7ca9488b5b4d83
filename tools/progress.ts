// Shows the progress of work that takes longer than a second on standard error: a bar on a
// terminal, an occasional line elsewhere. Shorter work shows nothing.

import { type Clock, systemClock, type Timer } from '../infra/process/clock.ts';
import { countText } from './text-table.ts';

/** Output for progress; tests replace it. */
export interface ProgressPlace {
  readonly isTerminal: boolean;
  readonly clock: Clock;
  write(text: string): void;
}

export const STANDARD_ERROR: ProgressPlace = {
  isTerminal: process.stderr.isTTY === true,
  clock: systemClock,
  write: (text) => void process.stderr.write(text),
};

const QUIET_MS = 1_000;
const BAR_EVERY_MS = 200;
const LINE_EVERY_MS = 10_000;
const WIDTH = 24;
const CLEAR_LINE = '\r\u001b[K';

export class Progress {
  readonly #what: string;
  readonly #place: ProgressPlace;
  readonly #beganMs: number;
  #done = 0;
  #total = 0;
  #timer: Timer;
  #isDrawn = false;

  constructor(what: string, place: ProgressPlace = STANDARD_ERROR) {
    this.#what = what;
    this.#place = place;
    this.#beganMs = place.clock.elapsedMs();
    this.#timer = place.clock.after(QUIET_MS, () => this.#show());
  }

  /** Without a total, the bar moves and does not fill. */
  update(done: number, total: number): void {
    this.#done = done;
    this.#total = total;
  }

  stop(): void {
    this.#timer.cancel();
    if (this.#isDrawn && this.#place.isTerminal) this.#place.write(CLEAR_LINE);
  }

  #show(): void {
    const { clock, isTerminal, write } = this.#place;
    this.#isDrawn = true;
    write(isTerminal ? `${CLEAR_LINE}${this.#bar()} ${this.#text()}` : `${this.#text()}\n`);
    this.#timer = clock.after(isTerminal ? BAR_EVERY_MS : LINE_EVERY_MS, () => this.#show());
  }

  #text(): string {
    const amount =
      this.#total === 0
        ? ''
        : `, ${countText(this.#done)} of ${countText(this.#total)} (${this.#percent()}%)`;
    return `${this.#what}${amount}, ${Math.round(this.#elapsedMs() / 1_000)} s`;
  }

  #bar(): string {
    if (this.#total > 0) {
      const full = Math.round((WIDTH * this.#percent()) / 100);
      return `[${'='.repeat(full)}${' '.repeat(WIDTH - full)}]`;
    }
    const at = Math.floor(this.#elapsedMs() / BAR_EVERY_MS) % WIDTH;
    return `[${' '.repeat(at)}=${' '.repeat(WIDTH - 1 - at)}]`;
  }

  #percent(): number {
    return Math.floor((100 * Math.min(this.#done, this.#total)) / this.#total);
  }

  #elapsedMs(): number {
    return this.#place.clock.elapsedMs() - this.#beganMs;
  }
}

/** Shows progress until the work is done. */
export async function withProgress<Result>(
  what: string,
  work: (update: (done: number, of: number) => void) => Promise<Result>,
): Promise<Result> {
  const progress = new Progress(what);
  try {
    return await work((done, of) => progress.update(done, of));
  } finally {
    progress.stop();
  }
}
