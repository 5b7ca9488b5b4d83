// Cancel on disconnect, for as long as a stream lives: said when it is asked for and again on each
// new connection, until the exchange has taken it. Whoever relies on it is told when it is not set.

import { RialtoError } from './rialto-error.ts';
import type { StreamLink } from './stream-link.ts';

interface Wish {
  readonly timeoutS: number;
  /** Until the exchange has taken it for the first time. */
  waiting: { resolve(words: string): void; reject(error: RialtoError): void } | undefined;
}

const AGAIN_AFTER_MS = 1_000;

export class DisconnectProtection {
  readonly #link: StreamLink;
  readonly #onUnprotected: () => void;
  #wish: Wish | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(link: StreamLink, onUnprotected: () => void) {
    this.#link = link;
    this.#onUnprotected = onUnprotected;
  }

  set(timeoutS: number): Promise<string> {
    return new Promise((resolve, reject) => {
      const { status } = this.#link;
      this.#wish?.waiting?.reject(new RialtoError({ message: 'It was asked for anew' }));
      this.#wish = { timeoutS, waiting: { resolve, reject } };
      if (status === 'closed' || status === 'failed') {
        this.fail(new RialtoError({ message: `The stream is ${status}` }));
      } else {
        this.#link.open();
        void this.sayAgain();
      }
    });
  }

  /** Resolves when it has been answered, or the connection is lost. */
  async sayAgain(): Promise<void> {
    clearTimeout(this.#timer);
    const wish = this.#wish;
    if (wish === undefined || this.#link.status !== 'open') return;
    const args = [{ timeout: wish.timeoutS }];
    const answer = await this.#link.ask({ op: 'cancel_on_disconnect', args }, 'notice');
    if ('isLost' in answer || wish !== this.#wish) return;
    const { waiting } = wish;
    wish.waiting = undefined;
    if (!('error' in answer)) {
      waiting?.resolve(answer.notice ?? '');
    } else if (waiting !== undefined) {
      this.#wish = undefined;
      waiting.reject(new RialtoError({ message: answer.error }));
    } else {
      this.#onUnprotected();
      this.#timer = setTimeout(() => void this.sayAgain(), AGAIN_AFTER_MS);
    }
  }

  /** There will be no connection any more. */
  fail(error: RialtoError): void {
    clearTimeout(this.#timer);
    const waiting = this.#wish?.waiting;
    this.#wish = undefined;
    waiting?.reject(error);
  }
}
