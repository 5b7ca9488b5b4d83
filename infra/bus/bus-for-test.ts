// A bus in memory that delivers at once to every subscriber, the publisher included, and keeps what
// was published. Nothing but tests imports it.

import type { Bus, Subscription } from './bus-port.ts';

export class MemoryBus implements Bus {
  readonly messages: { subject: string; message: Uint8Array }[] = [];
  readonly #receivers = new Set<[string, (message: Uint8Array, subject: string) => void]>();

  publish(subject: string, message: Uint8Array): void {
    this.messages.push({ subject, message: message.slice() });
    for (const [wanted, receive] of [...this.#receivers]) {
      if (wanted === subject) receive(message, subject);
    }
  }

  subscribe(subject: string, receive: (message: Uint8Array, at: string) => void): Subscription {
    const receiver: [string, typeof receive] = [subject, receive];
    this.#receivers.add(receiver);
    return { stop: () => this.#receivers.delete(receiver) };
  }
}
