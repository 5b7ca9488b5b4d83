// A connection between a gateway and a leader: length-prefixed messages over one TCP connection. As
// on the bus, a message that cannot be sent is lost. A stalled connection is closed, not awaited.

import type { Socket } from 'node:net';

export interface LinkConnectionOptions {
  readonly socket: Socket;
  /** Called for each message; a longer message closes the connection. */
  messageBytesMax(): number;
  /** The bytes belong to the connection: copy what is kept. */
  onMessage(message: Uint8Array): void;
  /** Called once, whichever end closes. */
  onClosed(): void;
}

const LENGTH_BYTES = 4;
const NOTHING = Buffer.alloc(0);
/** An empty message. Both ends send one, and check for one, at every tick. */
const KEEP_ALIVE = new Uint8Array(0);
export const TICK_MS = 500;
/** Counted rather than timed: a pause of this process must not be taken for one of the peer. */
const SILENT_TICKS_MAX = 4;
/** Maximum number of bytes queued in the socket for the other end. */
const WAITING_BYTES_MAX = 64 * 1024 * 1024;

export class LinkConnection {
  readonly #options: LinkConnectionOptions;
  readonly #socket: Socket;
  /** The chunks of a message that has not arrived completely. */
  #begun: Buffer[] = [];
  #begunBytes = 0;
  /** The number of bytes that completes the message. */
  #wantedBytes = LENGTH_BYTES;
  /** Ticks since the last bytes arrived. */
  #silentTicks = 0;
  #isClosed = false;

  constructor(options: LinkConnectionOptions) {
    this.#options = options;
    const { socket } = options;
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('error', () => this.close());
    socket.on('close', () => this.close());
  }

  /** The bytes are copied. */
  send(message: Uint8Array): void {
    if (this.#isClosed) return;
    if (this.#socket.writableLength > WAITING_BYTES_MAX) {
      this.close();
      return;
    }
    const framed = Buffer.allocUnsafe(LENGTH_BYTES + message.length);
    framed.writeUInt32LE(message.length, 0);
    framed.set(message, LENGTH_BYTES);
    this.#socket.write(framed);
  }

  /**
   * Called every TICK_MS. Sends a keep-alive if the handshake is complete, and closes the
   * connection after too many ticks without any bytes from the other end.
   */
  tick({ isOpen }: { readonly isOpen: boolean }): void {
    this.#silentTicks += 1;
    if (this.#silentTicks > SILENT_TICKS_MAX) this.close();
    else if (isOpen) this.send(KEEP_ALIVE);
  }

  /** Flushes what was sent; calls back when the other end has received it or disconnected. */
  end(done: () => void): void {
    if (this.#socket.destroyed) done();
    else this.#socket.once('close', done).end();
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#socket.destroy();
    this.#options.onClosed();
  }

  #read(chunk: Buffer): void {
    this.#silentTicks = 0;
    if (this.#begunBytes + chunk.length < this.#wantedBytes) {
      this.#keep(chunk);
      return;
    }
    const bytes = this.#begunBytes === 0 ? chunk : Buffer.concat([...this.#begun, chunk]);
    this.#begun = [];
    this.#begunBytes = 0;
    this.#wantedBytes = LENGTH_BYTES;
    const rest = this.#readMessages(bytes);
    if (rest.length > 0) this.#keep(rest);
  }

  /** Gives what is left behind the last whole message. */
  #readMessages(bytes: Buffer): Buffer {
    let at = 0;
    while (!this.#isClosed && bytes.length - at >= LENGTH_BYTES) {
      const length = bytes.readUInt32LE(at);
      if (length > this.#options.messageBytesMax()) {
        this.close();
        break;
      }
      const end = at + LENGTH_BYTES + length;
      if (end > bytes.length) {
        this.#wantedBytes = LENGTH_BYTES + length;
        break;
      }
      this.#options.onMessage(bytes.subarray(at + LENGTH_BYTES, end));
      at = end;
    }
    return this.#isClosed ? NOTHING : bytes.subarray(at);
  }

  #keep(chunk: Buffer): void {
    this.#begun.push(chunk);
    this.#begunBytes += chunk.length;
  }
}
