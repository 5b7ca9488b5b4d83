// The bus on NATS. Each message is sent once: nothing is kept for a server that is disconnected or
// too slow.

import type { Bus, Subscription } from './bus-port.ts';
import { type Nats, raiseBug } from './connect-nats.ts';

// A hung server is detected after some seconds; until then at most this much waits for it.
const BYTES_WAITING_MAX = 64 * 1024 * 1024;
// How often the bus asks the server to confirm receipt. Small compared with the bound above.
const BYTES_BETWEEN_FLUSHES = 1024 * 1024;

export class NatsBus implements Bus {
  readonly #nats: Nats;
  readonly #bytesWaitingMax: number;
  #bytesWaiting = 0;
  #bytesSinceFlush = 0;
  #droppedCount = 0;

  constructor(nats: Nats, { bytesWaitingMax = BYTES_WAITING_MAX } = {}) {
    this.#nats = nats;
    this.#bytesWaitingMax = bytesWaitingMax;
  }

  /** Messages dropped because no server was connected or the server was too slow. */
  get droppedCount(): number {
    return this.#droppedCount;
  }

  publish(subject: string, message: Uint8Array): void {
    const { client, isConnected } = this.#nats;
    if (!isConnected || this.#bytesWaiting + message.length > this.#bytesWaitingMax) {
      this.#droppedCount += 1;
      return;
    }
    // The client reads the bytes after the current turn of the event loop, so copy them.
    client.publish(subject, message.slice());
    this.#bytesWaiting += message.length;
    this.#bytesSinceFlush += message.length;
    if (this.#bytesSinceFlush >= BYTES_BETWEEN_FLUSHES) this.#flush();
  }

  /** Whether the server has received all of them. False leaves open which it has. */
  async publishAll(
    messages: readonly { readonly subject: string; readonly message: Uint8Array }[],
  ): Promise<boolean> {
    const droppedBefore = this.#droppedCount;
    for (const { message, subject } of messages) this.publish(subject, message);
    if (this.#droppedCount > droppedBefore) return false;
    const isReceived = await this.#nats.client.flush().then(
      () => true,
      () => false,
    );
    return isReceived && this.#nats.isConnected;
  }

  subscribe(
    subject: string,
    receive: (message: Uint8Array, subject: string) => void,
  ): Subscription {
    const subscription = this.#nats.client.subscribe(subject, {
      callback: (fault, message) => {
        try {
          if (fault !== null) throw fault;
          receive(message.data, message.subject);
        } catch (bug) {
          raiseBug(bug);
        }
      },
    });
    return { stop: () => subscription.unsubscribe() };
  }

  // The flush settles when the server responds or the connection is lost.
  #flush(): void {
    const bytes = this.#bytesSinceFlush;
    this.#bytesSinceFlush = 0;
    const settle = () => {
      this.#bytesWaiting -= bytes;
    };
    this.#nats.client.flush().then(settle, settle);
  }
}
