// Who listens to a subject whose messages may also come over a line: told of both alike.

import type { Bus, Subscription } from '../bus/index.ts';

type Receive = (message: Uint8Array, subject: string) => void;

export class Receivers {
  readonly #bus: Bus;
  readonly #subject: string;
  readonly #all = new Set<Receive>();

  constructor(bus: Bus, subject: string) {
    this.#bus = bus;
    this.#subject = subject;
  }

  /** Of any subject; only those of the one are told what comes over a line. */
  subscribe(subject: string, receive: Receive): Subscription {
    const subscription = this.#bus.subscribe(subject, receive);
    if (subject !== this.#subject) return subscription;
    // Two subscriptions may share a function, and are still two.
    const receiver: Receive = (message, from) => receive(message, from);
    this.#all.add(receiver);
    return {
      stop: () => {
        this.#all.delete(receiver);
        subscription.stop();
      },
    };
  }

  tell(message: Uint8Array): void {
    for (const receive of this.#all) receive(message, this.#subject);
  }
}
