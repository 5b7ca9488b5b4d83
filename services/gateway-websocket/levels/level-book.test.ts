// A level 2 book, checked with the worked example in docs/api/levels.md.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checksumOf, LevelBook } from './level-book.ts';

// One lot is 0.00000001, one tick 0.5.
const HEAD = { timeMs: 5, lot: { atoms: '1', scale: 8 }, tick: { mantissa: 5, scale: 1 } };
const WHOLE = JSON.stringify({
  ...HEAD,
  bids: [[120_000, '50000000'], [119_999, '125000000']],
  asks: [[120_001, '249']],
}); // biome-ignore format: rows

test('a full book and its changes have the checksums in the documented example', () => {
  const book = new LevelBook();
  assert.equal(book.load(WHOLE), true);
  assert.deepEqual(book.full(), {
    fields:
      '"bids":[["60000","0.5"],["59999.5","1.25"]],"asks":[["60000.5","0.00000249"]]' +
      ',"checksum":1880646057',
    timeMs: 5,
  });
  const changes = { timeMs: 9, bids: [[120_000, '0']], asks: [[120_002, '200000000']] };
  assert.deepEqual(book.apply(JSON.stringify(changes)), {
    fields: '"bids":[["60000","0"]],"asks":[["60001","2"]],"checksum":2346741966',
    timeMs: 9,
  });
});

test('unchanged levels are not reported', () => {
  const book = new LevelBook();
  book.load(WHOLE);
  const bids = [[120_000, '50000000']];
  const same = { timeMs: 9, bids: [...bids, [7, '0']], asks: [] };
  assert.equal(book.apply(JSON.stringify(same)), undefined);
  assert.equal(book.load(WHOLE), false);
  assert.equal(book.load(WHOLE.replace('249', '248')), true);
  assert.equal(book.load(JSON.stringify({ ...HEAD, bids: [], asks: [] })), true);
});

test('an empty book is reported once, and has the checksum of an empty text', () => {
  const book = new LevelBook();
  const empty = JSON.stringify({ ...HEAD, bids: [], asks: [] });
  assert.equal(book.load(empty), true);
  assert.equal(book.checksum, 0);
  assert.equal(book.load(empty), false);
});

test('the checksum covers the ten best levels on each side, interleaved without gaps', () => {
  const side = (count: number, name: string) =>
    Array.from({ length: count }, (_, at) => [`${name}${at}`, `${at}`]);
  const text = (bids: string[][], asks: string[][]) => checksumOf(bids, asks);
  // CRC-32 of `b0:0:a0:0:b1:1:b2:2`, computed by another program.
  assert.equal(text(side(3, 'b'), side(1, 'a')), 274_574_837);
  const book = new LevelBook();
  const rows = Array.from({ length: 12 }, (_, at) => [120_001 + at, '100']);
  book.load(JSON.stringify({ ...HEAD, bids: [], asks: rows }));
  const before = book.checksum;
  book.apply(JSON.stringify({ timeMs: 5, bids: [], asks: [[120_011, '7']] }));
  assert.equal(book.checksum, before);
  book.apply(JSON.stringify({ timeMs: 5, bids: [], asks: [[120_010, '7']] }));
  assert.notEqual(book.checksum, before);
});
