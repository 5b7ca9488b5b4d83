// Referral over HTTP, on two gateways: a code, a referred user who trades at a discount, the
// earnings and their payout by the engine.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { UserId } from '../../core/money/index.ts';
import { createUser } from '../../features/accounts/index.ts';
import { describeKit } from '../../features/listings/index.ts';
import { cautiousPrices } from '../../features/market-data/index.ts';
import { runReferralBatches } from '../../features/referral/batches.ts';
import { withConnection } from '../../infra/postgres/index.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import { place, type StageTrader, TradingStage, taken } from './trading-stage.ts';

const SCHEMA = { projectionSchema: 'rialto' };

let stage: TradingStage;
let referrer: StageTrader;
let friend: StageTrader;
let other: StageTrader;
let distributor: StageTrader;

describe('referral', () => {
  before(async () => {
    stage = await TradingStage.open();
    [referrer, friend, other, distributor] = await stage.traders(4);
    await configure(distributor.user);
  });
  after(() => stage?.sandbox.stop());

  async function configure(payer: UserId): Promise<void> {
    await describeKit(stage.sandbox.admin.registry, {
      referral_history_config: {
        active: true,
        currency: 'usdt',
        earning_rate: 50,
        minimum_amount: 1,
        earning_period: 0,
        distributor_id: payer,
      },
    });
  }

  /** Posts with a login session at one of the gateways. */
  async function post(user: UserId, path: string, { body = {}, gateway = 0 } = {}) {
    const { token } = await stage.sandbox.admin.issueSession({ user });
    const answer = await fetch(`${stage.sandbox.urls[gateway]}/v2${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    // biome-ignore lint/suspicious/noExplicitAny: each test checks its own response shape.
    return { status: answer.status, body: (await answer.json()) as any };
  }

  async function unrealized(): Promise<number> {
    const { data } = taken(await referrer.there.get('/user/referral/unrealized'));
    return data.length === 0 ? 0 : data[0].accumulated_fees;
  }

  /** The referred user sells 0.5 BTC to the other user for 30,000 USDT. */
  async function trade(): Promise<void> {
    const before = await unrealized();
    await place(other.here, { side: 'buy', size: '0.5', price: '60000' });
    await place(friend.here, { side: 'sell', size: '0.5', price: '60000' });
    await waitUntil({
      what: 'the fees of the trade are counted',
      timeoutMs: 30_000,
      question: async () => {
        await withConnection(stage.sandbox.admin.registry, (connection) =>
          runReferralBatches(connection, {
            ...SCHEMA,
            tradesPerBatch: 1_000,
            pricesAt: (quote, at) => cautiousPrices(connection, { ...SCHEMA, quote, at }),
          }),
        );
        return (await unrealized()) > before;
      },
    });
  }

  async function usdtOf({ here }: StageTrader): Promise<number> {
    return taken(await here.get('/user/balance')).usdt_balance;
  }

  test('a code is created once and can be checked by anyone', async () => {
    const body = { code: 'fRiend', discount: 20, earning_rate: 30 };
    const made = await post(referrer.user, '/user/referral/code', { body });
    assert.equal(made.status, 200);
    const { created_at, ...rest } = made.body;
    assert.equal(typeof created_at, 'string');
    assert.deepEqual(rest, { ...body, user_id: referrer.user, referral_count: 0 });
    const again = await post(other.user, '/user/referral/code', { body });
    assert.deepEqual([again.status, again.body.code], [400, 2506]);
    const check = (code: string) =>
      fetch(`${stage.sandbox.urls[1]}/v2/referral/check?code=${code}`).then((it) => it.json());
    assert.deepEqual(await check('FRIEND'), { valid: true, discount: 20, earning_rate: 30 });
    assert.deepEqual(await check('nobody'), { valid: false, discount: 0, earning_rate: 0 });
  });

  test('a referred user applies the code, and the engine grants the discount', async () => {
    const body = { code: 'friend' };
    const own = await post(referrer.user, '/user/referral/apply', { body });
    assert.deepEqual([own.status, own.body.code], [400, 2502]);
    const applied = await post(friend.user, '/user/referral/apply', { body, gateway: 1 });
    assert.deepEqual(applied, { status: 200, body: { message: 'Success' } });
    const again = await post(friend.user, '/user/referral/apply', { body });
    assert.deepEqual([again.status, again.body.code], [400, 2503]);
    await waitUntil({
      what: 'the engine has the discount',
      timeoutMs: 30_000,
      question: async () => {
        const { rows } = await stage.sandbox.admin.registry.query(
          'select discount_ppm::text as ppm from rialto.user_fees where user_id = $1',
          [friend.user],
        );
        return rows[0]?.ppm === '200000';
      },
    });
    const listed = taken(await referrer.here.get('/user/affiliation'));
    assert.equal(listed.count, 1);
    assert.deepEqual(listed.data[0].user.id, friend.user);
    assert.equal(listed.data[0].code, 'fRiend');
    const codes = taken(await referrer.here.get('/user/referral/code'));
    assert.equal(codes.data[0].referral_count, 1);
  });

  test('the share is paid to the balance, once', async () => {
    await trade();
    // 30,000 USDT × 0.2% × 80% × 30%.
    assert.equal(await unrealized(), 14.4);
    const before = await usdtOf(referrer);
    const settled = await Promise.all(
      [0, 1, 0, 1].map((gateway) => post(referrer.user, '/user/referral/unrealized', { gateway })),
    );
    const paid = settled.filter(({ status }) => status === 200).map(({ body }) => body);
    assert.deepEqual(paid, [{ message: 'Success', amount: 14.4, currency: 'usdt' }]);
    const codes = settled.filter(({ status }) => status === 400).map(({ body }) => body.code);
    assert.deepEqual(codes, [2508, 2508, 2508]);
    assert.equal(await usdtOf(referrer), before + 14.4);
    assert.equal(await unrealized(), 0);
    const realized = taken(await referrer.there.get('/user/referral/realized'));
    assert.deepEqual([realized.count, realized.data[0].accumulated_fees], [1, 14.4]);
    const history = taken(await referrer.there.get('/user/referral/history', { format: 'all' }));
    assert.equal(history.count, 1);
    assert.equal(history.data[0].referee, friend.user);
    assert.equal(history.data[0].accumulated_fees, 14.4);
    assert.equal(taken(await friend.here.get('/user/referral/history')).count, 0);
  });

  test('a distributor without money consumes nothing', async () => {
    const poor = await createUser(stage.sandbox.admin.registry, { email: 'poor@example.com' });
    assert.ok(typeof poor === 'object');
    await configure(poor.id);
    await trade();
    const refused = await post(referrer.user, '/user/referral/unrealized');
    assert.deepEqual([refused.status, refused.body.code], [400, 2509]);
    assert.equal(await unrealized(), 14.4);
    await configure(distributor.user);
    const paid = await post(referrer.user, '/user/referral/unrealized');
    assert.equal(paid.body.amount, 14.4);
  });

  test('keys cannot create or apply codes', async () => {
    for (const path of ['code', 'apply']) {
      const body = { code: 'AAAAAA', discount: 0, earning_rate: 10 };
      const answer = await friend.here.post(`/user/referral/${path}`, body);
      assert.deepEqual([answer.status, answer.body.code], [403, 2018], answer.text);
    }
  });
});
