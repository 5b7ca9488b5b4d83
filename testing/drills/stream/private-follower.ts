// Client of the `private` topic that checks the sequence and the checksum of every message,
// reconnects after every disconnect with the last sequence it received, and counts.

import { crc32 } from 'node:zlib';
import WebSocket from 'ws';
import { sign } from '../../../tools/sandbox/rest-client.ts';
import { AccountBook } from './account-book.ts';
import type { FollowerTally } from './follower-tally.ts';

export interface FollowerOptions {
  /** Stream URLs, one per gateway; after a disconnect the next one is tried. */
  readonly urls: readonly string[];
  readonly key: string;
  readonly secret: string;
  readonly tally: FollowerTally;
}

const RECONNECT_AFTER_MS = 100;
const EXPIRES_AFTER_S = 60;
const PING_EVERY_MS = 20_000;
const DATA = '"data":';

type Place = readonly [frame: number, index: number];

export class PrivateFollower {
  readonly book = new AccountBook();
  readonly #options: FollowerOptions;
  #attempts = 0;
  #socket: WebSocket | undefined;
  #again: NodeJS.Timeout | undefined;
  readonly #pings: NodeJS.Timeout;
  /** Undefined until the first snapshot. */
  #sequence: string | undefined;
  #checksum = 0;
  /** True once this connection has received its first message. */
  #hasBegun = false;
  #isStopped = false;

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#pings = setInterval(() => this.#send({ op: 'ping' }), PING_EVERY_MS);
    this.#connect();
  }

  get sequence(): string | undefined {
    return this.#sequence;
  }

  /** Whether this connection has received its snapshot or resumed message. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#again);
    clearInterval(this.#pings);
    this.#socket?.terminate();
  }

  #connect(): void {
    const { key, secret, urls } = this.#options;
    const url = urls[this.#attempts % urls.length];
    this.#attempts += 1;
    const expires = String(Math.floor(Date.now() / 1_000) + EXPIRES_AFTER_S);
    const query = new URLSearchParams({
      'api-key': key,
      'api-signature': sign(secret, `CONNECT/stream${expires}`),
      'api-expires': expires,
    });
    this.#hasBegun = false;
    const socket = new WebSocket(`${url}?${query}`);
    this.#socket = socket;
    socket.on('open', () => {
      const from = this.#sequence === undefined ? {} : { resume_from: this.#sequence };
      this.#send({ op: 'subscribe', args: ['private'], ...from });
    });
    socket.on('message', (bytes) => this.#take(String(bytes)));
    // A close event always follows.
    socket.on('error', () => {});
    socket.on('close', () => {
      this.#hasBegun = false;
      if (this.#isStopped) return;
      this.#options.tally.reconnects += 1;
      this.#again = setTimeout(() => this.#connect(), RECONNECT_AFTER_MS);
    });
  }

  #send(message: object): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #take(text: string): void {
    const { tally } = this.#options;
    const message = JSON.parse(text);
    if (message.error !== undefined) tally.examples.push(`error: ${message.error}`);
    if (message.topic !== 'private') return;
    tally.messages += 1;
    const { action, checksum, data, previous, sequence } = message;
    const isEvent = action === 'event';
    const cut = text.slice(text.indexOf(DATA) + DATA.length, -1);
    this.#checksum = crc32(cut, isEvent ? this.#checksum : 0);
    if (this.#checksum !== checksum) this.#report('checksumFailures', text);
    if (action === 'snapshot') {
      tally.snapshots += 1;
      if (this.#hasBegun) tally.unasked += 1;
    } else if (action === 'resumed') {
      tally.resumed += 1;
      if (sequence !== this.#sequence) this.#report('gaps', text);
    } else if (isEvent && this.#sequence !== undefined && !isLater(sequence, this.#sequence)) {
      this.#report('duplicates', text);
    } else if (previous !== this.#sequence) {
      this.#report('gaps', text);
    }
    this.#hasBegun = true;
    this.#sequence = sequence;
    this.book.take(data);
  }

  #report(what: 'gaps' | 'duplicates' | 'checksumFailures', text: string): void {
    const { tally } = this.#options;
    tally[what] += 1;
    tally.examples.push(`${what} behind ${this.#sequence}: ${text.slice(0, 300)}`);
  }
}

function isLater(one: string, other: string): boolean {
  const [[frame, index], [otherFrame, otherIndex]] = [placeOf(one), placeOf(other)];
  return frame > otherFrame || (frame === otherFrame && index > otherIndex);
}

function placeOf(sequence: string): Place {
  const [frame, index] = sequence.split('.').map(Number);
  return [frame, index];
}
