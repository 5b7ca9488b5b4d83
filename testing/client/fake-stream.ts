// A websocket server with scripted messages, for tests of a client with lost, repeated or damaged
// messages, rejections and timeouts.

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

export interface ReceivedMessage {
  readonly op: string;
  readonly args: readonly unknown[];
  readonly [field: string]: unknown;
}

/** Called for each message. Pings always get a pong. */
export type ReceiveHandler = (
  message: ReceivedMessage,
  send: (message: object | string) => void,
) => void;

const POLL_MS = 2;
const WITHIN_MS = 5_000;

export class FakeStream {
  /** All messages received except pings, in order, over all connections. */
  readonly received: ReceivedMessage[] = [];
  url = '';
  connections = 0;
  pings = 0;
  /** Stops responding, even to pings. */
  isSilent = false;
  onReceive: ReceiveHandler = () => {};
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
      if (!this.isSilent) this.send({ message: 'Welcome!' });
      socket.on('message', (data) => this.#onMessage(socket, String(data)));
    });
  }

  get openSockets(): number {
    return this.#server.clients.size;
  }

  /** Sends to the newest connection. */
  send(message: object | string): void {
    this.#socket?.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** Terminates all connections, like a killed gateway. */
  drop(): void {
    for (const socket of this.#server.clients) socket.terminate();
  }

  async receivedUntil(count: number): Promise<readonly ReceivedMessage[]> {
    await until(() => this.received.length >= count, `${count} messages received`);
    return this.received;
  }

  async stop(): Promise<void> {
    this.drop();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #onMessage(socket: WebSocket, text: string): void {
    if (this.isSilent) return;
    const message = JSON.parse(text) as ReceivedMessage;
    if (message.op === 'ping') {
      this.pings += 1;
      socket.send('{"message":"pong"}');
      return;
    }
    this.received.push(message);
    this.onReceive(message, (message) => this.send(message));
  }
}

export async function until(condition: () => boolean, what: string): Promise<void> {
  const endMs = performance.now() + WITHIN_MS;
  while (!condition()) {
    if (performance.now() > endMs) throw new Error(`timed out waiting for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
