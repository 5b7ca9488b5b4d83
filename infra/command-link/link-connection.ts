// A line between a gateway and a leader: messages over one TCP connection, each behind its length.
// What can not be sent is lost, as on the bus; a line that stands still is closed, not waited for.

import type { Socket } from 'node:net';

export interface LineOptions {
  readonly socket: Socket;
  /** A longer message is no message: the line is closed. Asked for each. */
  messageBytesMax(): number;
  /** The bytes belong to the line: copy what is kept. */
  onMessage(message: Uint8Array): void;
  /** Once, for whatever reason. */
  onClosed(): void;
}

const LENGTH_BYTES = 4;
const NOTHING = Buffer.alloc(0);
/** An empty message: somebody is still there. Both ends say it, and look for it, so often. */
const SIGN_OF_LIFE = new Uint8Array(0);
export const LOOK_EVERY_MS = 500;
/** Counted rather than timed: a pause of our own must not look like one of the other end. */
const SILENT_LOOKS_MAX = 4;
/** Bytes that may wait for the other end. */
const WAITING_BYTES_MAX = 64 * 1024 * 1024;

export class LinkConnection {
  readonly #options: LineOptions;
  readonly #socket: Socket;
  /** The beginning of a message whose end has not come. */
  #begun: Buffer[] = [];
  #begunBytes = 0;
  /** From so many on there is a whole message. */
  #wantedBytes = LENGTH_BYTES;
  /** How often it was looked at since anything came. */
  #silentLooks = 0;
  #isClosed = false;

  constructor(options: LineOptions) {
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
   * Called every LOOK_EVERY_MS: says that somebody is here, if the other end understands that yet,
   * and closes the line if nobody has been there for some looks.
   */
  look({ isOpen }: { readonly isOpen: boolean }): void {
    this.#silentLooks += 1;
    if (this.#silentLooks > SILENT_LOOKS_MAX) this.close();
    else if (isOpen) this.send(SIGN_OF_LIFE);
  }

  /** What was sent still goes out; calls back when the other end has taken it, or is gone. */
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
    this.#silentLooks = 0;
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
