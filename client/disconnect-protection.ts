// Cancel on disconnect for the lifetime of a stream: requested once by the program and again on
// each new connection until the exchange accepts it. Reports when the orders are not protected.

import { RialtoError } from './rialto-error.ts';
import type { StreamConnection } from './stream-connection.ts';

interface ProtectionRequest {
  readonly timeoutS: number;
  /** The caller's promise, until the exchange first accepts the request. */
  waiting: { resolve(notice: string): void; reject(error: RialtoError): void } | undefined;
}

const RETRY_AFTER_MS = 1_000;

export class DisconnectProtection {
  readonly #connection: StreamConnection;
  readonly #onUnprotected: () => void;
  #request: ProtectionRequest | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(connection: StreamConnection, onUnprotected: () => void) {
    this.#connection = connection;
    this.#onUnprotected = onUnprotected;
  }

  set(timeoutS: number): Promise<string> {
    return new Promise((resolve, reject) => {
      const { status } = this.#connection;
      this.#request?.waiting?.reject(
        new RialtoError({ message: 'Superseded by a later cancelOnDisconnect call' }),
      );
      this.#request = { timeoutS, waiting: { resolve, reject } };
      if (status === 'closed' || status === 'failed') {
        this.fail(new RialtoError({ message: `The stream is ${status}` }));
      } else {
        this.#connection.open();
        void this.resend();
      }
    });
  }

  /** Resolves when the exchange has answered or the connection is lost. */
  async resend(): Promise<void> {
    clearTimeout(this.#timer);
    const request = this.#request;
    if (request === undefined || this.#connection.status !== 'open') return;
    const args = [{ timeout: request.timeoutS }];
    const answer = await this.#connection.request({ op: 'cancel_on_disconnect', args }, 'notice');
    if ('isLost' in answer || request !== this.#request) return;
    const { waiting } = request;
    request.waiting = undefined;
    if (!('error' in answer)) {
      waiting?.resolve(answer.notice ?? '');
    } else if (waiting !== undefined) {
      this.#request = undefined;
      waiting.reject(new RialtoError({ message: answer.error }));
    } else {
      this.#onUnprotected();
      this.#timer = setTimeout(() => void this.resend(), RETRY_AFTER_MS);
    }
  }

  /** Call when no further connection will be made. */
  fail(error: RialtoError): void {
    clearTimeout(this.#timer);
    const waiting = this.#request?.waiting;
    this.#request = undefined;
    waiting?.reject(error);
  }
}
