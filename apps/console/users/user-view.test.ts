// User page: labels, actions and rows.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actsOn, balanceRows, isAtMarket, marksOf, noteWith, orderKind } from './user-view.ts';

const NOW = Date.parse('2026-11-17T12:00:00.000Z');
const USER = {
  id: 17,
  activated: true,
  email_verified: true,
  flagged: false,
  is_subaccount: false,
  otp_enabled: true,
  role: null,
  state: 'active',
  withdrawal_blocked: null,
};

test('the header labels everything unusual, most severe first', () => {
  const table: [Partial<typeof USER> | object, string][] = [
    [{}, ''],
    [{ activated: false, state: 'frozen' }, 'frozen'],
    [{ activated: false, state: 'closing' }, 'closing'],
    [{ activated: false, state: 'erased' }, 'erased'],
    [{ withdrawal_blocked: '2026-11-17T12:00:01.000Z' }, 'blocked'],
    [{ withdrawal_blocked: '2026-11-17T11:59:59.000Z' }, ''],
    [{ flagged: true, activated: false, state: 'frozen' }, 'frozen flagged'],
    [{ email_verified: false, otp_enabled: false }, 'unverified noFactor'],
    [{ role: 'support' }, 'operator'],
    [{ is_subaccount: true, otp_enabled: false }, 'sub'],
  ];
  for (const [change, names] of table) {
    const marks = marksOf({ ...USER, ...change }, NOW).map(({ name }) => name);
    assert.equal(marks.join(' '), names);
  }
});

test('the actions depend on the account state and the role', () => {
  const acts = (change: object, may = (_act: string) => true, id = 1) =>
    actsOn({ ...USER, ...change }, { id, may }, NOW).map(({ name }) => name);
  assert.deepEqual(acts({}), [
    'freeze',
    'block',
    'flag',
    'level',
    'resetFactors',
    'discount',
    'role',
    'reveal',
    'delete',
  ]);
  assert.ok(acts({ activated: false, state: 'frozen' }).includes('unfreeze'));
  assert.ok(!acts({}).includes('unfreeze'));
  assert.ok(acts({ withdrawal_blocked: '2027-01-01T00:00:00.000Z' }).includes('unblock'));
  assert.deepEqual(acts({ state: 'closing', activated: false }), ['flag', 'reveal', 'restore']);
  assert.deepEqual(
    acts({}, (act) => act === 'flagUser'),
    ['flag'],
  );
  assert.deepEqual(acts({}, undefined, 17), [], 'the own account');
});

test('a reason is added to the note without changing the rest', () => {
  const line = { at: '2026-11-17T12:00:00.000Z', act: 'freeze', reason: 'ticket 12' };
  assert.equal(noteWith('', line), '2026-11-17 12:00 freeze: ticket 12');
  assert.equal(noteWith('VIP\n', line), 'VIP\n2026-11-17 12:00 freeze: ticket 12');
});

test('balances are rows that show the amount on hold', () => {
  const balance = {
    user_id: 17,
    updated_at: '2026-11-17T12:00:00.000Z',
    usdt_balance: '100.50',
    usdt_available: '40.25',
    btc_balance: '1',
    btc_available: '1',
    eth_balance: '0',
    eth_available: '0',
  };
  assert.deepEqual(balanceRows(balance), [
    { currency: 'btc', total: '1', available: '1', held: '0' },
    { currency: 'usdt', total: '100.50', available: '40.25', held: '60.25' },
  ]);
  assert.equal(balanceRows(balance, true).length, 3);
});

test('a stop order is named as one, and only a limit has a price', () => {
  const kind = (type: string, price: string | null, stop: string | null) => {
    const order = { type, price, stop };
    return `${orderKind(order)} ${isAtMarket(order)}`;
  };
  assert.equal(kind('limit', '10', null), 'limit false');
  assert.equal(kind('market', '0', null), 'market true');
  assert.equal(kind('market', '0', '9'), 'stop true');
  assert.equal(kind('limit', '10', '9'), 'stop_limit false');
});
