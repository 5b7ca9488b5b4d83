// The fake bus of tests. It delivers immediately to every subscriber, the publisher included, and
// records what was published. Nothing but tests imports it.

import type { Bus, Subscription } from './bus-port.ts';

interface Receiver {
  readonly subject: string;
  readonly receive: (message: Uint8Array, subject: string) => void;
}

export class MemoryBus implements Bus {
  /** Everything that was published, oldest first. */
  readonly messages: { subject: string; message: Uint8Array }[] = [];
  readonly #receivers = new Set<Receiver>();

  publish(subject: string, message: Uint8Array): void {
    this.messages.push({ subject, message: message.slice() });
    this.#deliver(subject, message);
  }

  subscribe(subject: string, receive: Receiver['receive']): Subscription {
    const receiver: Receiver = { subject, receive };
    this.#receivers.add(receiver);
    return { stop: () => this.#receivers.delete(receiver) };
  }

  /** The subjects of the open subscriptions. */
  get subjects(): string[] {
    return [...this.#receivers].map(({ subject }) => subject);
  }

  /**
   * Delivers a message that the test sends itself, without recording it. The bytes are
   * overwritten afterwards: the port says that they belong to the bus.
   */
  deliver(subject: string, message: Uint8Array): void {
    const delivered = message.slice();
    this.#deliver(subject, delivered);
    delivered.fill(0xdd);
  }

  /** Removes the recorded messages of a subject and returns them, oldest first. */
  take(subject: string): Uint8Array[] {
    const taken = this.messages.filter((one) => one.subject === subject);
    const rest = this.messages.filter((one) => one.subject !== subject);
    this.messages.splice(0, this.messages.length, ...rest);
    return taken.map(({ message }) => message);
  }

  #deliver(subject: string, message: Uint8Array): void {
    for (const receiver of [...this.#receivers]) {
      if (matches(receiver.subject, subject)) receiver.receive(message, subject);
    }
  }
}

/** A pattern is a subject, or a prefix followed by `.>`. */
function matches(pattern: string, subject: string): boolean {
  return pattern.endsWith('.>') ? subject.startsWith(pattern.slice(0, -1)) : pattern === subject;
}
