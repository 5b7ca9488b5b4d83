// A `ws` socket as a Wire. Writes shared frames directly to the TCP connection; `ws` handles
// everything else (closing, protocol pings). Must never write after closing begins, because the
// close frame is the last one.

import type { Socket } from 'node:net';
import { WebSocket } from 'ws';
import type { Wire } from './socket-writer.ts';

export class NetWire implements Wire {
  readonly #websocket: WebSocket;
  readonly #socket: Socket;

  constructor(websocket: WebSocket, socket: Socket) {
    this.#websocket = websocket;
    this.#socket = socket;
  }

  get isOpen(): boolean {
    return this.#websocket.readyState === WebSocket.OPEN && this.#socket.writable;
  }

  get waitingBytes(): number {
    return this.#socket.writableLength;
  }

  // NOTE: a chunk counts as unsent until the kernel has accepted all of it. Only the handle has the
  // remaining size, and it has no public accessor.
  get mark(): number {
    const { _handle: handle } = this.#socket as unknown as {
      _handle: { readonly writeQueueSize?: number } | null;
    };
    return this.#socket.writableLength + (handle?.writeQueueSize ?? 0);
  }

  write(bytes: Buffer): void {
    this.#socket.write(bytes);
  }

  cork(): void {
    this.#socket.cork();
  }

  uncork(): void {
    this.#socket.uncork();
  }

  close(code?: number, reason?: string): void {
    this.#websocket.close(code, reason);
  }

  stopReading(): void {
    this.#websocket.pause();
  }

  terminate(): void {
    this.#websocket.terminate();
  }
}
