// Minimal websocket client: a handshake, one message, and then bytes. It must leave the machine to
// the measured server.

import { connect, type Socket } from 'node:net';

const END_OF_HEAD = Buffer.from('\r\n\r\n');
const SLOW_EVERY_MS = 1_000;

export interface RawSocketOptions {
  readonly port: number;
  readonly path: string;
  readonly message: string;
  readonly reading: 'quick' | 'slow' | 'stopped';
  onBytes(chunk: Buffer): void;
}

export class RawSocket {
  readonly #socket: Socket;
  readonly #timer: NodeJS.Timeout | undefined;
  isClosed = false;

  static open(options: RawSocketOptions): Promise<RawSocket> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port: options.port, host: '127.0.0.1' });
      socket.setNoDelay();
      socket.once('error', reject);
      socket.write(
        `GET ${options.path} HTTP/1.1\r\nhost: localhost\r\nconnection: Upgrade\r\n` +
          'upgrade: websocket\r\nsec-websocket-version: 13\r\n' +
          'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
      );
      socket.once('data', (head: Buffer) => {
        const end = head.indexOf(END_OF_HEAD);
        if (!head.subarray(0, 12).equals(Buffer.from('HTTP/1.1 101'))) {
          reject(new Error(head.subarray(0, 200).toString()));
          return;
        }
        socket.off('error', reject);
        const opened = new RawSocket(socket, options);
        const rest = head.subarray(end + END_OF_HEAD.length);
        if (rest.length > 0) options.onBytes(rest);
        resolve(opened);
      });
    });
  }

  constructor(socket: Socket, { message, onBytes, reading }: RawSocketOptions) {
    this.#socket = socket;
    socket.on('error', () => {});
    socket.on('close', () => {
      this.isClosed = true;
    });
    socket.on('data', (chunk: Buffer) => {
      onBytes(chunk);
      if (reading === 'slow') socket.pause();
    });
    if (message !== '') this.send(message);
    if (reading === 'stopped') socket.pause();
    if (reading === 'slow') this.#timer = setInterval(() => socket.resume(), SLOW_EVERY_MS);
  }

  send(text: string): void {
    const payload = Buffer.from(text);
    // Masked with zeros, which changes nothing.
    const head = Buffer.from([0x81, 0x80 | payload.length, 0, 0, 0, 0]);
    this.#socket.write(Buffer.concat([head, payload]));
  }

  close(): void {
    clearInterval(this.#timer);
    this.#socket.destroy();
  }
}
