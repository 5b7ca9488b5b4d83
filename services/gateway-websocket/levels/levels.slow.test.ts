// Full books over sockets on two gateways while orders are placed and canceled and the publisher is
// killed. Verifies them as docs/api/levels.md instructs clients to.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { LevelClient } from '../../../testing/market-data/level-client.ts';
import { type Received, StreamProbe } from '../../../testing/stream/stream-probe.ts';
import { RestClient } from '../../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../../tools/sandbox/sandbox.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';

const SYMBOL = 'btc-usdt';
// A loaded machine is slow, and this test does not measure speed.
const PATIENCE_MS = 30_000;

let sandbox: Sandbox;
const ears: StreamProbe[] = [];

/** One topic on one socket, and the client's book built from it. */
class BookSubscriber {
  readonly client = new LevelClient();
  readonly probe: StreamProbe;
  readonly #topic: string;
  #readCount = 0;

  constructor(probe: StreamProbe, topic: string) {
    this.probe = probe;
    this.#topic = topic;
    probe.subscribe(`${topic}:${SYMBOL}`);
  }

  static async open(gateway: number, topic: string): Promise<BookSubscriber> {
    const probe = await StreamProbe.open(sandbox.streamUrls[gateway]);
    ears.push(probe);
    return new BookSubscriber(probe, topic);
  }

  /** Applies the received messages; throws if one does not fit. */
  get book(): { bids: string[][]; asks: string[][] } {
    const fresh = this.probe.received.slice(this.#readCount);
    this.#readCount += fresh.length;
    for (const message of fresh as Received[]) {
      if (message.topic === this.#topic) this.client.receive(JSON.stringify(message));
      else assert.deepEqual(message, { message: 'Welcome!' });
    }
    return this.#topic === 'orders_l3' ? this.client.orders : this.client.levels;
  }
}

function clientOf(name: 'alice' | 'bob'): RestClient {
  const { key, secret } = sandbox.seeded.users[name];
  return new RestClient({ url: sandbox.url, key, secret });
}

type Wish = { side: 'buy' | 'sell'; price: string; size: string };

async function place(name: 'alice' | 'bob', wish: Wish): Promise<string> {
  const body = { symbol: SYMBOL, type: 'limit', ...wish };
  const { status, text } = await clientOf(name).post('/order', body);
  assert.equal(status, 200, text);
  return (JSON.parse(text) as { id: string }).id;
}

async function cancelAll(name: 'alice' | 'bob'): Promise<void> {
  const { status, text } = await clientOf(name).delete('/order/all', { symbol: SYMBOL });
  assert.equal(status, 200, text);
}

async function until(
  what: string,
  subscribers: readonly BookSubscriber[],
  expected: unknown,
): Promise<void> {
  const question = () => subscribers.every(({ book }) => isDeepStrictEqual(book, expected));
  await waitUntil({ what, timeoutMs: PATIENCE_MS, question }).catch((fault) => {
    throw new Error(`${fault.message}: ${JSON.stringify(subscribers.map(({ book }) => book))}`);
  });
}

describe('full books', () => {
  before(async () => {
    sandbox = await startSandbox({ streams: 2 });
    for (const name of ['alice', 'bob'] as const) await cancelAll(name);
  });
  after(async () => {
    for (const probe of ears) probe.close();
    await sandbox.stop();
  });

  test('both gateways send the same book, across a killed publisher', async () => {
    const [levels, orders]: [BookSubscriber[], BookSubscriber[]] = [[], []];
    const join = async (gateway: number): Promise<void> => {
      levels.push(await BookSubscriber.open(gateway, 'orderbook_l2'));
      orders.push(await BookSubscriber.open(gateway, 'orders_l3'));
    };
    await join(0);
    await until('the book is empty', [...levels, ...orders], { bids: [], asks: [] });

    const first = await place('alice', { side: 'sell', price: '60000', size: '0.2' });
    const second = await place('alice', { side: 'sell', price: '60000', size: '0.1' });
    await join(1);
    await until('both asks', levels, { bids: [], asks: [['60000', '0.3']] });
    const both = [['60000', '0.2', first], ['60000', '0.1', second]]; // biome-ignore format: rows
    await until('both asks, the older first', orders, { bids: [], asks: both });

    const third = await place('bob', { side: 'buy', price: '60000', size: '0.25' });
    await until('the book after a trade', levels, { bids: [], asks: [['60000', '0.05']] });
    await until('the later order', orders, { bids: [], asks: [['60000', '0.05', second]] });
    assert.notEqual(third, second);

    const publisher = sandbox.service('publisher');
    await publisher.kill();
    const fourth = await place('alice', { side: 'buy', price: '59999', size: '0.01' });
    await publisher.start();
    await join(0);
    const bids = [['59999', '0.01']];
    await until('the missed levels', levels, { bids, asks: [['60000', '0.05']] });
    const queues = { bids: [['59999', '0.01', fourth]], asks: [['60000', '0.05', second]] };
    await until('the missed orders', orders, queues);

    for (const name of ['alice', 'bob'] as const) await cancelAll(name);
    await until('everything is removed', [...levels, ...orders], { bids: [], asks: [] });
  });

  test('an unknown market is rejected, and a book can be unsubscribed', async () => {
    const probe = await StreamProbe.open(sandbox.streamUrls[0]);
    ears.push(probe);
    probe.subscribe('orderbook_l2:nope-usdt');
    probe.subscribe(`orders_l3:${SYMBOL}`);
    await probe.next();
    assert.deepEqual(await probe.next(), { error: 'Invalid symbol' });
    assert.equal((await probe.next()).action, 'partial');
    probe.send({ op: 'unsubscribe', args: [`orders_l3:${SYMBOL}`] });
    const notice = { message: `Unsubscribed from channel orders_l3:${SYMBOL}` };
    await probe.until('it gets a response', () => isDeepStrictEqual(probe.received.at(-1), notice));
  });
});
