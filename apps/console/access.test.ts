// Console access by role: which operators can open it, and their screens and buttons.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ACTS, may, permissionOf, SCREENS, screensOf, standingOf } from './access.ts';

const USER = { id: 7, email: 'a@example.com', otp_enabled: true };
const CALLS = ['/admin/health:get', '/admin/burn:put'];

test('the console is for operators with a second factor', () => {
  const table: [string, Parameters<typeof standingOf>[0], number | undefined][] = [
    ['unknown', undefined, undefined],
    ['signed-out', null, undefined],
    ['no-role', USER, 1],
    ['no-role', { ...USER, permissions: [] }, 1],
    ['unknown', { ...USER, otp_enabled: false }, undefined],
    ['in', { ...USER, permissions: CALLS }, undefined],
    ['in', { ...USER, otp_enabled: false, permissions: CALLS }, 1],
    ['unknown', { ...USER, otp_enabled: false, permissions: CALLS }, undefined],
    ['no-factor', { ...USER, otp_enabled: false, permissions: CALLS }, 0],
  ];
  for (const [expected, user, passkeys] of table) {
    assert.equal(standingOf(user, passkeys).kind, expected);
  }
  // In production the role appears only after a second factor, so the console offers to add one.
  const without = standingOf({ ...USER, otp_enabled: false }, 0);
  assert.deepEqual(without, { kind: 'no-role', email: USER.email, hasFactor: false });
});

test('a role sees only the screens for which it has every call', () => {
  const namesOf = (permissions: string[], powers: string[] = []) =>
    screensOf({ permissions, powers }).map(({ name }) => name);
  assert.deepEqual(namesOf([]), ['overview']);
  assert.deepEqual(namesOf(['/admin/health:get']), ['overview', 'health']);
  assert.deepEqual(namesOf(['/admin/pairs:get']), ['overview']);
  assert.deepEqual(namesOf(['/admin/pairs:get', '/admin/coins:get']), ['overview', 'markets']);
  assert.deepEqual(namesOf(['/admin/deposits:get']), ['overview'], 'without the search');
  assert.deepEqual(namesOf(['/admin/deposits:get'], ['pii.search']), ['overview', 'deposits']);
  assert.equal(namesOf(['*'], ['pii.search']).length, SCREENS.length);
});

test('a button needs its call and its power', () => {
  const permissions = ['/admin/burn:put', '/admin/switches/stop:post'];
  assert.equal(may({ permissions, powers: [] }, 'settleWithdrawal'), true);
  assert.equal(may({ permissions, powers: [] }, 'approveWithdrawal'), false);
  assert.equal(may({ permissions, powers: ['approve.money'] }, 'approveWithdrawal'), true);
  assert.equal(may({ permissions: [], powers: ['approve.money'] }, 'approveWithdrawal'), false);
  assert.equal(may({ permissions, powers: ['switch.resume'] }, 'stop'), false);
  assert.equal(may({ permissions: ['*'], powers: [] }, 'stop'), false);
});

test('every screen has a unique path, and no path belongs to the gateway', () => {
  assert.equal(new Set(SCREENS.map(({ path }) => path)).size, SCREENS.length);
  // The gateway serves these paths: see services/gateway-http/screens.ts.
  const isTaken = /^\/(?:v\d|api|docs|stream|metrics|health|ready|confirm)(?:\/|$)/;
  assert.ok(SCREENS.every(({ path }) => !isTaken.test(path)));
  assert.equal(permissionOf(ACTS.setBand.call), '/admin/pair/band:put');
});
