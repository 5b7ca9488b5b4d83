// The table of default roles is complete: a new call of operators is assigned to roles on purpose.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Route, routes } from '../../protocol/index.ts';
import { ADMINISTRATOR_ONLY, AREAS } from './role-table.ts';

const assigned = [...AREAS.flatMap(({ calls }) => calls), ...ADMINISTRATOR_ONLY];
const existing = Object.values<Route>(routes)
  .filter(({ isFile, permission }) => permission.who === 'operator' && isFile !== true)
  .map(({ method, path }) => `${path.slice('/v2'.length)}:${method.toLowerCase()}`);

test('abuse 38: every call of operators is in the table, or is left to the administrator', () => {
  const missing = existing.filter((call) => !assigned.includes(call));
  assert.deepEqual(missing, [], 'add them to testing/operators/role-table.ts and to the migration');
});

test('no call is in two areas', () => {
  const twice = assigned.filter((call, at) => assigned.indexOf(call) !== at);
  assert.deepEqual(twice, []);
});

test('no role holds a call that does not exist', () => {
  const unknown = assigned.filter((call) => !existing.includes(call));
  assert.deepEqual(unknown, []);
});
