// Quotes and their execution on a running exchange: executed at the quoted amounts or not at all,
// once, and only for the user who requested them.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { RestClient } from '../../tools/sandbox/rest-client.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import { place, type Refused, read, refused, TradingStage, taken } from './trading-stage.ts';

const SEEN_WITHIN_MS = 20_000;
const BUY = { spending_currency: 'usdt', receiving_currency: 'btc' };
const SELL = { spending_currency: 'btc', receiving_currency: 'usdt' };
const USED: Refused = [400, 60, 'Token has been used'];
const UNKNOWN: Refused = [400, 62, 'Invalid quote'];

let stage: TradingStage;
let anyone: RestClient;

/** Books are published at most every 50 ms, so the orders might arrive in several of them. */
async function bookSeen({ asks, bids }: { asks: number; bids: number }): Promise<void> {
  const question = async () => {
    const book = taken(await anyone.get('/orderbook', { symbol: 'btc-usdt' }))['btc-usdt'];
    return book.asks.length === asks && book.bids.length === bids;
  };
  await waitUntil({ what: 'the book has all orders', timeoutMs: SEEN_WITHIN_MS, question });
}

describe('quotes', () => {
  before(async () => {
    stage = await TradingStage.open();
    anyone = new RestClient({ url: stage.sandbox.url });
    const [maker] = await stage.traders(1);
    await place(maker.here, { side: 'sell', size: '1', price: '60000' });
    await place(maker.here, { side: 'sell', size: '1', price: '60100' });
    await place(maker.here, { side: 'buy', size: '1', price: '59900' });
    await bookSeen({ asks: 2, bids: 1 });
    // Depth is sent less often than the book.
    const question = async () => {
      const { status, text } = await anyone.get('/quick-trade', { ...BUY, receiving_amount: 2 });
      assert.ok(status === 200 || status === 400, text);
      return status === 200;
    };
    await waitUntil({ what: 'the depth is there', timeoutMs: SEEN_WITHIN_MS, question });
  });
  after(() => stage?.sandbox.stop());

  test('anyone can request a quote, but only users get a token', async () => {
    const quote = taken(await anyone.get('/quick-trade', { ...BUY, spending_amount: '60000' }));
    assert.deepEqual(quote, {
      ...BUY,
      spending_amount: 60_000,
      receiving_amount: 1,
      fees_included: false,
      type: 'market',
    });
    const sold = taken(await anyone.get('/quick-trade', { ...SELL, spending_amount: '0.5' }));
    assert.deepEqual([sold.spending_amount, sold.receiving_amount], [0.5, 29_950]);
  });

  test('a quote is executed as quoted, less the fee, at any gateway, once', async () => {
    const [one, two] = await stage.traders(2);
    const quote = taken(await one.here.get('/quick-trade', { ...BUY, receiving_amount: '0.01' }));
    assert.deepEqual([quote.spending_amount, quote.receiving_amount], [600, 0.01]);
    const left = Date.parse(quote.expiry) - Date.now();
    assert.ok(left > 0 && left <= 30_000, `${left} ms`);
    const { token } = quote;
    refused(await two.here.post('/order/execute', { token }), [
      ...([400, 2131, 'Invalid quote: it belongs to another user'] as const),
    ]);
    const before = taken(await one.here.get('/user/balance'));
    const order = taken(await one.there.post('/order/execute', { token }));
    const { average, fee, fee_coin, filled, method, size, status, type } = order;
    assert.deepEqual([type, method, status], ['market', 'market', 'filled']);
    assert.deepEqual([size, filled, average], [0.01, 0.01, 60_000]);
    assert.deepEqual([fee, fee_coin], [0.00002, 'btc']);
    const now = taken(await one.here.get('/user/balance'));
    assert.equal(now.usdt_balance, before.usdt_balance - 600);
    assert.equal(now.btc_balance, 10.00998);
    assert.deepEqual(await read(one.here, order.id), order);
    for (const client of [one.here, one.there]) {
      refused(await client.post('/order/execute', { token }), USED);
    }
  });

  test('a quote sent to both gateways at the same time is executed once', async () => {
    const [one] = await stage.traders(1);
    const { token } = taken(
      await one.here.get('/quick-trade', { ...SELL, spending_amount: '0.01' }),
    );
    const answers = await Promise.all(
      [one.here, one.there].map((client) => client.post('/order/execute', { token })),
    );
    const [good, bad] = answers.sort((a, b) => a.status - b.status);
    assert.equal(taken(good).status, 'filled');
    refused(bad, USED);
    assert.equal(taken(await one.here.get('/user/balance')).btc_balance, 9.99);
  });

  test('an invalid token executes nothing', async () => {
    const [one] = await stage.traders(1);
    const { token } = taken(await one.here.get('/quick-trade', { ...BUY, receiving_amount: 0.01 }));
    const forged = token.slice(0, 9) + (token[9] === 'A' ? 'B' : 'A') + token.slice(10);
    for (const other of ['x', forged, `${token}=`, token.slice(1)]) {
      refused(await one.here.post('/order/execute', { token: other }), UNKNOWN);
    }
    assert.equal((await one.here.post('/order/execute', {})).status, 400);
    assert.equal((await anyone.post('/order/execute', { token })).status, 401);
  });

  test('impossible quotes are rejected', async () => {
    const cases: [query: Record<string, string>, refusal: Refused][] = [
      [BUY, [400, 173, 'Provide spending_amount or receiving_amount']],
      [
        { ...BUY, spending_amount: '0' },
        [400, 65, 'The order with the current size is too small to be filled'],
      ],
      [
        { ...BUY, receiving_amount: '2.1' },
        [400, 64, 'The order with the current size can not be filled'],
      ],
      [{ ...BUY, receiving_amount: '-1' }, [400, 174, 'The amount must be positive']],
      [{ ...BUY, receiving_amount: 'x' }, [400, 2013, 'Value is not a number: amount']],
      [
        { ...BUY, receiving_currency: 'xyz', spending_amount: '1' },
        [400, 175, 'These currencies cannot be converted'],
      ],
    ];
    for (const [query, refusal] of cases) refused(await anyone.get('/quick-trade', query), refusal);
    assert.equal((await anyone.get('/quick-trade', { spending_currency: 'btc' })).status, 400);
  });

  test('if the offers are gone, the quoted price is not replaced by a worse one', async () => {
    const [one, two] = await stage.traders(2);
    const { token } = taken(
      await one.here.get('/quick-trade', { ...BUY, receiving_amount: '0.5' }),
    );
    // Another user buys the quoted offers, so only more expensive ones are left.
    await place(two.here, { side: 'buy', size: '0.8', price: '60000' });
    refused(await one.here.post('/order/execute', { token }), [
      ...([400, 66, 'Order is not filled: the quoted price is no longer available'] as const),
    ]);
    assert.equal(taken(await one.here.get('/user/balance')).btc_balance, 10);
  });
});
