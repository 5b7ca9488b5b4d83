// The client on a running exchange: calls, files and rejections, both kinds of key, the examples as
// programs, and a stream that survives killed gateways.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { type Book, RialtoClient, RialtoError, RialtoStream } from '../../client/index.ts';
import { issueKey } from '../../features/auth/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { type Sandbox, startSandbox } from '../../tools/sandbox/sandbox.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import { AccountFromStream } from './account-from-stream.ts';

const WITHIN_MS = 30_000;
const ORDER = { symbol: 'btc-usdt', type: 'limit' } as const;
const EXAMPLES = join(import.meta.dirname, '../../client/examples');
const QUICK = { backoff: { firstMs: 20, maxMs: 200 } };

let sandbox: Sandbox;
const streams: RialtoStream[] = [];

function clientOf({ key, secret }: { key: string; secret: string }): RialtoClient {
  return new RialtoClient({ url: sandbox.url, key, secret });
}

function streamOf(credentials?: { key: string; secret: string }): RialtoStream {
  const { key, secret } = credentials ?? {};
  const url = sandbox.streamUrls[0];
  const stream =
    key === undefined || secret === undefined
      ? new RialtoStream({ url, timings: QUICK })
      : new RialtoStream({ url, timings: QUICK, key, secret });
  streams.push(stream);
  return stream;
}

async function codeOf(call: Promise<unknown>): Promise<number | undefined> {
  const fault = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(fault instanceof RialtoError, String(fault));
  return fault.code;
}

/** Starts an example; `lines` grows as it prints. */
function example(name: string, args: readonly string[], variables: Record<string, string>) {
  const child = spawn(process.execPath, [join(EXAMPLES, name, 'main.ts'), ...args], {
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  return { child, lines };
}

describe('the client on a running exchange', () => {
  before(async () => {
    sandbox = await startSandbox({ streams: 1 });
  });
  after(async () => {
    for (const stream of streams) stream.close();
    await sandbox.stop();
  });

  test('public calls return decimals as strings', async () => {
    const anyone = new RialtoClient({ url: sandbox.url });
    const { coins, pairs } = await anyone.getConstants();
    assert.deepEqual([coins.btc.min, pairs['btc-usdt'].increment_price], ['0.001', '0.01']);
    assert.equal(coins.btc.withdrawal_fees?.btc.value, '0.0005');
    assert.equal(typeof coins.btc.id, 'number');
    const tiers = await anyone.getTiers();
    assert.deepEqual([tiers['1'].id, tiers['1'].fees.maker['btc-usdt']], [1, '0.1']);
    assert.equal((await anyone.getHealth()).status, true);
    const beforeS = Math.floor(Date.now() / 1_000);
    const toldS = await anyone.getUdfTime();
    assert.ok(beforeS <= toldS && toldS <= Date.now() / 1_000, `${beforeS} ${toldS}`);
    // The estimate is off by the response time, which is long on a busy machine.
    assert.ok(Math.abs(anyone.clockSkewMs ?? Number.NaN) < 60_000);
    assert.equal(await codeOf(anyone.getBalance()), 162);
  });

  test('an order is placed once, read, amended and canceled', async () => {
    const [trader] = await sandbox.createTraders({ count: 1 });
    const client = clientOf(trader);
    const what = { ...ORDER, side: 'buy', size: '0.1', price: '50000.1' } as const;
    const body = { ...what, client_order_id: 'one' };
    const placed = await client.createOrder(body);
    const again = await client.createOrder(body);
    assert.equal(again.id, placed.id);
    const order = await client.getOrder({ client_order_id: 'one' });
    assert.deepEqual([order.size, order.price, order.filled], ['0.1', '50000.1', '0']);
    assert.deepEqual([order.fee_structure.maker, order.created_by], ['0.1', trader.user]);
    const amended = await client.amendOrder({ order_id: order.id, size: '0.0501' });
    assert.equal(amended.size, '0.0501');
    const { btc_balance, usdt_available } = await client.getBalance();
    assert.deepEqual([btc_balance, usdt_available], ['10', '997494.99499']);
    const { count, data } = await client.getOrders({ open: true });
    assert.deepEqual([count, data.map(({ id }) => id)], [1, [order.id]]);
    const file = await client.csv('getOrders', { symbol: 'btc-usdt' });
    assert.ok(file.split('\n')[1]?.includes(order.id), file);
    const cancelled = await client.cancelOrder({ client_order_id: 'one' });
    assert.equal(cancelled.status, 'canceled');
    assert.equal(await codeOf(client.cancelOrder({ order_id: order.id })), 10);
    const dear = { ...ORDER, side: 'sell', size: '1000', price: '60000' } as const;
    assert.equal(await codeOf(client.createOrder(dear)), 67);
    const other = { ...body, size: '0.2' };
    assert.equal(await codeOf(client.createOrder(other)), 2122);
  });

  test('equal orders within one second are separate orders', async () => {
    const [trader] = await sandbox.createTraders({ count: 1 });
    const client = clientOf(trader);
    const order = { ...ORDER, side: 'buy', size: '0.001', price: '50000' } as const;
    const placed = await Promise.all(Array.from({ length: 40 }, () => client.createOrder(order)));
    assert.equal(new Set(placed.map(({ id }) => id)).size, 40);
    const outcomes = await client.createOrders({ orders: [order, { ...order, size: '0.00001' }] });
    assert.deepEqual(
      outcomes.data.map(({ status }) => status),
      [200, 400],
    );
    assert.equal((await client.cancelAllOrders()).length, 41);
  });

  test('an Ed25519 key signs calls and streams', async () => {
    const { user } = sandbox.seeded.users.alice;
    const issued = await issueKey(sandbox.admin.registry, sandbox.admin.vault, {
      user,
      name: 'curve',
      kind: 'ed25519',
      role: 'user',
      nowMs: Date.now(),
      canRead: true,
      canTrade: true,
      canWithdraw: false,
      whitelistedIps: [],
    });
    if (issued instanceof Refused) assert.fail(issued.key);
    const { secret } = issued;
    const key = issued.key.publicKey;
    const client = new RialtoClient({ url: sandbox.url, key, ed25519PrivateKey: secret });
    assert.equal((await client.getUser()).email, 'alice@example.com');
    const stream = new RialtoStream({ url: sandbox.streamUrls[0], key, ed25519PrivateKey: secret });
    streams.push(stream);
    for await (const { data } of stream.subscribe('wallet')) {
      assert.equal(data.eur_balance, '5000000');
      break;
    }
  });

  test('a stream reports each change of a withdrawal, in order', async () => {
    const [{ user }] = await sandbox.createTraders({ count: 1 });
    const { key, secret } = await sandbox.admin.issueKey({ user });
    const told = streamOf({ key, secret }).subscribe('withdrawal');
    const heard: string[] = [];
    const hearing = (async () => {
      for await (const { data } of told) {
        heard.push(`${data.status} ${data.state}`);
        assert.deepEqual([data.amount, data.fee, data.currency], ['0.25', '0.0005', 'btc']);
        if (data.status === 'REJECTED') break;
      }
    })();
    const [{ monitorUrl }] = sandbox.nats.nodes;
    await waitUntil({
      what: 'the gateway has subscribed',
      timeoutMs: WITHIN_MS,
      async question() {
        const subject = `rialto.notices.${user}.withdrawal`;
        const answer = await fetch(`${monitorUrl}/subsz?subs=1&acc=$G&test=${subject}`);
        return (await answer.text()).includes(`"${subject}"`);
      },
    });
    const { transaction_id } = await clientOf({ key, secret }).createWithdrawal({
      currency: 'btc',
      network: 'btc',
      amount: '0.25',
      address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    });
    const operator = clientOf(sandbox.seeded.users.admin);
    await operator.reviewWithdrawal({ transaction_id, rejected: true });
    await hearing;
    assert.deepEqual(heard, [
      'PENDING opening',
      'PENDING approved',
      'PENDING rejecting',
      'REJECTED rejected',
    ]);
  });

  test('the example place-and-cancel runs', async () => {
    const { key, secret } = sandbox.seeded.users.bob;
    const { child, lines } = example('place-and-cancel', [], {
      RIALTO_URL: sandbox.url,
      RIALTO_KEY: key,
      RIALTO_SECRET: secret,
    });
    const [code] = await once(child, 'exit');
    assert.equal(code, 0);
    assert.deepEqual(lines, ['new: buy 0.0001 at 50000', 'canceled: 0 was filled']);
  });

  test('the example follow-a-book runs', async () => {
    const [trader] = await sandbox.createTraders({ count: 1 });
    const client = clientOf(trader);
    const { child, lines } = example('follow-a-book', ['btc-eur', '3'], {
      RIALTO_URL: sandbox.streamUrls[0],
    });
    const ended = once(child, 'exit');
    const printed = (count: number) =>
      waitUntil({
        what: `${count} lines`,
        timeoutMs: WITHIN_MS,
        question: () => lines.length >= count,
      });
    await printed(1);
    const order = { symbol: 'btc-eur', type: 'limit' } as const;
    await client.createOrder({ ...order, side: 'buy', size: '0.5', price: '54000' });
    await printed(2);
    await client.createOrder({ ...order, side: 'sell', size: '0.25', price: '56000.5' });
    assert.deepEqual(await ended, [0, null]);
    assert.deepEqual(lines, [
      '0 at - | 0 at -',
      '0.5 at 54000 | 0 at -',
      '0.5 at 54000 | 0.25 at 56000.5',
    ]);
    await client.cancelAllOrders();
  });

  test('the example track-an-account runs', async () => {
    const [{ key, secret }] = await sandbox.createTraders({ count: 1, funds: { usdt: '1000' } });
    const { child, lines } = example('track-an-account', [], {
      RIALTO_URL: sandbox.streamUrls[0],
      RIALTO_KEY: key,
      RIALTO_SECRET: secret,
    });
    const lastIs = (orders: string[]) => {
      const { orders: seen, usdt } = JSON.parse(lines.at(-1) ?? '{}');
      return usdt === '1000' && JSON.stringify(seen) === JSON.stringify(orders);
    };
    const shows = (orders: string[]) =>
      waitUntil({
        what: `the example prints ${orders}; it printed ${lines.at(-1)}`,
        timeoutMs: WITHIN_MS,
        question: () => lastIs(orders),
      });
    const ended = once(child, 'exit');
    try {
      await shows([]);
      const client = clientOf({ key, secret });
      await client.createOrder({ ...ORDER, side: 'buy', size: '0.01', price: '50000' });
      await shows(['buy 0.01 btc-usdt at 50000']);
      await client.cancelAllOrders();
      await shows([]);
    } finally {
      child.kill();
      await ended;
    }
  });

  test('closing the stream cancels the orders that it protects', async () => {
    const [trader] = await sandbox.createTraders({ count: 1 });
    const client = clientOf(trader);
    const stream = streamOf(trader);
    assert.equal(await stream.cancelOnDisconnect(30), 'Cancel on disconnect after 30 seconds');
    await client.createOrder({ ...ORDER, side: 'buy', size: '0.01', price: '50000' });
    stream.close();
    const question = async () => (await client.getOrders({ open: true })).count === 0;
    await waitUntil({ what: 'the order is canceled', timeoutMs: WITHIN_MS, question });
    const { data } = await client.getOrders();
    assert.deepEqual([data[0].status, data[0].filled], ['canceled', '0']);
  });

  test('accounts and books from the stream are correct while services are killed', async () => {
    const traders = await sandbox.createTraders({ count: 4 });
    const clients = traders.map(clientOf);
    const accounts = traders.map((trader) => new AccountFromStream(streamOf(trader)));
    const books: Book[] = [];
    streamOf().book('btc-usdt', { onBook: (book) => books.push(book) });
    const victims = ['gateway-websocket-1', 'publisher', 'gateway-websocket-1'];
    let placed = 0;
    const trade = async (client: RialtoClient, at: number) => {
      for (let count = 0; count < 60; count += 1) {
        const side = (at + count) % 2 === 0 ? 'buy' : 'sell';
        const price = String(59_990 + ((count * 7 + at * 3) % 20));
        await client.createOrder({
          ...ORDER,
          side,
          price,
          size: '0.01',
          client_order_id: randomUUID(),
        });
        placed += 1;
        if (count % 7 === 6) await client.cancelOrdersOfMarket({ symbol: 'btc-usdt' });
      }
    };
    const kill = async () => {
      for (const [at, name] of victims.entries()) {
        const question = () => placed >= 50 * (at + 1);
        await waitUntil({ what: 'enough orders are placed', timeoutMs: WITHIN_MS, question });
        await sandbox.service(name).kill();
        await sandbox.service(name).start();
      }
    };
    await Promise.all([...clients.map(trade), kill()]);
    for (const [at, account] of accounts.entries()) {
      const { data } = await clients[at].getOrders({ open: true, limit: 100 });
      const { btc_available, btc_balance, usdt_available, usdt_balance } =
        await clients[at].getBalance();
      const expected = {
        orders: data.map(({ filled, id }) => `${id} ${filled}`).sort(),
        money: [btc_balance, btc_available, usdt_balance, usdt_available],
      };
      const question = () => JSON.stringify(account.now()) === JSON.stringify(expected);
      await waitUntil({ what: 'the account is right', timeoutMs: WITHIN_MS, question }).catch(() =>
        assert.deepEqual(account.now(), expected),
      );
      assert.ok(account.starts >= 2, 'the stream resumed');
    }
    const rest = async () => {
      const { asks, bids } = (await clients[0].getOrderBook({ symbol: 'btc-usdt' }))['btc-usdt'];
      const last = books.at(-1);
      const seen = { bids: last?.bids.slice(0, 10), asks: last?.asks.slice(0, 10) };
      return JSON.stringify(seen) === JSON.stringify({ bids, asks });
    };
    await waitUntil({ what: 'the book is correct', timeoutMs: WITHIN_MS, question: rest });
    assert.ok(books.length >= 5, `${books.length} books`);
  });
});
