// A keyed hash for text that users choose: without the key an attacker cannot choose texts that
// collide and degrade an index to a list. HalfSipHash with one round per word and three at the
// end, as operating systems use it for their own tables.

/** Two 32-bit halves. Not part of the state: it determines positions in memory, not content. */
export interface HashKey {
  readonly low: number;
  readonly high: number;
}

/** For tests and tools. A host with untrusted users draws a random key at start. */
export const NO_HASH_KEY: HashKey = { low: 0, high: 0 };

const LAST_ROUNDS = 3;

/** Hash of `firstWord`, then `words`, each 32 bits. */
export function hashKeyed(key: HashKey, firstWord: number, words: Int32Array): number {
  let a = key.low;
  let b = key.high;
  let c = 0x6c796765 ^ key.low;
  let d = 0x74656462 ^ key.high;
  const length = words.length + 1;
  for (let at = 0; at < length + LAST_ROUNDS; at++) {
    const word = at === 0 ? firstWord : at < length ? words[at - 1] : 0;
    if (at === length) c ^= 0xff;
    d ^= word;
    a = (a + b) | 0;
    b = ((b << 5) | (b >>> 27)) ^ a;
    a = (a << 16) | (a >>> 16);
    c = (c + d) | 0;
    d = ((d << 8) | (d >>> 24)) ^ c;
    a = (a + d) | 0;
    d = ((d << 7) | (d >>> 25)) ^ a;
    c = (c + b) | 0;
    b = ((b << 13) | (b >>> 19)) ^ c;
    c = (c << 16) | (c >>> 16);
    a ^= word;
  }
  return b ^ d;
}
