// WebSocket client of an attacker: it frames its own bytes, parses nothing, and either discards
// received data or never reads. It costs the attacker's process almost nothing.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export interface RawSocketOptions {
  /** URL with the path, for example `ws://127.0.0.1:4000/stream`. */
  readonly url: string;
  /** Address that the attacker pretends to have, behind a trusted proxy. */
  readonly address: string;
  /** False for a client that never reads. */
  readonly reads?: boolean;
}

const HANDSHAKE_MS = 10_000;
const KEY = 'dGhlIHNhbXBsZSBub25jZQ==';
const CLOSE_FRAME = 0x88;
const TEXT_FRAME = 0x81;
const PING_FRAME = 0x89;
const MASKED = 0x80;
// The longest close frame.
const TAIL_BYTES = 127;

export class RawSocket {
  readonly #socket: Socket;
  #tail = Buffer.alloc(0);
  #isClosed = false;

  constructor(socket: Socket, { reads = true }: { readonly reads?: boolean }) {
    this.#socket = socket;
    socket.on('close', () => {
      this.#isClosed = true;
    });
    if (reads) {
      socket.on('data', (bytes: Buffer) => {
        this.#tail = Buffer.concat([this.#tail, bytes.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES);
      });
    }
  }

  /** Returns undefined if the handshake is rejected. */
  static async open({ address, reads, url }: RawSocketOptions): Promise<RawSocket | undefined> {
    const { hostname, pathname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    socket.on('error', () => socket.destroy());
    socket.write(
      `GET ${pathname} HTTP/1.1\r\nhost: ${hostname}\r\nconnection: upgrade\r\n` +
        `upgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: ${KEY}\r\n` +
        `x-forwarded-for: ${address}\r\n\r\n`,
    );
    const answer = await Promise.race([
      once(socket, 'data').then(([bytes]) => String(bytes)),
      once(socket, 'close').then(() => ''),
      delay(HANDSHAKE_MS, '', { ref: false }),
    ]).catch(() => '');
    if (answer.startsWith('HTTP/1.1 101')) return new RawSocket(socket, { reads: reads ?? true });
    socket.destroy();
    return undefined;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Bytes that the gateway has not received yet. */
  get unsentBytes(): number {
    return this.#socket.writableLength;
  }

  /** Code of the gateway's close frame; undefined until one arrives. */
  get closeCode(): number | undefined {
    for (let at = this.#tail.length - 4; at >= 0; at -= 1) {
      const isLast = this.#tail[at + 1] === this.#tail.length - at - 2;
      if (this.#tail[at] === CLOSE_FRAME && isLast) return this.#tail.readUInt16BE(at + 2);
    }
    return undefined;
  }

  send(text: string): void {
    this.write(textFrameOf(text));
  }

  write(bytes: Buffer): void {
    if (!this.#isClosed) this.#socket.write(bytes);
  }

  destroy(): void {
    this.#socket.destroy();
  }
}

/** Masked with zeros, which leaves the payload unchanged. */
export function textFrameOf(text: string): Buffer {
  return frameOf(TEXT_FRAME, Buffer.from(text));
}

export function pingFrame(): Buffer {
  return frameOf(PING_FRAME, Buffer.alloc(125));
}

function frameOf(kind: number, payload: Buffer): Buffer {
  const isShort = payload.length < 126;
  const head = Buffer.alloc(isShort ? 6 : 8);
  head[0] = kind;
  head[1] = MASKED | (isShort ? payload.length : 126);
  if (!isShort) head.writeUInt16BE(payload.length, 2);
  return Buffer.concat([head, payload]);
}
