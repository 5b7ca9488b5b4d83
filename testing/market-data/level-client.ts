// A client for full books, written from docs/api/levels.md: applies messages, and verifies by
// sequence and checksum that nothing is missing. Uses none of the exchange's code.

import assert from 'node:assert/strict';
import { crc32 } from 'node:zlib';

interface LevelMessage {
  readonly topic: string;
  readonly action: 'partial' | 'update';
  // biome-ignore lint/suspicious/noExplicitAny: received data is checked field by field.
  readonly data: any;
}

type Level = [price: string, size: string];
type Order = [price: string, size: string, id: string];

/** Client for `orderbook_l2` or `orders_l3`. */
export class LevelClient {
  sequence: number | undefined;
  snapshotCount = 0;
  updateCount = 0;
  #sides = { bids: new Map<string, string>(), asks: new Map<string, string>() };
  #orders = new Map<string, { side: string; price: string; size: string }>();

  receive(text: string): void {
    const message = JSON.parse(text) as LevelMessage;
    const { action, data, topic } = message;
    if (action === 'partial') {
      this.snapshotCount += 1;
      this.#sides = { bids: new Map(), asks: new Map() };
      this.#orders = new Map();
    } else {
      this.updateCount += 1;
      assert.equal(data.previous, this.sequence, 'an update continues the previous message');
      assert.ok(data.sequence > data.previous);
    }
    this.sequence = data.sequence;
    if (topic === 'orders_l3') this.#onOrders(message);
    else this.#onLevels(message);
  }

  /** Best first. */
  get levels(): { bids: Level[]; asks: Level[] } {
    const { asks, bids } = this.#sides;
    return {
      bids: [...bids].sort(([first], [second]) => compare(second, first)),
      asks: [...asks].sort(([first], [second]) => compare(first, second)),
    };
  }

  /** Best first, then by priority at the same price. */
  get orders(): { bids: Order[]; asks: Order[] } {
    const of = (wanted: string): Order[] =>
      [...this.#orders]
        .filter(([, { side }]) => side === wanted)
        .map(([id, { price, size }]) => [price, size, id]);
    return {
      bids: of('buy').sort(([first], [second]) => compare(second, first)),
      asks: of('sell').sort(([first], [second]) => compare(first, second)),
    };
  }

  #onLevels({ action, data }: LevelMessage): void {
    for (const side of ['bids', 'asks'] as const) {
      for (const [price, size] of data[side] as Level[]) {
        assert.ok(size !== '0' || action === 'update', 'a full book has no empty level');
        assert.notEqual(
          this.#sides[side].get(price) ?? '0',
          size,
          'every reported level has changed',
        );
        if (size === '0') this.#sides[side].delete(price);
        else this.#sides[side].set(price, size);
      }
    }
    const { asks, bids } = this.levels;
    assert.ok(bids.length === 0 || asks.length === 0 || compare(bids[0][0], asks[0][0]) < 0);
    if (action === 'partial') assert.deepEqual([data.bids, data.asks], [bids, asks]);
    assert.equal(data.checksum, checksumText(bids, asks));
  }

  #onOrders({ action, data }: LevelMessage): void {
    if (action === 'partial') {
      for (const [price, size, id] of data.bids) this.#orders.set(id, { side: 'buy', price, size });
      for (const [price, size, id] of data.asks) {
        this.#orders.set(id, { side: 'sell', price, size });
      }
      const { asks, bids } = this.orders;
      assert.deepEqual([data.bids, data.asks], [bids, asks]);
      return;
    }
    for (const id of data.closed) assert.ok(this.#orders.delete(id), 'a closed order existed');
    for (const [id, size] of data.changed) {
      const order = this.#orders.get(id);
      assert.ok(order !== undefined && order.size !== size);
      order.size = size;
    }
    for (const [side, price, size, id] of data.opened) {
      assert.ok(!this.#orders.has(id), 'an opened order is new');
      this.#orders.set(id, { side, price, size });
    }
  }
}

function checksumText(bids: readonly Level[], asks: readonly Level[]): number {
  let text = '';
  for (let place = 0; place < 10; place += 1) {
    for (const level of [bids[place], asks[place]]) {
      if (level !== undefined) text += `${text === '' ? '' : ':'}${level[0]}:${level[1]}`;
    }
  }
  return crc32(text);
}

/** Compares plain decimals of any length. */
function compare(first: string, second: string): number {
  const [[whole1, part1 = ''], [whole2, part2 = '']] = [first.split('.'), second.split('.')];
  const length = Math.max(part1.length, part2.length);
  const [a, b] = [
    BigInt(whole1 + part1.padEnd(length, '0')),
    BigInt(whole2 + part2.padEnd(length, '0')),
  ];
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Yields the texts in the bytes of one or more frames, as a server writes them. */
export function* textsIn(bytes: Buffer): Generator<string, void> {
  for (let at = 0; at < bytes.length; ) {
    assert.equal(bytes[at], 0x81, 'a whole text');
    const short = bytes[at + 1];
    const head = short < 126 ? 2 : short === 126 ? 4 : 10;
    const length =
      head === 2
        ? short
        : head === 4
          ? bytes.readUInt16BE(at + 2)
          : Number(bytes.readBigUInt64BE(at + 2));
    yield bytes.toString('utf8', at + head, at + head + length);
    at += head + length;
  }
}
