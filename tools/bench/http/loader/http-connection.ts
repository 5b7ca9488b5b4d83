// One keep-alive connection over a plain socket: sends prepared bytes, and reads only a response's
// status and length. A full HTTP client would cost more than the measured server.

import { connect, type Socket } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');
const STATUS_AT = 'HTTP/1.1 '.length;
const LENGTH = /content-length: (\d+)/i;

export interface HttpAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: Buffer;
}

export class HttpConnection {
  readonly #socket: Socket;
  #read: Buffer = Buffer.alloc(0);
  #done: ((answer: HttpAnswer) => void) | undefined;
  #failed: ((fault: Error) => void) | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.#take(chunk as Buffer));
    socket.on('close', () => this.#failed?.(new Error('the server hung up')));
    socket.on('error', (fault) => this.#failed?.(fault));
  }

  static open(port: number): Promise<HttpConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port }, () => {
        socket.off('error', reject);
        resolve(new HttpConnection(socket));
      });
      socket.once('error', reject);
    });
  }

  /** Sends one request at a time. */
  send(request: string): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      this.#failed = reject;
      this.#done = resolve;
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#failed = undefined;
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    this.#read = this.#read.length === 0 ? chunk : Buffer.concat([this.#read, chunk]);
    const headEnd = this.#read.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const head = this.#read.toString('latin1', 0, headEnd);
    const bodyAt = headEnd + HEAD_END.length;
    const end = bodyAt + Number(LENGTH.exec(head)?.[1] ?? 0);
    if (this.#read.length < end) return;
    const body = this.#read.subarray(bodyAt, end);
    this.#read = this.#read.subarray(end);
    this.#done?.({ status: Number(head.slice(STATUS_AT, STATUS_AT + 3)), head, body });
  }
}
