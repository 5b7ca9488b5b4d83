// The bus as a process has it that also has lines: batches and results take one of two ways, each
// with faults and cuts of its own, and change from one to the other at any moment. So what was sent
// later over the one overtakes what is still under way on the other.

import type { Bus, Subscription } from '../../infra/bus/index.ts';
import type { LinkSubjects } from '../../infra/command-link/index.ts';

export interface TwoWaysOptions {
  readonly bus: Bus;
  /** Connections between the processes themselves, of which nothing else makes use. */
  readonly lines: Bus;
  readonly subjects: LinkSubjects;
  /** From 0 to 1: how often the way is another than that of the message before. */
  readonly changeRate: number;
  readonly random: () => number;
}

export class TwoWays implements Bus {
  readonly #options: TwoWaysOptions;
  #isOnLine = false;

  constructor(options: TwoWaysOptions) {
    this.#options = options;
  }

  publish(subject: string, message: Uint8Array): void {
    const { bus, changeRate, lines, random } = this.#options;
    const mayTakeLine = this.#isOfLink(subject);
    if (mayTakeLine && random() < changeRate) this.#isOnLine = !this.#isOnLine;
    (mayTakeLine && this.#isOnLine ? lines : bus).publish(subject, message);
  }

  subscribe(subject: string, receive: Parameters<Bus['subscribe']>[1]): Subscription {
    const { bus, lines } = this.#options;
    const ways = this.#isOfLink(subject) ? [bus, lines] : [bus];
    const subscriptions = ways.map((way) => way.subscribe(subject, receive));
    return {
      stop: () => {
        for (const subscription of subscriptions) subscription.stop();
      },
    };
  }

  #isOfLink(subject: string): boolean {
    const { subjects } = this.#options;
    return subject === subjects.commands || subjects.isResults(subject);
  }
}
