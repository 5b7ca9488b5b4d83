// Damaged snapshots: truncated, extended or changed bytes. The hash of a snapshot detects every
// changed byte; restoring rejects bytes that it cannot read.

import assert from 'node:assert/strict';
import test from 'node:test';
import { compileSentences } from '../../testing/scenarios/compile-scenario.ts';
import { INITIAL_LIMITS, type Limits } from '../messages/index.ts';
import { applyFrame } from './apply-frame.ts';
import { createExchange } from './create-exchange.ts';
import type { Exchange } from './exchange.ts';
import { hashBytes } from './hash-bytes.ts';
import { ExchangeRestoration, restoreExchange } from './restore.ts';
import {
  hashExchange,
  SNAPSHOT_HEADER_BYTES,
  SnapshotHash,
  snapshotChunks,
  snapshotExchange,
} from './snapshot.ts';

/** Small, so a test can restore thousands of times. */
const SMALL: Limits = {
  ...INITIAL_LIMITS,
  assetsMax: 3,
  marketsMax: 2,
  usersMax: 8,
  accountsMax: 20,
  ordersMax: 24,
  channelsMax: 2,
  commandWindow: 20,
  clientOrderIdWindow: 4,
  stopsPerStepMax: 1,
};

/** An exchange with at least one entry of every kind in a snapshot. */
function richExchange(): Exchange {
  const exchange = createExchange(SMALL);
  const script = compileSentences(['market btc-usdt: reference 100'], ['alice', 'bob', 'carol']);
  for (const { frame } of script.setUp) applyFrame(exchange, frame);
  const { frame } = script.nextStep([
    'fees are maker 0.1%, taker 0.2%',
    'band is 50%, slippage 10%, reference 100',
    'bob is in fee tier 2 with discount 10%',
    'carol is in group 7, as house',
    'alice buys 1 at 90 id mine',
    'alice buys 1 at 91 id gone key 3',
    'alice cancels id gone',
    'bob sells 2 at 120',
    'alice stop-buys 1 at 140 limit 141',
    'bob stop-sells 1 at 80 limit 79',
    'bob withdraws 5 btc as w1',
    'carol arms a switch of 5s for key 4',
    'alice stop-buys 1 at 105 limit 70',
    'bob stop-buys 1 at 105 limit 70',
    'carol stop-buys 1 at 105 limit 70',
    'bob sells 1 at 105',
    'carol buys 1 at 105',
  ]);
  const { events } = applyFrame(exchange, frame);
  assert.deepEqual(
    events.filter(({ kind }) => kind === 'CommandRefused'),
    [],
  );
  const poison = script.nextStep([
    'carol deposits 1 btc (poisoned)',
    'bob buys 1 at 60 (poisoned)',
  ]);
  applyFrame(exchange, poison.frame, poison.poisoned);
  return exchange;
}

const exchange = richExchange();
const SNAPSHOT = snapshotExchange(exchange).slice();
const HASH = hashExchange(exchange);

test('the exchange of these tests has an entry of every kind', () => {
  const { books, clientOrderIds, markets, switches, window, withdrawals } = exchange;
  assert.ok(books.orders.size > 4 && books.firstReady(1) !== 0);
  assert.ok(clientOrderIds.remembered > 0 && switches.size > 0 && withdrawals.size > 0);
  assert.ok(window.size === SMALL.commandWindow, 'the window has begun to forget');
  assert.ok(markets[0].lastTicks > 0 && markets[0].frozenBy > 0);
  assert.ok(exchange.channelsFrozenBy.some((by) => by > 0));
  assert.equal(hashBytes(SNAPSHOT.subarray(SNAPSHOT_HEADER_BYTES)), HASH);
});

test('a restored exchange writes the same bytes', () => {
  assert.deepEqual(snapshotExchange(restoreExchange(SNAPSHOT)), SNAPSHOT);
});

test('a truncated snapshot is rejected', () => {
  for (let length = 0; length < SNAPSHOT.length; length++) {
    assert.throws(() => restoreExchange(SNAPSHOT.slice(0, length)), `${length} bytes were enough`);
  }
});

test('a snapshot with extra bytes is rejected', () => {
  const longer = new Uint8Array(SNAPSHOT.length + 1);
  longer.set(SNAPSHOT);
  assert.throws(() => restoreExchange(longer), /a snapshot has no bytes after its state/);
});

test('bytes without the magic number are rejected', () => {
  for (let byte = 0; byte < 4; byte++) {
    const changed = SNAPSHOT.slice();
    changed[byte] ^= 1;
    assert.throws(() => restoreExchange(changed), /begins with its magic number/);
  }
});

test('the hash of a snapshot changes with every byte', () => {
  const changed = SNAPSHOT.slice();
  for (let at = SNAPSHOT_HEADER_BYTES; at < changed.length; at++) {
    for (const bits of [0x01, 0x80, 0xff]) {
      changed[at] ^= bits;
      assert.notEqual(hashBytes(changed.subarray(SNAPSHOT_HEADER_BYTES)), HASH, `byte ${at}`);
      changed[at] ^= bits;
    }
  }
});

test('an order without a valid market or user is rejected without an endless search', () => {
  const { orders } = exchange.books;
  const ready = exchange.books.firstReady(1);
  const start = offsetOf(orders.number(ready), orders.priceTicks(ready), orders.sizeLots(ready));
  const [marketAt, userAt] = [start + 5 * 8, start + 5 * 8 + 4];
  for (const [at, value, message] of [
    [marketAt, 0, /has a market/],
    [marketAt, 2, /has a market/],
    [marketAt, -1, /has a market/],
    [marketAt, 65_537, /has a market/],
    [userAt, 0, /has a user/],
    [userAt, 4, /has a user/],
  ] as const) {
    const changed = SNAPSHOT.slice();
    new DataView(changed.buffer).setInt32(at, value, true);
    assert.throws(() => restoreExchange(changed), message, `${value} at ${at}`);
  }
});

/** The offset of these consecutive numbers in the snapshot. */
function offsetOf(...numbers: readonly number[]): number {
  const view = new DataView(SNAPSHOT.buffer);
  const last = SNAPSHOT.length - numbers.length * 8;
  for (let at = 0; at <= last; at++) {
    if (numbers.every((number, index) => view.getFloat64(at + index * 8, true) === number)) {
      return at;
    }
  }
  return assert.fail('the snapshot does not have these numbers');
}

test('the grouping into frames does not change the hash; the snapshot stores the sequence', () => {
  const later = restoreExchange(SNAPSHOT);
  later.sequence += 1;
  assert.equal(hashExchange(later), HASH);
  assert.equal(restoreExchange(snapshotExchange(later)).sequence, exchange.sequence + 1);
});

test('chunks of any size are the same bytes, the same hash and the same state', () => {
  const exchange = richExchange();
  const whole = snapshotExchange(exchange);
  for (const chunkBytes of [1, 13, 100, 1_000, 4_096, whole.length - 1, whole.length, 1 << 20]) {
    const restoration = new ExchangeRestoration();
    const hash = new SnapshotHash();
    const chunks: Uint8Array[] = [];
    for (const chunk of snapshotChunks(exchange, chunkBytes)) {
      chunks.push(new Uint8Array(chunk));
      hash.add(chunk);
      restoration.add(chunk);
      // A chunk is valid until the next one: what is kept must have been copied.
      chunk.fill(0xdd);
    }
    assert.deepEqual(Buffer.concat(chunks), Buffer.from(whole), `chunks of ${chunkBytes} bytes`);
    assert.ok(chunkBytes > 13 || chunks.length > 20);
    assert.equal(hash.end(), hashExchange(exchange));
    assert.deepEqual(snapshotExchange(restoration.end()), whole);
  }
});

test('pieces of any size restore the same state, and hash to the same', () => {
  const exchange = richExchange();
  const whole = snapshotExchange(exchange);
  for (const size of [1, 7, 11, 12, 13, 16, 5_000]) {
    const restoration = new ExchangeRestoration();
    const hash = new SnapshotHash();
    for (let at = 0; at < whole.length; at += size) {
      restoration.add(whole.subarray(at, at + size));
      hash.add(whole.subarray(at, at + size));
    }
    assert.equal(hash.end(), hashExchange(exchange));
    assert.deepEqual(snapshotExchange(restoration.end()), whole, `pieces of ${size} bytes`);
  }
});
