// The subscribers of a bus, one of whose subscriptions can also receive over link connections. They
// receive messages of both in the same way.

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

  /** Accepts any subject; only subscribers of the link's subject get messages from deliver(). */
  subscribe(subject: string, receive: Receive): Subscription {
    const subscription = this.#bus.subscribe(subject, receive);
    if (subject !== this.#subject) return subscription;
    // Wrapped, because two subscriptions with the same function are still two.
    const receiver: Receive = (message, from) => receive(message, from);
    this.#all.add(receiver);
    return {
      stop: () => {
        this.#all.delete(receiver);
        subscription.stop();
      },
    };
  }

  /** Delivers a message that arrived over a connection, with the subject it has on the bus. */
  deliver(message: Uint8Array, subject: string): void {
    for (const receive of this.#all) receive(message, subject);
  }
}
