// Structures: the few containers that hot state lives in. Columns of integers, linked by slot
// numbers, laid out once for a stated capacity: nothing here makes garbage. Knows no money.

export * from './ascii.ts';
export * from './assert.ts';
export * from './hash-index.ts';
export * from './hash-mix.ts';
export * from './keyed-hash.ts';
