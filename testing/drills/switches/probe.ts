// Client that keeps repeating one operation at one gateway, and records when it sent each request
// and whether it was accepted. The drill derives from it when a switch took effect, and what
// clients received.

import { setTimeout as delay } from 'node:timers/promises';

export interface Attempted {
  readonly isAccepted: boolean;
  /** Short form of the answer: `400 2034`, `closed 1013`. */
  readonly said: string;
}

interface Attempt extends Attempted {
  readonly sentMs: number;
}

const EVERY_MS = 20;
/** Answer of a process that is down. */
export const UNREACHABLE = 'unreachable';

export class Probe {
  readonly where: string;
  readonly #attempt: () => Promise<Attempted>;
  readonly #all: Attempt[] = [];
  readonly #ended: Promise<void>;
  #isStopped = false;

  constructor(where: string, attempt: () => Promise<Attempted>) {
    this.where = where;
    this.#attempt = attempt;
    this.#ended = this.#run();
  }

  get count(): number {
    return this.#all.length;
  }

  stop(): Promise<void> {
    this.#isStopped = true;
    return this.#ended;
  }

  /**
   * Returns when the last accepted request was sent, in milliseconds after the moment; 0 if none.
   */
  lastAcceptedAfter(momentMs: number): number {
    const last = this.#all.findLast(({ isAccepted }) => isAccepted);
    return last === undefined ? 0 : Math.max(0, Math.round(last.sentMs - momentMs));
  }

  acceptedAfter(momentMs: number): number {
    return this.#all.filter(({ isAccepted, sentMs }) => isAccepted && sentMs > momentMs).length;
  }

  refusedAfter(momentMs: number): number {
    return this.#all.filter(
      ({ isAccepted, said, sentMs }) => !isAccepted && said !== UNREACHABLE && sentMs > momentMs,
    ).length;
  }

  /** Returns the distinct refusals after the moment. */
  saidAfter(momentMs: number): string[] {
    const later = this.#all.filter(({ isAccepted, sentMs }) => !isAccepted && sentMs > momentMs);
    return [...new Set(later.map(({ said }) => said))].filter((said) => said !== UNREACHABLE);
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      const sentMs = performance.now();
      const attempted = await this.#attempt().catch(() => ({
        isAccepted: false,
        said: UNREACHABLE,
      }));
      this.#all.push({ ...attempted, sentMs });
      await delay(EVERY_MS);
    }
  }
}
