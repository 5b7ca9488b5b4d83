// Tests actions on coins and markets on real tables: the approvals that each needs, and the
// commands that the engine gets.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RULES_VERSION_MAX } from '../../../core/messages/index.ts';
import { prepareForTest, runForTest } from '../../approvals/act-for-test.ts';
import { appendAudit, type JsonObject } from '../../audit/index.ts';
import { vault } from '../../auth/registry-for-test.ts';
import { readFreezes } from '../frozen-markets.ts';
import { CHANGE_COIN, CREATE_COIN } from './coins.ts';
import { CHANGE_TIER, CREATE_TIER, SET_PAIR_FEES } from './fees.ts';
import { VOID_COMMAND } from './frozen-commands.ts';
import {
  DELETE_TRANSACTION_LIMIT,
  SET_ENGINE_LIMITS,
  SET_QUICK_TRADE,
  SET_TRANSACTION_LIMIT,
} from './limits.ts';
import { type AnyAct, openStage, PAIR } from './listings-for-test.ts';
import { CHANGE_PAIR, CREATE_PAIR, SET_BAND } from './pairs.ts';
import { SET_RULES_VERSION } from './rules-version.ts';

test('each action needs its number of approvals', async (ending) => {
  const stage = await openStage(ending);
  const limit = {
    tier: 1,
    type: 'withdrawal',
    currency: 'usdt',
    limit_currency: 'btc',
    amount: '10',
    monthly_amount: '100',
  } as const;
  const coin = { symbol: 'eth', fullname: 'Ether', decimals: 18, issuance_cap: '1' };
  const tier = { level: 3, name: 'pro', fees: { maker: {}, taker: {} } };
  const fee = { value: '0.1', symbol: 'usdt', active: true, type: 'static', min: null, max: null };
  const rates = { maker: '0.1', taker: '0.2' };
  const cases: readonly (readonly [AnyAct, JsonObject, number | string])[] = [
    [CREATE_COIN, coin, 1],
    [CREATE_COIN, { ...coin, symbol: 'btc' }, 'coin_exists'],
    [CREATE_COIN, { ...coin, symbol: 'E-TH' }, 'market_field_invalid'],
    [CREATE_COIN, { ...coin, issuance_cap: '0' }, 'market_field_invalid'],
    [CREATE_COIN, { ...coin, issuance_cap: '5' }, 'market_field_invalid'],
    [CREATE_COIN, { ...coin, decimals: 19 }, 'market_field_invalid'],
    [
      CREATE_COIN,
      { ...coin, withdrawal_fees: { eth: { ...fee, symbol: 'xyz' } } },
      'currency_invalid',
    ],
    // Descriptions and stops need no approval.
    [CHANGE_COIN, { symbol: 'btc', fullname: 'Bitcoin!' }, 0],
    [CHANGE_COIN, { symbol: 'btc', allow_withdrawal: false, allow_deposit: false }, 0],
    [CHANGE_COIN, { symbol: 'btc', allow_withdrawal: true }, 1],
    [CHANGE_COIN, { symbol: 'btc', estimated_price: '1' }, 2],
    [CHANGE_COIN, { symbol: 'btc', estimated_price: null }, 1],
    [CHANGE_COIN, { symbol: 'btc', withdrawal_fee: '0.0005' }, 1],
    [CHANGE_COIN, { symbol: 'btc', withdrawal_fee: '0.000000001' }, 'market_field_invalid'],
    [CHANGE_COIN, { symbol: 'btc', withdrawal_fees: { btc: fee } }, 1],
    [CHANGE_COIN, { symbol: 'btc', issuance_cap: '500' }, 1],
    [CHANGE_COIN, { symbol: 'btc', issuance_cap: '10000' }, 1],
    [CHANGE_COIN, { symbol: 'btc', issuance_cap: '10000.00000001' }, 2],
    [CHANGE_COIN, { symbol: 'xyz', issuance_cap: '1' }, 'currency_invalid'],
    [CREATE_PAIR, { ...PAIR, base: 'usdt', quote: 'btc', increment_price: '1' }, 1],
    [
      CREATE_PAIR,
      { ...PAIR, base: 'usdt', quote: 'btc', increment_price: '0.00001' },
      'market_terms_invalid',
    ],
    [CREATE_PAIR, { ...PAIR, base: 'btc', quote: 'usdt' }, 'pair_exists'],
    [
      CREATE_PAIR,
      { ...PAIR, base: 'usdt', quote: 'btc', increment_price: '1', estimated_price: '0' },
      'market_field_invalid',
    ],
    [CREATE_PAIR, { ...PAIR, base: 'btc', quote: 'btc' }, 'market_field_invalid'],
    [
      CREATE_PAIR,
      { ...PAIR, base: 'usdt', quote: 'btc', taker_fee: '50.1' },
      'market_field_invalid',
    ],
    [CHANGE_PAIR, { symbol: 'btc-usdt', is_public: false }, 0],
    [CHANGE_PAIR, { symbol: 'btc-usdt', status: 'delisted' }, 2],
    [CHANGE_PAIR, { symbol: 'btc-usdt', status: 'maintenance' }, 0],
    [CHANGE_PAIR, { symbol: 'btc-usdt', status: 'post-only' }, 1],
    [CHANGE_PAIR, { symbol: 'btc-usdt', status: 'full' }, 1],
    [CHANGE_PAIR, { symbol: 'btc-usdt', active: true }, 1],
    [CHANGE_PAIR, { symbol: 'btc-usdt', circuit_breaker: true }, 0],
    [CHANGE_PAIR, { symbol: 'btc-usdt', circuit_breaker: false }, 1],
    [CHANGE_PAIR, { symbol: 'xyz-usdt', status: 'full' }, 'symbol_invalid'],
    [SET_BAND, { symbol: 'btc-usdt', band: '5' }, 0],
    [SET_BAND, { symbol: 'btc-usdt', band: '11' }, 1],
    [SET_BAND, { symbol: 'btc-usdt', band: '0' }, 1],
    [SET_BAND, { symbol: 'btc-usdt', band: '5', slippage: '6' }, 1],
    [SET_BAND, { symbol: 'btc-usdt', reference_price: '60000' }, 1],
    [SET_BAND, { symbol: 'btc-usdt', band: '100' }, 'market_field_invalid'],
    [SET_PAIR_FEES, { fees: { 'btc-usdt': { 1: rates } } }, 1],
    [SET_PAIR_FEES, { fees: { 'btc-usdt': { 9: rates } } }, 'tier_not_found'],
    [SET_PAIR_FEES, { fees: {} }, 'market_field_invalid'],
    [CREATE_TIER, tier, 1],
    [CREATE_TIER, { ...tier, level: 2 }, 'tier_exists'],
    [CREATE_TIER, { ...tier, level: 64 }, 'market_field_invalid'],
    [CREATE_TIER, { ...tier, fees: { maker: { 'x-y': '1' }, taker: {} } }, 'symbol_invalid'],
    [CHANGE_TIER, { level: 2, name: 'gold' }, 0],
    [CHANGE_TIER, { level: 9, name: 'gold' }, 'tier_not_found'],
    [SET_TRANSACTION_LIMIT, limit, 1],
    [SET_TRANSACTION_LIMIT, { ...limit, amount: '-1', monthly_amount: '-1' }, 1],
    [SET_TRANSACTION_LIMIT, { ...limit, amount: '101' }, 'limit_range_invalid'],
    [SET_TRANSACTION_LIMIT, { ...limit, amount: '0' }, 'limit_range_invalid'],
    [SET_TRANSACTION_LIMIT, { ...limit, amount: '-2' }, 'market_field_invalid'],
    [SET_TRANSACTION_LIMIT, { ...limit, tier: 9 }, 'tier_not_found'],
    [SET_TRANSACTION_LIMIT, { ...limit, id: 99 }, 'limit_not_found'],
    [DELETE_TRANSACTION_LIMIT, { id: 99 }, 'limit_not_found'],
    [SET_ENGINE_LIMITS, { marketsMax: 64 }, 1],
    [SET_ENGINE_LIMITS, { marketsMax: 1 }, 'market_field_invalid'],
    [SET_ENGINE_LIMITS, { fillsPerCommandMax: 1 }, 1],
    [SET_ENGINE_LIMITS, {}, 'market_field_invalid'],
    [SET_RULES_VERSION, { version: RULES_VERSION_MAX }, 1],
    [SET_RULES_VERSION, { version: RULES_VERSION_MAX + 1 }, 'market_field_invalid'],
    [SET_RULES_VERSION, { version: 0 }, 'market_field_invalid'],
    [SET_QUICK_TRADE, { symbol: 'btc-usdt', active: false }, 0],
    [SET_QUICK_TRADE, { symbol: 'btc-usdt', active: true }, 1],
    [VOID_COMMAND, { command: 7 }, 'command_not_frozen'],
  ];
  for (const [act, payload, expected] of cases) {
    const name = `${act.name} ${JSON.stringify(payload)}`;
    assert.equal(await stage.approvals(act, payload), expected, name);
  }
  assert.deepEqual(await stage.commands(), [], 'an assessment changes nothing');
});

test('a new market opens after its fees and its band are set', async (ending) => {
  const stage = await openStage(ending);
  const pair = { ...PAIR, base: 'usdt', quote: 'btc', increment_price: '1' };
  await stage.execute(CREATE_PAIR, pair);
  const [listing, ...following] = await stage.commands();
  assert.match(listing, /^ListMarket base 2, quote 1, .*status pre-launch$/);
  assert.deepEqual(following, [
    'SetMarketFees market 0, tier 1, makerPpm 5000, takerPpm 5000',
    'SetMarketFees market 0, tier 2, makerPpm 5000, takerPpm 5000',
    'SetPriceBand market 0, bandPpm 100000, slippagePpm 50000, referenceTicks 100',
    'SetMarketStatus market 0, status full, auctionEndsMs 0',
  ]);
  const { rows } = await stage.context.connection.query('select follows from engine_commands');
  assert.deepEqual(
    rows.map(({ follows }) => follows === null),
    [true, false, false, false, false],
  );
});

test('a tier without its own rates in a market has those of the first tier', async (ending) => {
  const stage = await openStage(ending);
  const fees = { maker: { 'btc-usdt': '0.05' }, taker: {} };
  await stage.execute(CREATE_TIER, { level: 3, name: 'pro', fees });
  assert.deepEqual(await stage.commands(), [
    'SetMarketFees market 1, tier 3, makerPpm 500, takerPpm 2000',
  ]);
});

test('raising one limit keeps the others', async (ending) => {
  const stage = await openStage(ending);
  await stage.project(`insert into limits values ('usersMax', 5000, now())`);
  await stage.execute(SET_ENGINE_LIMITS, { marketsMax: 64 });
  const [command] = await stage.commands();
  assert.match(command, /assetsMax 16, marketsMax 64, usersMax 5000, accountsMax 4096,/);
});

test('a limit is changed by its id and never duplicated', async (ending) => {
  const stage = await openStage(ending);
  const limit = {
    tier: 1,
    type: 'withdrawal',
    currency: 'usdt',
    limit_currency: 'default',
    amount: '10',
    monthly_amount: '100',
  };
  const { id } = await stage.execute(SET_TRANSACTION_LIMIT, limit);
  const same = await stage.execute(SET_TRANSACTION_LIMIT, { ...limit, amount: '20' });
  const other = await stage.execute(SET_TRANSACTION_LIMIT, { ...limit, limit_currency: 'btc' });
  assert.equal(same.id, id);
  const moved = { ...limit, id: other.id };
  assert.equal(await stage.approvals(SET_TRANSACTION_LIMIT, moved), 'limit_exists');
  await stage.execute(DELETE_TRANSACTION_LIMIT, { id: other.id });
  const { rows } = await stage.context.connection.query(
    'select id, trim_scale(amount)::text as amount from transaction_limits',
  );
  assert.deepEqual(rows, [{ id: `${id}`, amount: '20' }]);
});

test('a pending band counts as the current one', async (ending) => {
  const stage = await openStage(ending);
  await stage.execute(SET_BAND, { symbol: 'btc-usdt', band: '1' });
  assert.equal(await stage.approvals(SET_BAND, { symbol: 'btc-usdt', band: '5' }), 1);
  assert.equal(await stage.approvals(SET_BAND, { symbol: 'btc-usdt', band: '0.5' }), 0);
});

test('abuse 44: a cap raised in steps is compared with 24 hours ago', async (ending) => {
  const stage = await openStage(ending);
  const { connection, nowMs } = stage.context;
  const raise = async (hoursAgo: number, issuance_cap: string) => {
    const { after, before } = await runForTest(CHANGE_COIN, stage.context, {
      symbol: 'btc',
      issuance_cap,
    });
    await appendAudit(connection, vault, {
      actor: { user: stage.context.operator.user, credential: 'session 1', address: '' },
      act: CHANGE_COIN.name,
      object: 'coin btc',
      before,
      after,
      nowMs: nowMs - hoursAgo * 3_600_000,
    });
  };
  const needed = (issuance_cap: string) =>
    stage.approvals(CHANGE_COIN, { symbol: 'btc', issuance_cap });
  await raise(25, '2000');
  assert.deepEqual([await needed('20000'), await needed('20001')], [1, 2]);
  await raise(23, '15000');
  await raise(1, '20000');
  assert.deepEqual([await needed('20000'), await needed('20001')], [1, 2]);
});

test('abuse 44: a large change of a reference price needs approval like money', async (ending) => {
  const stage = await openStage(ending);
  const { connection } = stage.context;
  const price = (estimated_price: string) => ({ symbol: 'btc', estimated_price });
  const weigh = async (text: string) => {
    const prepared = await prepareForTest(CHANGE_COIN, stage.context, price(text));
    return [prepared.approvals, prepared.votePower];
  };
  const LIGHT = [1, undefined];
  const HEAVY = [2, 'approve.money'];
  assert.deepEqual(await weigh('60000'), HEAVY, 'the first price');
  await connection.query(`update coins set estimated_price = 60000 where symbol = 'btc'`);
  assert.deepEqual(await weigh('30000'), LIGHT);
  assert.deepEqual(await weigh('29999'), HEAVY);
  assert.deepEqual(await weigh('120000'), LIGHT);
  assert.deepEqual(await weigh('120001'), HEAVY);
  // Changes within a week count together.
  await stage.execute(CHANGE_COIN, price('30000'));
  assert.deepEqual(await weigh('20000'), HEAVY);
  await connection.query(`update past_prices set until = $1::timestamptz - interval '7 days'`, [
    new Date(stage.context.nowMs),
  ]);
  assert.deepEqual(await weigh('20000'), LIGHT);
});

test('a voided command lets its market accept cancellations', async (ending) => {
  const stage = await openStage(ending);
  await stage.project(`
    insert into freezes values (5, 0, 70, 1, null, now()), (6, 0, 71, null, 11, now()),
      (7, 0, 72, null, null, now()), (8, 0, 73, 1, 12, now()), (9, 0, 74, 1, 11, now())`);
  const freezes = await readFreezes(stage.context);
  assert.deepEqual(
    freezes.map(({ channel, command, market }) => [command, market?.symbol, channel]),
    [
      [70, 'btc-usdt', null],
      [71, undefined, 11],
      // Its market was already frozen.
      [73, undefined, 12],
    ],
  );
  assert.equal(await stage.approvals(VOID_COMMAND, { command: 70 }), 1);
  await stage.execute(VOID_COMMAND, { command: 70 });
  assert.deepEqual(await stage.commands(), ['VoidCommand command 70']);
  await stage.project(`
    update freezes set voided_at = now() where command = 70;
    insert into freezes values (10, 0, 75, 1, null, now() + interval '1 s')`);
  const later = await readFreezes(stage.context);
  assert.deepEqual(
    later.map(({ channel, command, market }) => [command, market?.symbol, channel]),
    [
      [71, undefined, 11],
      [73, undefined, 12],
      [75, 'btc-usdt', null],
    ],
  );
});
