// Mixing integers into 32-bit hashes. The same on every machine; spread matters, secrecy does
// not: nothing that guards against tampering may use these.

const TWO_TO_32 = 4_294_967_296;

/** Hash of a whole number from 0 to 2^53 − 1. */
export function hashNumber(value: number): number {
  return mix(value | 0, (value / TWO_TO_32) | 0);
}

/** Hash of two whole numbers, each from 0 to 2^53 − 1. */
export function hashPair(first: number, second: number): number {
  return mix(hashNumber(first), hashNumber(second));
}

/** Hash of a number with a text of ASCII characters. */
export function hashText(owner: number, text: string): number {
  let hash = hashNumber(owner);
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return mix(hash, text.length);
}

/** Two 32-bit halves into one, every input bit reaching every output bit. */
function mix(low: number, high: number): number {
  let hash = Math.imul(low ^ Math.imul(high, 0x9e3779b1), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0x27d4eb2f);
  return hash ^ (hash >>> 16);
}
