// Matrix of calls and roles.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { grantedBy, matrixOf, powersOf, toggled } from './role-matrix.ts';

const ROLES = [{ permissions: ['*'] }, { permissions: ['/admin/users:get'] }, { permissions: [] }];

test('every call has a row, and `*` grants every call', () => {
  const calls = ['/admin/users:get', '/admin/user/note:put', '/admin/user:delete'];
  assert.deepEqual(matrixOf(calls, ROLES), [
    {
      area: 'user',
      rows: [
        { call: '/admin/user/note:put', has: [true, false, false] },
        { call: '/admin/user:delete', has: [true, false, false] },
      ],
    },
    { area: 'users', rows: [{ call: '/admin/users:get', has: [true, true, false] }] },
  ]);
  assert.deepEqual(
    matrixOf(calls, ROLES, ' NOTE').flatMap(({ rows }) => rows.map(({ call }) => call)),
    ['/admin/user/note:put'],
  );
});

test('powers are listed once', () => {
  const role = (...powers: string[]) => ({ restrictions: { powers, money_ceiling: null } });
  assert.deepEqual(powersOf([role('export'), role('approve.money', 'export'), role()]), [
    'approve.money',
    'export',
  ]);
});

test('an edited role shows what it gains', () => {
  const role = {
    permissions: ['/admin/users:get'],
    restrictions: { powers: ['export'], money_ceiling: null },
  };
  const permissions = toggled(role.permissions, '/admin/orders:get');
  assert.deepEqual(permissions, ['/admin/users:get', '/admin/orders:get']);
  assert.deepEqual(toggled(permissions, '/admin/users:get'), ['/admin/orders:get']);
  const powers = ['export', 'break_glass'];
  assert.deepEqual(grantedBy(role, { permissions, powers }), ['/admin/orders:get', 'break_glass']);
  assert.deepEqual(grantedBy(undefined, { permissions: [], powers: ['export'] }), ['export']);
});
