// A program's subscription to a channel: an async iterable of messages, or a callback for each,
// until the program closes it. It never drops messages silently.

import { MessageQueue } from './message-queue.ts';
import { RialtoError } from './rialto-error.ts';

export interface SubscribeOptions<Message> {
  /** Called with each message, instead of iterating. */
  readonly onMessage?: (message: Message) => void;
  /** Called if the subscription fails. Without it, the error becomes an uncaught exception. */
  readonly onError?: (error: unknown) => void;
  /** Maximum number of unread messages while iterating; one more fails the subscription. */
  readonly waitingMax?: number;
}

const WAITING_MAX = 10_000;

/** open ──closed, or failed──▶ ended */
export class Subscription<Message> implements AsyncIterable<Message> {
  readonly #options: SubscribeOptions<Message>;
  readonly #queue: MessageQueue<Message>;
  readonly #onEnd: () => void;
  #isEnded = false;

  constructor(
    options: SubscribeOptions<Message> & { readonly isNewestOnly?: boolean },
    onEnd: () => void,
  ) {
    this.#options = options;
    this.#onEnd = onEnd;
    this.#queue = new MessageQueue({
      max: options.waitingMax ?? WAITING_MAX,
      isNewestOnly: options.isNewestOnly ?? false,
      onReturn: () => this.close(),
    });
  }

  [Symbol.asyncIterator](): AsyncIterator<Message, undefined> {
    return this.#queue;
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /** Unsubscribes. The iterator still yields messages that were queued. */
  close(): void {
    this.#end(() => this.#queue.end());
  }

  /** Internal: called by the stream. */
  push(message: Message): void {
    const { onMessage, waitingMax = WAITING_MAX } = this.#options;
    if (this.#isEnded) return;
    if (onMessage === undefined) {
      if (this.#queue.push(message)) return;
      this.fail(
        new RialtoError({
          message: `Subscriber too slow: more than ${waitingMax} unread messages`,
        }),
      );
      return;
    }
    try {
      onMessage(message);
    } catch (fault) {
      this.fail(fault);
    }
  }

  /** Internal: called by the stream. */
  fail(error: unknown): void {
    const { onError, onMessage } = this.#options;
    const isCalled = onMessage !== undefined;
    this.#end(() => {
      this.#queue.fail(error);
      if (onError !== undefined) onError(error);
      else if (isCalled) queueMicrotask(() => rethrow(error));
    });
  }

  #end(end: () => void): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    end();
    this.#onEnd();
  }
}

function rethrow(error: unknown): never {
  throw error;
}
