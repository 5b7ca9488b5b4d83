// Tests kill switches on real tables: a stop takes what is open, and resuming restores exactly
// that.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { UserId } from '../../../core/money/index.ts';
import { createSubUser, createUser, setEngineSettings } from '../../accounts/index.ts';
import { CHANGE_COIN } from '../../listings/admin/coins.ts';
import { openStage, PAIR } from '../../listings/admin/listings-for-test.ts';
import { CHANGE_PAIR, CREATE_PAIR } from '../../listings/admin/pairs.ts';
import { readSwitchVersion } from '../switches-in-force.ts';
import { REMOVE_BANNER, SET_BANNER } from './banners.ts';
import { readImpact } from './impact.ts';
import { RESUME, STOP } from './stop-and-resume.ts';
import { readSwitches } from './switches.ts';

test('a stop closes what is open, and resuming restores exactly that', async (ending) => {
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
    'SetMarketStatus market 1, status cancel-only, auctionEndsMs 0',
    'SetMarketStatus market 2, status paused, auctionEndsMs 0',
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
  assert.deepEqual(
    (await stage.commands())[2],
    'SetMarketStatus market 1, status post-only, auctionEndsMs 0',
  );
  assert.deepEqual(await coins(), ['btc true true', 'usdt false true']);
  assert.deepEqual((await readSwitches(stage.context.connection)).stops, []);
  assert.equal(await readSwitchVersion(stage.context.connection), 7, 'including by a coin change');

  async function coins(): Promise<string[]> {
    const { rows } = await stage.context.connection.query('select * from coins order by symbol');
    return rows.map((row) => `${row.symbol} ${row.allow_deposit} ${row.allow_withdrawal}`);
  }
});

test('lagging tables cannot be used to open a stopped market', async (ending) => {
  const stage = await openStage(ending);
  await stage.project(`update markets set status = 'full'`);
  await stage.execute(STOP, { name: 'trading' });
  // The tables still show the market open.
  for (const status of ['full', 'post-only']) {
    assert.equal(await stage.approvals(CHANGE_PAIR, { symbol: 'btc-usdt', status }), 1, status);
  }
  // Resumed with approval; the tables still show it open, or stopped, or neither.
  await stage.execute(RESUME, { name: 'trading', symbol: 'btc-usdt' });
  await stage.project(`update markets set status = 'cancel-only'`);
  await stage.execute(STOP, { name: 'trading' });
  assert.equal(
    (await stage.commands()).at(-1),
    'SetMarketStatus market 1, status cancel-only, auctionEndsMs 0',
  );
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
  assert.equal(
    (await stage.commands()).at(-1),
    'SetMarketStatus market 0, status cancel-only, auctionEndsMs 0',
  );
  // Listed, but the tables do not show it yet: it still gets the command.
  await connection.query(
    `update engine_commands set state = 'accepted', frame = 7, listed = 2, settled_at = now()`,
  );
  await stage.execute(STOP, { name: 'trading' });
  assert.deepEqual(await stage.commands(), [
    'SetMarketStatus market 1, status paused, auctionEndsMs 0',
    'SetMarketStatus market 0, status cancel-only, auctionEndsMs 0',
  ]);
});

test('stopping and resuming require their permissions', async (ending) => {
  const stage = await openStage(ending, ['switch.stop']);
  assert.equal(await stage.approvals(STOP, { name: 'trading' }), 0);
  assert.equal(await stage.approvals(RESUME, { name: 'trading' }), 'power_missing');
});

test('one operator can tighten a market stop; only a resume relaxes it', async (ending) => {
  const stage = await openStage(ending);
  await stage.project(`update markets set status = 'full'`);
  const one = { name: 'trading', symbol: 'btc-usdt' };
  const modes = async () => {
    const [stop] = (await readSwitches(stage.context.connection)).stops;
    return [
      stop?.mode,
      stop?.resumesTo,
      (await stage.commands()).at(-1)?.split(/status |, auction/)[1],
    ];
  };
  await stage.execute(STOP, { ...one, mode: 'post-only' });
  assert.deepEqual(await modes(), ['post-only', 'full', 'post-only']);
  await stage.execute(STOP, one);
  assert.deepEqual(await modes(), ['cancel-only', 'full', 'cancel-only']);
  await stage.execute(STOP, { name: 'trading', mode: 'paused' });
  assert.deepEqual(await modes(), ['paused', 'full', 'paused']);
  // A softer mode is rejected, or has no effect if it does not name the market and the mode.
  await assert.rejects(stage.execute(STOP, { ...one, mode: 'post-only' }), /stop_is_softer/);
  await stage.execute(STOP, one);
  await stage.execute(STOP, { name: 'trading', mode: 'post-only' });
  assert.deepEqual(await modes(), ['paused', 'full', 'paused']);
  const softer = { ...one, mode: 'post-only' };
  assert.equal(await stage.approvals(RESUME, softer), 1);
  assert.equal(await stage.approvals(RESUME, { name: 'trading', mode: 'post-only' }), 2);
  assert.equal(await stage.approvals(RESUME, { ...one, mode: 'paused' }), 'nothing_stopped');
  await stage.execute(RESUME, softer);
  assert.deepEqual(await modes(), ['post-only', 'full', 'post-only']);
  await stage.execute(RESUME, one);
  assert.deepEqual(await modes(), [undefined, undefined, 'full']);
});

test('a market closed by an operator stays closed after a stricter stop ends', async (ending) => {
  const stage = await openStage(ending);
  await stage.project(`update markets set status = 'cancel-only'`);
  await stage.execute(STOP, { name: 'trading' });
  assert.deepEqual((await readSwitches(stage.context.connection)).stops, []);
  await stage.execute(STOP, { name: 'trading', mode: 'paused' });
  await stage.execute(RESUME, { name: 'trading' });
  assert.equal(
    (await stage.commands()).at(-1),
    'SetMarketStatus market 1, status cancel-only, auctionEndsMs 0',
  );
});

test('the exchange, logins and the intake of services stop with a reason', async (ending) => {
  const stage = await openStage(ending);
  const { connection } = stage.context;
  const intake = { name: 'intake', service: 'notifier' };
  for (const target of [{ name: 'writes' }, { name: 'logins' }, intake]) {
    assert.equal(await stage.approvals(STOP, target), 'switch_target_invalid', 'no reason');
    await stage.execute(STOP, { ...target, reason: 'breach', banner: 'We are looking into it.' });
  }
  const { stops } = await readSwitches(connection);
  assert.deepEqual(
    stops.map(({ banner, name, object, reason }) => [name, object, reason, banner]),
    [
      ['intake', 'notifier', 'breach', 'We are looking into it.'],
      ['logins', '', 'breach', 'We are looking into it.'],
      ['writes', '', 'breach', 'We are looking into it.'],
    ],
  );
  assert.equal(await stage.approvals(RESUME, { name: 'writes' }), 2);
  assert.equal(await stage.approvals(RESUME, { name: 'logins' }), 2);
  assert.equal(await stage.approvals(RESUME, intake), 1);
  for (const target of [{ name: 'writes' }, { name: 'logins' }, intake]) {
    await stage.execute(RESUME, target);
  }
  assert.deepEqual((await readSwitches(connection)).stops, []);
});

test('a target that does not fit its switch is rejected', async (ending) => {
  const stage = await openStage(ending);
  const reason = 'breach';
  const targets = [
    { name: 'writes', symbol: 'btc', reason },
    { name: 'deposits', symbol: 'btc', mode: 'paused' },
    { name: 'intake', reason },
    { name: 'accounts', reason },
    { name: 'accounts', tier: 2, group: 1, reason },
    { name: 'accounts', tier: 2 },
  ];
  for (const target of targets) {
    const refusal = await stage.approvals(STOP, target);
    assert.equal(refusal, 'switch_target_invalid', JSON.stringify(target));
  }
  const unknown = { name: 'deposits', symbol: 'xyz' };
  assert.equal(await stage.approvals(STOP, unknown), 'currency_invalid');
});

/** Ann is in tier 2, Bob in tier 2 and group 7, Cid in group 7; an operator is in both. */
async function openAccounts(ending: TestContext) {
  const stage = await openStage(ending);
  const { connection, operator } = stage.context;
  const userNamed = async (name: string) => {
    const user = await createUser(connection, { email: `${name}@example.com` });
    assert.ok(typeof user === 'object');
    return user.id;
  };
  const [ann, bob, cid] = [await userNamed('ann'), await userNamed('bob'), await userNamed('cid')];
  await connection.query('update users set verification_level = 2 where id = any($1)', [
    [ann, bob, operator.user],
  ]);
  for (const user of [bob, cid, operator.user]) {
    await setEngineSettings(connection, { user, group: 7 });
  }
  const states = async (...users: UserId[]) => {
    const { rows } = await connection.query(
      'select state from users where id = any($1) order by id',
      [users],
    );
    return rows.map(({ state }) => state).join(' ');
  };
  return { stage, connection, operator, ann, bob, cid, states };
}

test('a tier and a group are frozen, and a resume unfreezes exactly those', async (ending) => {
  const { ann, bob, cid, connection, operator, stage, states } = await openAccounts(ending);
  await connection.query(`update users set state = 'closing' where id = $1`, [ann]);
  const [tier, group] = [
    { name: 'accounts', tier: 2 },
    { name: 'accounts', group: 7 },
  ];
  const reason = 'a leaked list';
  assert.equal((await stage.execute(STOP, { ...tier, reason })).accounts, 2);
  assert.equal(await states(ann, bob, cid), 'frozen frozen active');
  assert.equal(await states(operator.user), 'active', 'never an operator');
  assert.equal((await stage.execute(STOP, { ...group, reason })).accounts, 2);
  // Bob is frozen by both.
  assert.equal((await stage.execute(RESUME, tier)).accounts, 1);
  assert.equal(await states(ann, bob, cid), 'closing frozen frozen');
  assert.equal(await stage.approvals(RESUME, group), 1);
  assert.equal((await stage.execute(RESUME, group)).accounts, 2);
  assert.equal(await states(ann, bob, cid), 'closing active active');
  const { rows } = await connection.query('select from stopped_accounts');
  assert.equal(rows.length, 0);
});

test('accounts frozen or unfrozen by others are left alone', async (ending) => {
  const { ann, bob, cid, connection, stage, states } = await openAccounts(ending);
  const users = { name: 'accounts', users: [ann, bob, cid] };
  const reason = 'a leaked list';
  await connection.query(`update users set state = 'frozen' where id = $1`, [ann]);
  assert.equal((await stage.execute(STOP, { ...users, reason })).accounts, 2);
  // Bob was unfrozen by an operator, and frozen again for another reason.
  await connection.query(`update users set state_since = now() where id = $1`, [bob]);
  assert.equal(await stage.approvals(RESUME, users), 1);
  assert.equal((await stage.execute(RESUME, users)).accounts, 1);
  assert.equal(await states(ann, bob, cid), 'frozen frozen active');
});

test('a switch freezes neither operators nor their accounts', async (ending) => {
  const { ann, connection, operator, stage, states } = await openAccounts(ending);
  const sub = await createSubUser(connection, { parent: operator.user, kind: 'sub' });
  const reason = 'a leaked list';
  for (const user of [operator.user, sub, 999]) {
    const payload = { name: 'accounts', users: [user], reason };
    await assert.rejects(stage.execute(STOP, payload), /switch_without_accounts/);
  }
  await stage.execute(STOP, { name: 'accounts', tier: 2, reason });
  assert.equal(await states(operator.user, ann, sub), 'active frozen active');
});

test('the impact counts orders, users, requests and money before a stop', async (ending) => {
  const { ann, bob, connection, stage } = await openAccounts(ending);
  await stage.project(`
    update markets set status = 'full';
    create table if not exists orders_all partition of orders default;
    insert into orders (number, user_id, key_id, market_id, side, type, time_in_force, self_trade,
      post_only, quick, price_ticks, size_lots, stop_ticks, maker_fee_ppm, taker_fee_ppm,
      filled_lots, filled_quote_atoms, fee_atoms, status, close_reason, client_order_id, note,
      created_at, created_frame, updated_at, updated_frame)
    select n, case when n < 3 then ${ann} else ${bob} end, 0, 1, side, 'limit', 'GTC', 'off', false,
      false, 5000000, 30, 0, 0, 0, filled, 0, 0, status, reason, '', '', now(), 1, now(), 1
    from (values (1, 'buy', 10, 'pfilled', null), (2, 'sell', 0, 'new', null),
      (3, 'sell', 0, 'new', null), (4, 'sell', 30, 'filled', 'filled'))
      as o (n, side, filled, status, reason);
    insert into balances values (${ann}, 1, 100, 50, now(), 1), (${ann}, 2, 7, 0, now(), 1)`);
  await connection.query(`
    update coins set estimated_price = 1 where symbol = 'usdt';
    insert into sessions (user_id, token_hash, scopes, expires_at, revoked_at) values
      (${ann}, sha256('1'), '{}', '2030-01-01', null),
      (${ann}, sha256('2'), '{}', '2030-01-01', null),
      (${bob}, sha256('3'), '{}', '2030-01-01', '2020-01-01');
    insert into withdrawal_requests (kind, user_id, asset_id, currency, scale, amount_atoms,
      fee_asset_id, fee_currency, fee_scale, fee_atoms, address, network, transaction_id, state)
    select 'withdrawal', ${ann}, 2, 'usdt', 6, 2500000, 2, 'usdt', 6, 1, 'a', 'eth', 't', state
    from unnest('{in_review,completed,canceled}'::text[]) state`);
  const read = async (target: object) => {
    const impact = await readImpact(stage.context, target as Parameters<typeof readImpact>[1]);
    const { orders, unpriced, users, value, value_currency, waiting } = impact;
    const money = impact.money.map(({ amount, currency }) => `${amount} ${currency}`).join(', ');
    return `${orders} ${users} ${waiting} | ${money} | ${value} ${value_currency} ${unpriced}`;
  };
  // 20 lots at 50,000 and 60 lots; a lot is 0.0001 btc.
  const trading = '3 2 0 | 0.006 btc, 100 usdt | 100 usdt btc';
  assert.equal(await read({ name: 'trading', symbol: 'btc-usdt' }), trading);
  assert.equal(await read({ name: 'trading' }), trading);
  assert.equal(await read({ name: 'withdrawals' }), '0 1 1 | 2.5 usdt | 2.5 usdt ');
  assert.equal(await read({ name: 'withdrawals', symbol: 'btc' }), '0 0 0 |  | 0 usdt ');
  assert.equal(await read({ name: 'deposits' }), '0 0 0 |  | 0 usdt ');
  assert.equal(await read({ name: 'logins' }), '0 1 0 |  | 0 usdt ');
  assert.equal(await read({ name: 'writes' }), '3 1 1 | 0.006 btc, 152.5 usdt | 152.5 usdt btc');
  assert.equal(
    await read({ name: 'accounts', tier: 2 }),
    '3 2 0 | 0.0000015 btc, 0.000007 usdt | 0.000007 usdt btc',
  );
  await connection.query('update coins set estimated_price = 60000 where symbol = $1', ['btc']);
  const { value } = await readImpact(stage.context, { name: 'trading' });
  assert.equal(value, '460');
  await stage.execute(STOP, { name: 'trading' });
  assert.equal(await read({ name: 'intake', service: 'outbox-dispatcher' }), '0 0 1 |  | 0 usdt ');
});

test('one operator sets, replaces and removes a banner', async (ending) => {
  const stage = await openStage(ending);
  const { connection } = stage.context;
  assert.equal(await stage.approvals(SET_BANNER, { kind: 'info', text: ' ' }), 'banner_empty');
  await stage.execute(SET_BANNER, { kind: 'info', text: 'Upgrade at noon.' });
  await stage.execute(SET_BANNER, { kind: 'incident', text: 'Withdrawals are late.' });
  const { banner, version } = await readSwitches(connection);
  assert.deepEqual([banner?.kind, banner?.text, version], ['incident', 'Withdrawals are late.', 3]);
  await stage.execute(REMOVE_BANNER, {});
  await stage.execute(REMOVE_BANNER, {});
  const after = await readSwitches(connection);
  assert.deepEqual([after.banner, after.version], [undefined, 4]);
});
