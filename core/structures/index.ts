// Structures: the containers of hot state. Columns of integers, linked by slot numbers and
// preallocated for a given capacity: no garbage. Has no notion of money.

export { asciiOf } from './ascii.ts';
export { assert } from './assert.ts';
export { grownMemory } from './grown-memory.ts';
export { HashIndex, NONE, NOWHERE } from './hash-index.ts';
export { hashNumber, hashPair } from './hash-mix.ts';
export { type HashKey, hashKeyed, NO_HASH_KEY } from './keyed-hash.ts';
