// Kill switches on real tables: a stop takes what is open, and resuming gives exactly that back.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHANGE_COIN, CHANGE_PAIR, CREATE_PAIR } from '../market-acts/index.ts';
import { openStage, PAIR } from '../market-acts/stage-for-test.ts';
import { readSwitchVersion } from '../switch-board/index.ts';
import { RESUME, readSwitches, STOP } from './index.ts';

test('a stop takes what is open, and resuming gives exactly that back', async (ending) => {
  const stage = await openStage(ending);
  await stage.project(`
    update markets set status = 'post-only';
    insert into markets select 2, 'usdt-btc', 2, 1, lot_atoms, tick_mantissa, tick_scale,
      tick_lot_atoms, min_price_ticks, max_price_ticks, min_size_lots, max_size_lots,
      reference_ticks, band_ppm, slippage_ppm, 'paused', now(), now() from markets`);
  await stage.execute(STOP, { name: 'trading' });
  await stage.execute(STOP, { name: 'deposits' });
  await stage.execute(STOP, { name: 'withdrawals', symbol: 'usdt' });
  assert.deepEqual(await stage.commands(), [
    'SetMarketStatus market 1, status cancel-only',
    'SetMarketStatus market 2, status paused',
  ]);
  const { stops, version } = await readSwitches(stage.context.connection);
  assert.equal(version, 4);
  assert.deepEqual(
    stops.map(({ mode, name, object, resumesTo }) => [name, object, mode, resumesTo]),
    [
      ['deposits', 'btc', '', ''],
      ['trading', 'btc-usdt', 'cancel-only', 'post-only'],
      ['withdrawals', 'usdt', '', ''],
    ],
  );
  assert.deepEqual(await coins(), ['btc false true', 'usdt false false']);
  assert.equal(await stage.approvals(RESUME, { name: 'deposits', symbol: 'btc' }), 1);
  assert.equal(await stage.approvals(RESUME, { name: 'deposits' }), 2);
  await stage.execute(RESUME, { name: 'deposits' });
  await stage.execute(RESUME, { name: 'trading', symbol: 'btc-usdt' });
  await stage.execute(CHANGE_COIN, { symbol: 'usdt', allow_withdrawal: true });
  assert.deepEqual((await stage.commands())[2], 'SetMarketStatus market 1, status post-only');
  assert.deepEqual(await coins(), ['btc true true', 'usdt false true']);
  assert.deepEqual((await readSwitches(stage.context.connection)).stops, []);
  assert.equal(await readSwitchVersion(stage.context.connection), 7, 'also by the act of a coin');

  async function coins(): Promise<string[]> {
    const { rows } = await stage.context.connection.query('select * from coins order by symbol');
    return rows.map((row) => `${row.symbol} ${row.allow_deposit} ${row.allow_withdrawal}`);
  }
});

test('nobody uses the lag of the tables to open a stopped market', async (ending) => {
  const stage = await openStage(ending);
  await stage.project(`update markets set status = 'full'`);
  await stage.execute(STOP, { name: 'trading' });
  // The tables still show the market open.
  for (const status of ['full', 'post-only']) {
    assert.equal(await stage.approvals(CHANGE_PAIR, { symbol: 'btc-usdt', status }), 1, status);
  }
  // Resumed by two people; the tables still show it open, or stopped, or nothing of both.
  await stage.execute(RESUME, { name: 'trading', symbol: 'btc-usdt' });
  await stage.project(`update markets set status = 'cancel-only'`);
  await stage.execute(STOP, { name: 'trading' });
  assert.equal((await stage.commands()).at(-1), 'SetMarketStatus market 1, status cancel-only');
  const [{ resumesTo }] = (await readSwitches(stage.context.connection)).stops;
  assert.equal(resumesTo, 'full');
});

test('a stop also closes a market that is being listed', async (ending) => {
  const stage = await openStage(ending);
  await stage.execute(CREATE_PAIR, { ...PAIR, base: 'usdt', quote: 'btc', increment_price: '1' });
  await stage.execute(STOP, { name: 'trading' });
  const connection = stage.context.connection;
  const { rows } = await connection.query(
    'select follows, state from engine_commands order by id desc limit 1',
  );
  assert.deepEqual([rows[0].follows, rows[0].state], ['1', 'waiting']);
  assert.equal((await stage.commands()).at(-1), 'SetMarketStatus market 0, status cancel-only');
  // Listed, but the tables do not show it yet: it still gets the command.
  await connection.query(
    `update engine_commands set state = 'accepted', frame = 7, listed = 2, settled_at = now()`,
  );
  await stage.execute(STOP, { name: 'trading' });
  assert.deepEqual(await stage.commands(), [
    'SetMarketStatus market 1, status paused',
    'SetMarketStatus market 0, status cancel-only',
  ]);
});

test('stopping and resuming need their powers', async (ending) => {
  const stage = await openStage(ending, ['switch.stop']);
  assert.equal(await stage.approvals(STOP, { name: 'trading' }), 0);
  assert.equal(await stage.approvals(RESUME, { name: 'trading' }), 'power_missing');
});
