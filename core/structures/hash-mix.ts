// Mixes integers into 32-bit hashes, identically on every machine. Not keyed and not
// cryptographic: never use these against tampering. Consecutive numbers stay neighbors: eight
// share a cache line of an index, so a run of new orders costs one cache miss, not eight.

const TWO_TO_32 = 4_294_967_296;
const NEIGHBOURS = 3; // bits
const NEIGHBOUR_MASK = 7;
const HIGHS_SPREAD = 0x27220a95;

/** Hash of a whole number from 0 to 2^53 − 1. */
export function hashNumber(value: number): number {
  const low = value | 0;
  const hash = mix(low >>> NEIGHBOURS, (value / TWO_TO_32) | 0);
  return (hash << NEIGHBOURS) | (low & NEIGHBOUR_MASK);
}

/** Hash of two whole numbers from 0 to 2^53 − 1. Consecutive second numbers stay neighbors. */
export function hashPair(first: number, second: number): number {
  const low = second | 0;
  const highs = ((first / TWO_TO_32) | 0) + ((second / TWO_TO_32) | 0);
  const hash = mix(low >>> NEIGHBOURS, (first ^ Math.imul(highs, HIGHS_SPREAD)) | 0);
  return (hash << NEIGHBOURS) | (low & NEIGHBOUR_MASK);
}

/** Mixes two 32-bit halves into one; every input bit affects every output bit. */
function mix(low: number, high: number): number {
  let hash = Math.imul(low ^ Math.imul(high, 0x9e3779b1), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0x27d4eb2f);
  return hash ^ (hash >>> 16);
}
