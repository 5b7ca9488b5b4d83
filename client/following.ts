// What a program holds while it follows something: it reads one message after the other, or is
// called with each, until it closes it. Nothing is left out in silence.

import { MessageQueue } from './message-queue.ts';
import { RialtoError } from './rialto-error.ts';

export interface FollowOptions<Message> {
  /** Called with each message; then there is nothing to iterate over. */
  readonly onMessage?: (message: Message) => void;
  /** Why it ended, if not by `close`. Without it, the error is thrown where nobody catches it. */
  readonly onError?: (error: unknown) => void;
  /** So many messages may wait for whoever iterates; one more ends it with an error. */
  readonly waitingMax?: number;
}

const WAITING_MAX = 10_000;

/** open ──closed, or failed──▶ ended */
export class Following<Message> implements AsyncIterable<Message> {
  readonly #options: FollowOptions<Message>;
  readonly #queue: MessageQueue<Message>;
  readonly #onEnd: () => void;
  #isEnded = false;

  constructor(
    options: FollowOptions<Message> & { readonly isNewestOnly?: boolean },
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

  /** Nothing comes after it but what was waiting. */
  close(): void {
    this.#end(() => this.#queue.end());
  }

  /** For the stream alone. */
  give(message: Message): void {
    const { onMessage, waitingMax = WAITING_MAX } = this.#options;
    if (this.#isEnded) return;
    if (onMessage === undefined) {
      if (this.#queue.push(message)) return;
      this.fail(new RialtoError({ message: `More than ${waitingMax} messages wait to be read` }));
      return;
    }
    try {
      onMessage(message);
    } catch (fault) {
      this.fail(fault);
    }
  }

  /** For the stream alone. */
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
