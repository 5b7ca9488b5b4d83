// A stream client that subscribes and stores every message.

import { once } from 'node:events';
import { WebSocket } from 'ws';
import { waitUntil } from '../../tools/services/wait-until.ts';
import { signedUrl } from '../stream/stream-probe.ts';
import { Deviation } from './stage.ts';
import type { Body, Key } from './target.ts';

const WITHIN_MS = 10_000;

export class Listener {
  readonly #socket: WebSocket;
  readonly messages: Body[] = [];

  static async open(url: string, key?: Key): Promise<Listener> {
    const socket = new WebSocket(key === undefined ? url : signedUrl(url, key));
    const listener = new Listener(socket);
    await once(socket, 'open');
    return listener;
  }

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data) => void this.messages.push(JSON.parse(String(data))));
  }

  send(message: object): void {
    this.#socket.send(JSON.stringify(message));
  }

  subscribe(...args: readonly string[]): void {
    this.send({ op: 'subscribe', args });
  }

  /** Returns the first matching message, starting at the given position. */
  async first(what: string, fits: (message: Body) => boolean, from = 0): Promise<Body> {
    try {
      await waitUntil({
        what,
        timeoutMs: WITHIN_MS,
        question: () => this.messages.slice(from).some(fits),
      });
    } catch {
      throw new Deviation(what, this.messages.at(-1));
    }
    return this.messages.slice(from).find(fits);
  }

  close(): void {
    this.#socket.terminate();
  }
}
