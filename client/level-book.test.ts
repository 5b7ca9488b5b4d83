// Books built from updates equal those of the exchange, and gaps and damage are detected.

import assert from 'node:assert/strict';
import test from 'node:test';
import { crc32 as zlibCrc32 } from 'node:zlib';
import { array, assert as check, integer, nat, property, string, tuple } from 'fast-check';
import { FakeStream, until } from '../testing/client/fake-stream.ts';
import type { Book } from './book-subscriber.ts';
import { crc32 } from './crc32.ts';
import { RialtoStream } from './index.ts';
import { bookChecksum, compareDecimals, type Level, LevelBook } from './level-book.ts';
import type { StreamMessages } from './wire.generated.ts';

type Message = StreamMessages['orderbook_l2'];
const head = { topic: 'orderbook_l2', symbol: 'x', time: 1 } as const;

// The worked example of docs/api/levels.md, with its checksums.
const timestamp = '2024-02-29T23:59:30.005Z';
const WHOLE = {
  ...head,
  action: 'partial',
  data: {
    sequence: 40,
    timestamp,
    checksum: 1_880_646_057,
    bids: [
      ['60000', '0.5'],
      ['59999.5', '1.25'],
    ],
    asks: [['60000.5', '0.00000249']],
  },
} satisfies Message;
const CHANGE = {
  ...head,
  action: 'update',
  data: {
    previous: 40,
    sequence: 43,
    timestamp,
    checksum: 2_346_741_966,
    bids: [['60000', '0']],
    asks: [['60001', '2']],
  },
} satisfies Message;

test("CRC-32 equals zlib's, for a text in one piece and in several", () => {
  check(
    property(string({ unit: 'grapheme' }), string(), (one, other) => {
      assert.equal(crc32(one), zlibCrc32(one));
      assert.equal(crc32(other, crc32(one)), zlibCrc32(other, zlibCrc32(one)));
    }),
  );
});

test('a snapshot and an update are applied, with their checksums', () => {
  const book = new LevelBook();
  assert.equal(book.apply(WHOLE), 'applied');
  assert.equal(book.apply(CHANGE), 'applied');
  assert.deepEqual(book.bids, [['59999.5', '1.25']]);
  assert.deepEqual(book.asks, [
    ['60000.5', '0.00000249'],
    ['60001', '2'],
  ]);
  assert.equal(book.sequence, 43);
});

test('a repeat, a gap and a checksum mismatch are distinguished', () => {
  const book = new LevelBook();
  const change: Message = CHANGE;
  assert.equal(book.apply(change), 'gap');
  book.apply(WHOLE);
  const { data } = change;
  const later = { ...change, data: { ...data, previous: 41 } } as Message;
  const repeat = { ...change, data: { ...data, sequence: 40 } } as Message;
  const wrong = { ...change, data: { ...data, checksum: 1 } } as Message;
  assert.equal(book.apply(repeat), 'repeat');
  assert.equal(book.apply(later), 'gap');
  // Updates are ignored until the next snapshot.
  assert.equal(book.apply(change), 'gap');
  assert.equal(book.apply(WHOLE), 'applied');
  assert.equal(book.apply(wrong), 'checksum mismatch');
  assert.equal(book.apply(change), 'gap');
});

const order = [
  ['9', '10', -1],
  ['10.5', '10.50', 0],
  ['0.1', '0.09', 1],
  ['123456789012345678901', '123456789012345678902', -1],
  ['60000', '60000.00', 0],
  ['0.00000001', '0', 1],
] as const;
for (const [one, other, expected] of order) {
  test(`${one} and ${other} are compared as numbers, exactly`, () => {
    assert.equal(Math.sign(compareDecimals(one, other)), expected);
    assert.equal(Math.sign(compareDecimals(other, one)), -expected + 0);
  });
}

test('after any updates the book equals a sorted map', () => {
  const rows = array(tuple(integer({ min: 1, max: 200 }), nat({ max: 3 })), { maxLength: 20 });
  check(
    property(array(tuple(rows, rows), { minLength: 1, maxLength: 10 }), (frames) => {
      const sides = [new Map<number, number>(), new Map<number, number>()];
      const book = new LevelBook();
      let sequence = 0;
      for (const [at, changes] of frames.entries()) {
        const told = changes.map((side, which) =>
          [...new Map(side)].map(([price, size]): Level => {
            if (size === 0) sides[which].delete(price);
            else sides[which].set(price, size);
            return [text(price), String(size)];
          }),
        );
        const [bids, asks] = [sorted(sides[0], -1), sorted(sides[1], 1)];
        const checksum = bookChecksum(bids, asks);
        const [toldBids, toldAsks] = at === 0 ? [bids, asks] : told;
        const data = { bids: toldBids, asks: toldAsks, checksum, timestamp: 't' };
        const message =
          at === 0
            ? { ...head, action: 'partial', data: { ...data, sequence: 1 } }
            : {
                ...head,
                action: 'update',
                data: { ...data, previous: sequence, sequence: sequence + 2 },
              };
        assert.equal(book.apply(message as Message), 'applied');
        sequence = book.sequence!;
        assert.deepEqual([book.bids, book.asks], [bids, asks]);
      }
    }),
  );
});

/** Prices of different lengths, in steps of a quarter. */
function text(price: number): string {
  return String(price / 4);
}

function sorted(side: ReadonlyMap<number, number>, direction: number): Level[] {
  return [...side]
    .sort(([a], [b]) => (a - b) * direction)
    .map(([price, size]) => [text(price), String(size)]);
}

test('a book with a gap is resubscribed and never delivered wrong', async () => {
  const fake = await FakeStream.start();
  const faults: string[] = [];
  const stream = new RialtoStream({
    url: fake.url,
    onFault: (channel, fault) => faults.push(`${channel} ${fault}`),
  });
  try {
    fake.onReceive = ({ op }, send) => {
      if (op === 'subscribe') send(WHOLE);
    };
    const books: Book[] = [];
    stream.book('X', { levels: 1, onBook: (book) => books.push(book) });
    await until(() => books.length === 1, 'the whole came');
    fake.send({ ...CHANGE, data: { ...CHANGE.data, previous: 42 } });
    await until(() => books.length === 2, 'a new whole came');
    fake.send(CHANGE);
    await until(() => books.length === 3, 'a change came');
    assert.deepEqual(
      books.map(({ asks, bids, sequence }) => [sequence, bids, asks]),
      [
        [40, [['60000', '0.5']], [['60000.5', '0.00000249']]],
        [40, [['60000', '0.5']], [['60000.5', '0.00000249']]],
        [43, [['59999.5', '1.25']], [['60000.5', '0.00000249']]],
      ],
    );
    assert.deepEqual(faults, ['orderbook_l2:x gap']);
    assert.deepEqual(
      fake.received.map(({ op }) => op),
      ['subscribe', 'unsubscribe', 'subscribe'],
    );
  } finally {
    stream.close();
    await fake.stop();
  }
});

test('a slow reader of a book gets the newest book', async () => {
  const fake = await FakeStream.start();
  const stream = new RialtoStream({ url: fake.url });
  try {
    fake.onReceive = ({ op }, send) => {
      if (op !== 'subscribe') return;
      send(WHOLE);
      send(CHANGE);
    };
    let changes = 0;
    const subscription = stream.book('x');
    stream.subscribe('trade', { onMessage: () => (changes += 1) });
    await fake.receivedUntil(1);
    fake.send({ topic: 'trade', action: 'insert', symbol: 'x', data: [], time: 1 });
    await until(() => changes > 0, 'everything before it came');
    const { value } = await subscription[Symbol.asyncIterator]().next();
    assert.equal(value?.sequence, 43);
  } finally {
    stream.close();
    await fake.stop();
  }
});
