// A socket of ws as a wire. Our frames go to the connection itself, made once for all sockets;
// everything else (closing, pings of the protocol) stays with ws. Nothing may be written once
// closing has begun: a close frame is the last.

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

  // NOTE: a piece that is being written counts as waiting until all of it is taken. Only the handle
  // knows how much of it is left, and there is no public call for it.
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

  terminate(): void {
    this.#websocket.terminate();
  }
}
