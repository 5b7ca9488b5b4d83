// A level 2 order book, built from a snapshot and the updates after it, verified by the checksum of
// each message. Prices and sizes stay the received texts: no floating point arithmetic.

import { crc32 } from './crc32.ts';
import type { StreamMessages } from './wire.generated.ts';

export type Level = readonly [price: string, size: string];
type BookMessage = StreamMessages['orderbook_l2'];

/** The result of a message. After a gap or a checksum mismatch a new snapshot is needed. */
export type BookStep = 'applied' | 'repeat' | 'gap' | 'checksum mismatch';

const CHECKED_LEVELS = 10;

export class LevelBook {
  /** Best first. */
  #bids: Level[] = [];
  #asks: Level[] = [];
  #sequence: number | undefined;
  #timestamp = '';

  /** Best first. Read-only; the next message changes it in place. */
  get bids(): readonly Level[] {
    return this.#bids;
  }

  get asks(): readonly Level[] {
    return this.#asks;
  }

  /** Undefined before the first snapshot. */
  get sequence(): number | undefined {
    return this.#sequence;
  }

  /** The exchange's timestamp of the last change. */
  get timestamp(): string {
    return this.#timestamp;
  }

  apply({ action, data }: BookMessage): BookStep {
    if (action === 'partial') {
      this.#bids = [...data.bids];
      this.#asks = [...data.asks];
    } else {
      const known = this.#sequence;
      if (known === undefined) return 'gap';
      if (data.sequence <= known) return 'repeat';
      if (data.previous !== known) return this.#invalidate('gap');
      for (const level of data.bids) put(this.#bids, level, -1);
      for (const level of data.asks) put(this.#asks, level, 1);
    }
    if (bookChecksum(this.#bids, this.#asks) !== data.checksum)
      return this.#invalidate('checksum mismatch');
    this.#sequence = data.sequence;
    this.#timestamp = data.timestamp;
    return 'applied';
  }

  /** After a reset only a snapshot is accepted. */
  reset(): void {
    this.#sequence = undefined;
  }

  #invalidate(why: BookStep): BookStep {
    this.reset();
    return why;
  }
}

/** CRC-32 of the ten best levels of each side: bid, ask, bid, ask, as price:size with colons. */
export function bookChecksum(bids: readonly Level[], asks: readonly Level[]): number {
  const words: string[] = [];
  for (let place = 0; place < CHECKED_LEVELS; place += 1) {
    if (place < bids.length) words.push(...bids[place]);
    if (place < asks.length) words.push(...asks[place]);
  }
  return crc32(words.join(':'));
}

/** `direction` is 1 if low prices are best (asks), -1 if high prices are. */
function put(levels: Level[], level: Level, direction: 1 | -1): void {
  const [price, size] = level;
  let low = 0;
  let high = levels.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareDecimals(levels[middle][0], price) * direction < 0) low = middle + 1;
    else high = middle;
  }
  const exists = low < levels.length && compareDecimals(levels[low][0], price) === 0;
  if (isZero(size)) {
    if (exists) levels.splice(low, 1);
  } else {
    levels.splice(low, exists ? 1 : 0, level);
  }
}

function isZero(text: string): boolean {
  return /^0(?:\.0*)?$/.test(text);
}

/** Compares two non-negative plain decimals exactly; returns below 0, 0 or above 0. */
export function compareDecimals(one: string, other: string): number {
  const [whole, fraction = ''] = one.split('.');
  const [otherWhole, otherFraction = ''] = other.split('.');
  if (whole.length !== otherWhole.length) return whole.length - otherWhole.length;
  if (whole !== otherWhole) return whole < otherWhole ? -1 : 1;
  const digits = Math.max(fraction.length, otherFraction.length);
  const padded = fraction.padEnd(digits, '0');
  const otherPadded = otherFraction.padEnd(digits, '0');
  return padded === otherPadded ? 0 : padded < otherPadded ? -1 : 1;
}
