// The bus of a process that also has direct links. Batches and results take either path, each with
// its own faults and cuts, and switch between them at any time, so later messages on one path
// overtake earlier messages on the other.

import type { Bus, Subscription } from '../../infra/bus/index.ts';
import type { LinkSubjects } from '../../infra/command-link/index.ts';

export interface BusWithLinksOptions {
  readonly bus: Bus;
  /** Direct connections between processes. */
  readonly links: Bus;
  readonly subjects: LinkSubjects;
  /** From 0 to 1: how often a message takes a different path than the previous one. */
  readonly changeRate: number;
  readonly random: () => number;
}

export class BusWithLinks implements Bus {
  readonly #options: BusWithLinksOptions;
  #isOnLink = false;

  constructor(options: BusWithLinksOptions) {
    this.#options = options;
  }

  publish(subject: string, message: Uint8Array): void {
    const { bus, changeRate, links, random } = this.#options;
    const mayUseLink = this.#isOfLink(subject);
    if (mayUseLink && random() < changeRate) this.#isOnLink = !this.#isOnLink;
    (mayUseLink && this.#isOnLink ? links : bus).publish(subject, message);
  }

  subscribe(subject: string, receive: Parameters<Bus['subscribe']>[1]): Subscription {
    const { bus, links } = this.#options;
    const buses = this.#isOfLink(subject) ? [bus, links] : [bus];
    const subscriptions = buses.map((one) => one.subscribe(subject, receive));
    return {
      stop: () => {
        for (const subscription of subscriptions) subscription.stop();
      },
    };
  }

  #isOfLink(subject: string): boolean {
    const { subjects } = this.#options;
    return subjects.senderOf(subject) !== '' || subjects.receiverOf(subject) !== '';
  }
}
