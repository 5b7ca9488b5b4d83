// The switches that a gateway enforces: which routes it refuses while the exchange is read-only or
// its intake is stopped, and what clients get.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as turn } from 'node:timers/promises';
import { sessionRow } from '../../features/auth/credentials/access-for-test.ts';
import { defineRoute, NO_QUERY, type Route } from '../../protocol/wire/index.ts';
import { serveForTest as world } from './serve-route-for-test.ts';

const user = { who: 'user', scope: 'can_trade', sessions: true } as const;
const operator = { who: 'operator', scope: 'can_trade', sessions: true } as const;

const READ_ONLY = [400, 2034, undefined];
const STOPPED = [503, 2035, '10'];
const SERVED = [200, undefined, undefined];
/** The key of the test has no role. */
const REACHED = [403, undefined, undefined];

type Answered = (number | string | undefined)[];

const table: [what: string, route: Partial<Route>, readOnly: Answered, stopped: Answered][] = [
  ['a read', { effect: 'read' }, SERVED, STOPPED],
  ['a write', { effect: 'write' }, READ_ONLY, STOPPED],
  ['a write that works read-only', { effect: 'write', worksReadOnly: true }, SERVED, STOPPED],
  ['a cancel', { effect: 'cancel' }, SERVED, STOPPED],
  ['a read for logins', { effect: 'read', worksStopped: true }, SERVED, SERVED],
  ['a write of operators', { effect: 'write', permission: operator }, REACHED, REACHED],
  ['a public read', { effect: 'read', permission: { who: 'anyone' } }, SERVED, STOPPED],
  ['a public write', { effect: 'write', permission: { who: 'anyone' } }, READ_ONLY, STOPPED],
];

for (const [what, change, readOnly, stopped] of table) {
  test(`${what}: ${readOnly[0]} if read-only, ${stopped[0]} if intake is stopped`, async () => {
    const { send, switches } = await world(routeOf(change), () => ({}));
    const answered = async (): Promise<Answered> => {
      const { headers, statusCode, body } = await send();
      const { code } = JSON.parse(body);
      const isOurs = code === 2034 || code === 2035;
      return [statusCode, isOurs ? code : undefined, headers['retry-after'] as string | undefined];
    };
    const open = await answered();
    switches.isReadOnly = true;
    assert.deepEqual(await answered(), readOnly);
    switches.isIntakeStopped = () => true;
    assert.deepEqual((await answered())[0], stopped[0]);
    switches.isReadOnly = false;
    assert.deepEqual(await answered(), stopped);
    switches.isIntakeStopped = () => false;
    assert.deepEqual(await answered(), open);
  });
}

test('people read in their language that the exchange is read-only', async () => {
  const { clock, registry, sendInSession, switches } = await world(routeOf({}), () => ({}));
  registry.sessions = [sessionRow({ owner_language: 'de' })];
  switches.isReadOnly = true;
  const sent = sendInSession('203.0.113.9');
  await turn();
  clock.advance(0);
  assert.match((await sent).json().message, /schreibgeschützt/);
});

test('a refused request does not use up its signature or the rate limit', async () => {
  const { send, switches } = await world(routeOf({ effect: 'write', weight: 10 }), () => ({}));
  switches.isReadOnly = true;
  assert.equal((await send('?same')).statusCode, 400);
  switches.isReadOnly = false;
  assert.equal((await send('?same')).statusCode, 200);
});

function routeOf(change: Partial<Route>): Route {
  return defineRoute({
    method: 'DELETE',
    path: '/v2/thing',
    summary: '',
    description: '',
    tag: '',
    permission: user,
    effect: 'write',
    weight: 1,
    query: NO_QUERY,
    status: 200,
    response: NO_QUERY,
    ...change,
  });
}
