// A stream that says what a test tells it to, over real sockets: for tests of a client that need
// lost, doubled or damaged messages, refusals and silence.

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

export interface Heard {
  readonly op: string;
  readonly args: readonly unknown[];
  readonly [field: string]: unknown;
}

/** What is answered to a message; a pong is answered to a ping in any case. */
export type Reaction = (heard: Heard, say: (message: object | string) => void) => void;

const POLL_MS = 2;
const WITHIN_MS = 5_000;

export class FakeStream {
  /** All that was heard but pings, in order, over all connections. */
  readonly heard: Heard[] = [];
  url = '';
  connections = 0;
  pings = 0;
  /** Nothing is answered any more, not even a ping. */
  isSilent = false;
  react: Reaction = () => {};
  readonly #server: WebSocketServer;
  #socket: WebSocket | undefined;

  static async start(): Promise<FakeStream> {
    const fake = new FakeStream();
    await once(fake.#server, 'listening');
    fake.url = `http://127.0.0.1:${(fake.#server.address() as AddressInfo).port}`;
    return fake;
  }

  private constructor() {
    this.#server = new WebSocketServer({ port: 0, host: '127.0.0.1', path: '/stream' });
    this.#server.on('connection', (socket) => {
      this.connections += 1;
      this.#socket = socket;
      if (!this.isSilent) this.say({ message: 'Welcome!' });
      socket.on('message', (data) => this.#hear(socket, String(data)));
    });
  }

  get openSockets(): number {
    return this.#server.clients.size;
  }

  /** To the newest connection. */
  say(message: object | string): void {
    this.#socket?.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** As when a gateway is killed. */
  drop(): void {
    for (const socket of this.#server.clients) socket.terminate();
  }

  async heardUntil(count: number): Promise<readonly Heard[]> {
    await until(() => this.heard.length >= count, `${count} messages were heard`);
    return this.heard;
  }

  async stop(): Promise<void> {
    this.drop();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #hear(socket: WebSocket, text: string): void {
    if (this.isSilent) return;
    const heard = JSON.parse(text) as Heard;
    if (heard.op === 'ping') {
      this.pings += 1;
      socket.send('{"message":"pong"}');
      return;
    }
    this.heard.push(heard);
    this.react(heard, (message) => this.say(message));
  }
}

export async function until(isSo: () => boolean, what: string): Promise<void> {
  const endMs = performance.now() + WITHIN_MS;
  while (!isSo()) {
    if (performance.now() > endMs) throw new Error(`not in time: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
