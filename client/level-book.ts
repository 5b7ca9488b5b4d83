// A book at level 2, built from a whole and the changes behind it, and proved by the checksum of
// each message. Prices and sizes are the texts that came: nothing here is counted in floats.

import { crc32 } from './crc32.ts';
import type { StreamMessages } from './wire.generated.ts';

export type Level = readonly [price: string, size: string];
type BookMessage = StreamMessages['orderbook_l2'];

/** What a message did; when it does not fit, a new whole is needed. */
export type BookStep = 'taken' | 'repeat' | 'gap' | 'checksum wrong';

const CHECKED_LEVELS = 10;

export class LevelBook {
  /** Best first. */
  #bids: Level[] = [];
  #asks: Level[] = [];
  #sequence: number | undefined;
  #timestamp = '';

  /** Best first; not to be changed, and changed by the next message. */
  get bids(): readonly Level[] {
    return this.#bids;
  }

  get asks(): readonly Level[] {
    return this.#asks;
  }

  /** Undefined before the first whole. */
  get sequence(): number | undefined {
    return this.#sequence;
  }

  /** Of the last change, as the exchange tells it. */
  get timestamp(): string {
    return this.#timestamp;
  }

  take({ action, data }: BookMessage): BookStep {
    if (action === 'partial') {
      this.#bids = [...data.bids];
      this.#asks = [...data.asks];
    } else {
      const known = this.#sequence;
      if (known === undefined) return 'gap';
      if (data.sequence <= known) return 'repeat';
      if (data.previous !== known) return this.#lost('gap');
      for (const level of data.bids) put(this.#bids, level, -1);
      for (const level of data.asks) put(this.#asks, level, 1);
    }
    if (bookChecksum(this.#bids, this.#asks) !== data.checksum) return this.#lost('checksum wrong');
    this.#sequence = data.sequence;
    this.#timestamp = data.timestamp;
    return 'taken';
  }

  /** Only a new whole is taken after it. */
  forget(): void {
    this.#sequence = undefined;
  }

  #lost(why: BookStep): BookStep {
    this.forget();
    return why;
  }
}

/** Of the ten best levels of both sides: bid, ask, bid, ask, as price:size, parted by colons. */
export function bookChecksum(bids: readonly Level[], asks: readonly Level[]): number {
  const words: string[] = [];
  for (let place = 0; place < CHECKED_LEVELS; place += 1) {
    if (place < bids.length) words.push(...bids[place]);
    if (place < asks.length) words.push(...asks[place]);
  }
  return crc32(words.join(':'));
}

/** `direction` is 1 where low prices are best. */
function put(levels: Level[], level: Level, direction: 1 | -1): void {
  const [price, size] = level;
  let low = 0;
  let high = levels.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareDecimals(levels[middle][0], price) * direction < 0) low = middle + 1;
    else high = middle;
  }
  const isThere = low < levels.length && compareDecimals(levels[low][0], price) === 0;
  if (isZero(size)) {
    if (isThere) levels.splice(low, 1);
  } else {
    levels.splice(low, isThere ? 1 : 0, level);
  }
}

function isZero(text: string): boolean {
  return /^0(?:\.0*)?$/.test(text);
}

/** Of plain decimals that are not negative: below 0, 0 or above, exactly. */
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
