// Structures: the few containers that hot state lives in. Columns of integers, linked by slot
// numbers, laid out once for a stated capacity: nothing here makes garbage. Knows no money.

export { asciiOf } from './ascii.ts';
export { assert } from './assert.ts';
export { HashIndex, NONE, NOWHERE } from './hash-index.ts';
export { hashNumber, hashPair } from './hash-mix.ts';
export { type HashKey, hashKeyed, NO_HASH_KEY } from './keyed-hash.ts';
