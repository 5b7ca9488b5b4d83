// The payer's end of the socket. Asks one request at a time. A request without an answer may have
// been executed: repeating it is always safe.

import { createConnection, type Socket } from 'node:net';
import { encodeMessage, receiveMessages } from './messages.ts';
import type { AnswerOf, RefusedAnswer, SignerRequest } from './protocol.ts';

export interface SignerClientOptions {
  /** Path of the signer's socket. */
  readonly socket: string;
  readonly timeoutMs: number;
}

/** The signer is unreachable or did not answer in time. */
export class SignerUnreachable extends Error {
  override readonly name = 'SignerUnreachable';
}

export class SignerClient {
  readonly #options: SignerClientOptions;
  #socket: Socket | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: SignerClientOptions) {
    this.#options = options;
  }

  /** Rejects with SignerUnreachable if there is no answer. Connects when needed. */
  ask<Kind extends SignerRequest['kind']>(
    request: Extract<SignerRequest, { kind: Kind }>,
  ): Promise<AnswerOf[Kind] | RefusedAnswer> {
    const answer = this.#last.then(() => this.#ask(request));
    this.#last = answer.catch(() => {});
    return answer as Promise<AnswerOf[Kind] | RefusedAnswer>;
  }

  close(): void {
    this.#socket?.destroy();
  }

  #ask(request: SignerRequest): Promise<unknown> {
    const { socket: path, timeoutMs } = this.#options;
    const bytes = encodeMessage(request);
    return new Promise((resolve, reject) => {
      const socket = this.#connected(path);
      const timer = setTimeout(() => {
        socket.destroy();
        finish(() => reject(new SignerUnreachable(`no answer within ${timeoutMs} ms`)));
      }, timeoutMs);
      const onClose = () =>
        finish(() => reject(new SignerUnreachable('the connection was closed')));
      const onAnswer = (answer: unknown) => finish(() => resolve(answer));
      const finish = (end: () => void) => {
        clearTimeout(timer);
        socket.off('close', onClose);
        socket.off('answer', onAnswer);
        end();
      };
      socket.once('close', onClose);
      socket.once('answer', onAnswer);
      socket.write(bytes);
    });
  }

  #connected(path: string): Socket {
    if (this.#socket !== undefined && !this.#socket.destroyed) return this.#socket;
    const socket = createConnection({ path });
    // Its close event follows, and rejects the request.
    socket.on('error', () => {});
    receiveMessages(socket, (answer) => socket.emit('answer', answer));
    this.#socket = socket;
    return socket;
  }
}
