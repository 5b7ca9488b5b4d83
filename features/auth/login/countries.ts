// Countries of network addresses, from public registry data installed as a package. The result is a
// hint: registries list where a network is registered, not where its user is.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Country of an address: two letters in upper case; '' if unknown. */
export interface CountryLookup {
  countryOf(address: string): string;
}

const PACKAGE = '@ip-location-db/geo-whois-asn-country';
const FILES = { ipv4: 'geo-whois-asn-country-ipv4.csv', ipv6: 'geo-whois-asn-country-ipv6.csv' };
const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * Loads its files on first use (under a second, then 10 MB of memory). Only processes that serve
 * identity use it. IPv6 addresses are looked up by their upper 64 bits.
 */
export class Countries implements CountryLookup {
  readonly #folder: string | undefined;
  #ipv4: Ranges | undefined;
  #ipv6: Ranges | undefined;

  /** Folder with newer files of the same names; defaults to those of the package. */
  constructor(folder?: string | undefined) {
    this.#folder = folder;
  }

  countryOf(address: string): string {
    const mapped = MAPPED_IPV4.exec(address)?.[1] ?? address;
    const isIpv6 = mapped.includes(':');
    const text = Buffer.from(mapped);
    const at = (isIpv6 ? ipv6Number : ipv4Number)(text, 0, text.length);
    if (at === undefined) return '';
    this.load();
    return (isIpv6 ? this.#ipv6 : this.#ipv4)?.find(at) ?? '';
  }

  /** Loads the files now, so the first login does not wait for them. */
  load(): void {
    const folder = this.#folder ?? packageFolder();
    this.#ipv4 ??= readRanges(join(folder, FILES.ipv4), ipv4Number);
    this.#ipv6 ??= readRanges(join(folder, FILES.ipv6), ipv6Number);
  }
}

/** Sorted ranges without overlap, in columns. */
class Ranges {
  readonly #from: BigUint64Array;
  readonly #to: BigUint64Array;
  /** Two letters each. */
  readonly #country: Uint16Array;
  #length = 0;

  constructor(capacity: number) {
    this.#from = new BigUint64Array(capacity);
    this.#to = new BigUint64Array(capacity);
    this.#country = new Uint16Array(capacity);
  }

  /** Extends the last range if the country is the same and no address lies between them. */
  add(from: bigint, to: bigint, country: number): void {
    const last = this.#length - 1;
    const before = last < 0 ? -1n : this.#to[last];
    // Two ranges can share the upper 64 bits of an IPv6 address; the first one counts.
    if (to <= before) return;
    if (last >= 0 && from <= before + 1n && this.#country[last] === country) {
      this.#to[last] = to;
      return;
    }
    const at = this.#length++;
    this.#from[at] = from <= before ? before + 1n : from;
    this.#to[at] = to;
    this.#country[at] = country;
  }

  find(at: bigint): string {
    let low = 0;
    let high = this.#length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#from[middle] <= at) low = middle + 1;
      else high = middle;
    }
    const row = low - 1;
    if (row < 0 || at > this.#to[row]) return '';
    const country = this.#country[row];
    return String.fromCharCode(country >> 8, country & 0xff);
  }
}

function readRanges(file: string, numberOf: NumberOf): Ranges {
  const bytes = readFileSync(file);
  const ranges = new Ranges(lineCount(bytes));
  for (let at = 0; at < bytes.length; ) {
    const first = bytes.indexOf(COMMA, at);
    const second = bytes.indexOf(COMMA, first + 1);
    if (first < 0 || second < 0) break;
    const from = numberOf(bytes, at, first);
    const to = numberOf(bytes, first + 1, second);
    const country = bytes[second + 1] * 256 + bytes[second + 2];
    const newline = bytes.indexOf(NEWLINE, second);
    at = newline < 0 ? bytes.length : newline + 1;
    if (from !== undefined && to !== undefined) ranges.add(from, to, country);
  }
  return ranges;
}

function lineCount(bytes: Uint8Array): number {
  let count = 1;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}

/** Converts an address in its usual notation to a number; undefined if it is not an address. */
type NumberOf = (bytes: Uint8Array, start: number, end: number) => bigint | undefined;

const [COMMA, NEWLINE, DOT, COLON] = [',', '\n', '.', ':'].map((sign) => sign.charCodeAt(0));

function ipv4Number(bytes: Uint8Array, start: number, end: number): bigint | undefined {
  let [value, byte, digits, dots] = [0, 0, 0, 0];
  for (let at = start; at < end; at++) {
    const sign = bytes[at];
    if (sign === DOT) {
      if (digits === 0) return undefined;
      value = value * 256 + byte;
      [byte, digits] = [0, 0];
      dots += 1;
      continue;
    }
    const digit = sign - 48;
    if (digit < 0 || digit > 9) return undefined;
    byte = byte * 10 + digit;
    digits += 1;
    if (byte > 255) return undefined;
  }
  return dots === 3 && digits > 0 ? BigInt(value * 256 + byte) : undefined;
}

/** Upper 64 bits: registries do not assign smaller networks. */
function ipv6Number(bytes: Uint8Array, start: number, end: number): bigint | undefined {
  const words: number[] = [];
  let gap = -1;
  let [word, digits] = [0, 0];
  for (let at = start; at < end; at++) {
    const sign = bytes[at];
    if (sign !== COLON) {
      word = word * 16 + HEX[sign];
      digits += 1;
      if (digits > 4 || Number.isNaN(word)) return undefined;
      continue;
    }
    if (digits > 0) words.push(word);
    else if (at > start && bytes[at - 1] === COLON) {
      if (gap >= 0) return undefined;
      gap = words.length;
    }
    [word, digits] = [0, 0];
  }
  if (digits > 0) words.push(word);
  if (gap < 0 ? words.length !== 8 : words.length > 7) return undefined;
  if (gap >= 0) words.splice(gap, 0, ...ZEROS.slice(words.length));
  const high = words[0] * 65_536 + words[1];
  const low = words[2] * 65_536 + words[3];
  return (BigInt(high) << 32n) | BigInt(low);
}

const ZEROS = Array.from({ length: 8 }, () => 0);
const HEX = Array.from({ length: 256 }, (_, sign) =>
  Number.parseInt(String.fromCharCode(sign), 16),
);

function packageFolder(): string {
  return dirname(createRequire(import.meta.url).resolve(`${PACKAGE}/package.json`));
}
