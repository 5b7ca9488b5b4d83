// Stops, modes, and the approvals needed to undo them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Constants, SwitchState } from '../../../client/index.ts';
import {
  coinRows,
  marketRows,
  modesFrom,
  peopleToResume,
  resumeBodyOf,
  stopOf,
  stopsOf,
} from './switch-view.ts';

function stopped(object: string, at: string, mode: string | null = null) {
  const what = {
    resumes_to: mode === null ? null : 'full',
    stopped_by: 3,
    reason: 'r',
    banner: '',
  };
  return { object, mode, stopped_at: at, ...what };
}

const SWITCHES: SwitchState[] = [
  { name: 'trading', stopped: [stopped('btc-usdt', '2026-11-17T10:00:00Z', 'cancel-only')] },
  { name: 'withdrawals', stopped: [stopped('', '2026-11-17T12:00:00Z')] },
  { name: 'deposits', stopped: [stopped('btc', '2026-11-17T11:00:00Z')] },
  { name: 'intake', stopped: [stopped('notifier', '2026-11-17T09:00:00Z')] },
  { name: 'accounts', stopped: [stopped('tier 3', '2026-11-17T08:00:00Z')] },
];

test('every stop is listed with its target, newest first', () => {
  assert.deepEqual(
    stopsOf(SWITCHES).map(({ target }) => target),
    [
      { name: 'withdrawals' },
      { name: 'deposits', symbol: 'btc' },
      { name: 'trading', symbol: 'btc-usdt' },
      { name: 'intake', service: 'notifier' },
      { name: 'accounts', symbol: 'tier 3' },
    ],
  );
});

test('a stop of everything differs from a stop of one asset', () => {
  const stops = stopsOf(SWITCHES);
  assert.equal(stopOf(stops, { name: 'withdrawals', symbol: 'btc' }), undefined);
  assert.equal(stopOf(stops, { name: 'withdrawals' })?.object, '');
  assert.equal(stopOf(stops, { name: 'deposits', symbol: 'btc' })?.object, 'btc');
});

test('a stop can only become stricter', () => {
  assert.deepEqual(modesFrom(undefined), ['post-only', 'cancel-only', 'paused']);
  assert.deepEqual(modesFrom({ mode: 'cancel-only' }), ['cancel-only', 'paused']);
  assert.deepEqual(modesFrom({ mode: 'paused' }), ['paused']);
});

test('resuming the entire exchange needs two approvals, resuming a part needs one', () => {
  const table: [1 | 2, Parameters<typeof peopleToResume>[0]][] = [
    [2, { name: 'trading' }],
    [2, { name: 'withdrawals' }],
    [2, { name: 'writes' }],
    [2, { name: 'logins' }],
    [1, { name: 'trading', symbol: 'btc-usdt' }],
    [1, { name: 'deposits', symbol: 'btc' }],
    [1, { name: 'intake', service: 'notifier' }],
    [1, { name: 'accounts', symbol: 'tier 3' }],
  ];
  for (const [people, target] of table) assert.equal(peopleToResume(target), people);
});

test('accounts are resumed by the group, tier or user that was stopped', () => {
  const body = (object: string) =>
    resumeBodyOf({ object, target: { name: 'accounts', symbol: object } });
  assert.deepEqual(body('group 7'), { name: 'accounts', group: 7 });
  assert.deepEqual(body('tier 3'), { name: 'accounts', tier: 3 });
  assert.deepEqual(body('user 17'), { name: 'accounts', users: [17] });
  assert.deepEqual(resumeBodyOf({ object: 'btc', target: { name: 'deposits', symbol: 'btc' } }), {
    name: 'deposits',
    symbol: 'btc',
  });
});

test('markets and assets show their state and their stop', () => {
  const constants = {
    pairs: { 'eth-usdt': { status: 'full' }, 'btc-usdt': { status: 'cancel-only' } },
    coins: { btc: { allow_deposit: false, allow_withdrawal: true } },
  } as unknown as Constants;
  const stops = stopsOf(SWITCHES);
  assert.deepEqual(
    marketRows(constants, stops).map(({ status, stop, symbol }) => [symbol, status, stop?.mode]),
    [
      ['btc-usdt', 'cancel-only', 'cancel-only'],
      ['eth-usdt', 'full', undefined],
    ],
  );
  const [btc] = coinRows(constants, stops);
  assert.deepEqual([btc.deposits, btc.withdrawals], [false, true]);
  assert.equal(btc.stops.deposits?.object, 'btc');
  assert.equal(btc.stops.withdrawals, undefined);
});
