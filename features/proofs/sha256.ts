// SHA-256 and HMAC of short messages with a fixed length, without an allocation per message. A
// tree needs millions of them: Node's own hash takes twice as long for each, and its HMAC twenty
// times. Must give the same bytes as node:crypto, which the test compares.

const BLOCK_BYTES = 64;
const STATE_WORDS = 8;
export const HASH_BYTES = 32;

/** The first 32 bits of the fractions of a root of each of the first primes (FIPS 180-4). */
function rootFractions(count: number, root: (prime: number) => number): Int32Array {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < count; candidate++) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  }
  return Int32Array.from(primes, (prime) => ((root(prime) % 1) * 2 ** 32) | 0);
}

const ROUNDS = 64;
const CONSTANTS = rootFractions(ROUNDS, Math.cbrt);
const START = rootFractions(STATE_WORDS, Math.sqrt);
const schedule = new Int32Array(ROUNDS);

function compress(state: Int32Array, view: DataView, at: number): void {
  let a = state[0];
  let b = state[1];
  let c = state[2];
  let d = state[3];
  let e = state[4];
  let f = state[5];
  let g = state[6];
  let h = state[7];
  for (let round = 0; round < ROUNDS; round++) {
    let word: number;
    if (round < 16) {
      word = view.getInt32(at + round * 4);
    } else {
      const x = schedule[round - 15];
      const y = schedule[round - 2];
      const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
      const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
      word = (schedule[round - 16] + s0 + schedule[round - 7] + s1) | 0;
    }
    schedule[round] = word;
    const e3 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const one = (h + e3 + ((e & f) ^ (~e & g)) + CONSTANTS[round] + word) | 0;
    const a3 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const two = (a3 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
  state[5] += f;
  state[6] += g;
  state[7] += h;
}

/** Hashes messages of one length: write `bytes` and `view`, then call `digest`. */
export class FixedSha256 {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly #start: Int32Array;
  readonly #state = new Int32Array(STATE_WORDS);

  /** `start` is the state after `startBytes` bytes that are the same in every message. */
  constructor(length: number, start = START, startBytes = 0) {
    const padded = Math.ceil((length + 9) / BLOCK_BYTES) * BLOCK_BYTES;
    this.bytes = new Uint8Array(padded);
    this.view = new DataView(this.bytes.buffer);
    this.bytes[length] = 0x80;
    this.view.setUint32(padded - 4, (startBytes + length) * 8);
    this.#start = start;
  }

  digest(target: Uint8Array, at = 0): void {
    const state = this.#state;
    state.set(this.#start);
    for (let block = 0; block < this.bytes.length; block += BLOCK_BYTES) {
      compress(state, this.view, block);
    }
    for (let word = 0; word < STATE_WORDS; word++) {
      const value = state[word];
      const place = at + word * 4;
      target[place] = value >>> 24;
      target[place + 1] = value >>> 16;
      target[place + 2] = value >>> 8;
      target[place + 3] = value;
    }
  }
}

/** HMAC-SHA-256 of messages of one length with one key of at most 64 bytes. */
export class FixedHmac {
  readonly #inner: FixedSha256;
  readonly #outer: FixedSha256;

  constructor(key: Uint8Array, length: number) {
    this.#inner = new FixedSha256(length, keyState(key, 0x36), BLOCK_BYTES);
    this.#outer = new FixedSha256(HASH_BYTES, keyState(key, 0x5c), BLOCK_BYTES);
  }

  get bytes(): Uint8Array {
    return this.#inner.bytes;
  }

  get view(): DataView {
    return this.#inner.view;
  }

  digest(target: Uint8Array, at = 0): void {
    this.#inner.digest(this.#outer.bytes);
    this.#outer.digest(target, at);
  }
}

function keyState(key: Uint8Array, pad: number): Int32Array {
  const block = new Uint8Array(BLOCK_BYTES);
  block.set(key);
  for (let at = 0; at < BLOCK_BYTES; at++) block[at] ^= pad;
  const state = START.slice();
  compress(state, new DataView(block.buffer), 0);
  return state;
}
