// A request's steps through one route: charges and permissions before the signature is consumed,
// and the responses to faults.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as turn } from 'node:timers/promises';
import { sessionRow } from '../../features/auth/credentials/access-for-test.ts';
import { CommitUnknown } from '../../infra/postgres/index.ts';
import { StreamedAnswer } from '../../platform/http/index.ts';
import { routes } from '../../protocol/index.ts';
import {
  defineRoute,
  FormatIn,
  listFile,
  listQuery,
  NO_QUERY,
  person,
  Refused,
  type Route,
} from '../../protocol/wire/index.ts';
import { OPERATOR_ADDRESS, serveForTest as world } from './serve-route-for-test.ts';
import { createChecks } from './validation.ts';

const mayTrade = { who: 'user', scope: 'can_trade', sessions: true } as const;
const mayWithdraw = { who: 'user', scope: 'can_withdraw', sessions: true } as const;

function routeOf(effect: Route['effect'], permission: Route['permission'] = mayTrade): Route {
  return defineRoute({
    method: 'DELETE',
    path: '/v2/thing',
    summary: '',
    description: '',
    tag: '',
    permission,
    effect,
    weight: 4,
    query: NO_QUERY,
    status: 200,
    response: NO_QUERY,
  });
}

const bug = new Error('a bug');
const away = new Error('Connection terminated unexpectedly');
const unknown = new CommitUnknown('not answered');
const table: [effect: Route['effect'], fault: Error, status: number, code: number][] = [
  ['read', bug, 500, 90],
  ['write', bug, 504, 2033],
  ['cancel', bug, 504, 2033],
  ['read', away, 503, 81],
  ['write', away, 503, 81],
  ['write', unknown, 504, 2033],
];

for (const [effect, fault, status, code] of table) {
  for (const isLate of [false, true]) {
    const when = isLate ? 'later' : 'immediately';
    test(`${fault.name} '${fault.message}' in a ${effect}, ${when}, is ${status}`, async () => {
      const { faults, send } = await world(routeOf(effect), () => {
        if (isLate) return Promise.reject(fault);
        throw fault;
      });
      const answer = await send();
      assert.equal(answer.statusCode, status);
      assert.equal(answer.json().code, code);
      assert.deepEqual(faults, [fault]);
    });
  }
}

test('a write over the rate limit can be sent again unchanged, and is accepted once', async () => {
  const { access, clock, send } = await world(routeOf('write'), () => ({}));
  assert.equal((await send()).statusCode, 200);
  assert.equal((await send()).statusCode, 200);
  assert.equal((await send('?again')).statusCode, 429);
  assert.equal(access.sizes.signatures, 2, 'refused requests use no memory');
  clock.advance(8_000);
  assert.equal((await send('?again')).statusCode, 200);
  const replayed = await send('?again');
  assert.deepEqual([replayed.statusCode, replayed.json().code], [409, 2002]);
});

test('addresses in one IPv6 /64 share the limit for anonymous requests', async () => {
  const { server } = await world(routeOf('read', { who: 'anyone' }), () => ({}));
  const statuses: number[] = [];
  const addresses = ['2001:db8:1:2::1', '2001:db8:1:2::2', '2001:db8:1:2:ffff::3', '2001:db8:9::1'];
  for (const remoteAddress of addresses) {
    const answer = await server.inject({ method: 'DELETE', url: '/v2/thing', remoteAddress });
    statuses.push(answer.statusCode);
  }
  assert.deepEqual(statuses, [200, 200, 429, 200]);
});

test('every 429 has a retry time, even if its handler sets none', async () => {
  const { send } = await world(routeOf('write'), () => new Refused('factor_blocked'));
  const answer = await send();
  assert.deepEqual([answer.statusCode, answer.headers['retry-after']], [429, '300']);
});

test('a forbidden request costs its weight but does not consume its signature', async () => {
  const { access, send } = await world(routeOf('write', mayWithdraw), () => ({}));
  const statuses = [];
  for (let at = 0; at < 3; at += 1) statuses.push((await send()).statusCode);
  assert.deepEqual(statuses, [403, 403, 429]);
  assert.equal(access.sizes.signatures, 0);
});

for (const permission of [{ who: 'person' }, person] as const) {
  test(`a key gets 403 where a ${permission.who} needs a session, and can be reused`, async () => {
    const { access, send } = await world(routeOf('write', permission), () => ({}));
    const answer = await send();
    assert.deepEqual([answer.statusCode, answer.json().code], [403, 2018]);
    assert.equal(access.sizes.signatures, 0);
  });
}

test('an operator outside the allowed addresses cannot use the role', async () => {
  const operator = { who: 'operator', scope: 'can_read', sessions: true } as const;
  const role = { owner_role: 'admin', owner_permissions: ['*'], scopes: ['user', 'admin'] };
  for (const [address, status] of [
    [OPERATOR_ADDRESS, 200],
    ['203.0.113.9', 403],
  ] as const) {
    const { clock, registry, sendInSession } = await world(routeOf('read', operator), () => ({}));
    registry.sessions = [sessionRow(role)];
    const sent = sendInSession(address);
    await turn();
    clock.advance(0);
    assert.equal((await sent).statusCode, status, address);
  }
});

const operatorList = defineRoute({
  method: 'GET',
  path: '/v2/admin/things',
  summary: '',
  description: '',
  tag: '',
  permission: { who: 'operator', scope: 'can_read', sessions: true },
  roles: [],
  effect: 'read',
  weight: 1,
  query: listQuery({ format: FormatIn }),
  status: 200,
  response: NO_QUERY,
  csv: true,
});
const listCases: [path: string, powers: readonly string[], status: number][] = [
  ['/v2/admin/things', [], 200],
  ['/v2/admin/things?format=csv', [], 403],
  ['/v2/admin/things?format=all', ['pii.unmasked'], 403],
  ['/v2/admin/things?format=csv', ['export'], 200],
  ['/v2/admin/things/csv', [], 403],
  ['/v2/admin/things/csv', ['export'], 202],
];
for (const [path, owner_powers, status] of listCases) {
  test(`${path} of a role that may read the list, with [${owner_powers}]: ${status}`, async () => {
    const [url, query = ''] = path.split('?');
    const route = url.endsWith('/csv') ? listFile(operatorList) : operatorList;
    const formats: unknown[] = [];
    const { clock, registry, sendInSession } = await world(route, ({ query }) => {
      formats.push((query as { format?: string }).format);
      return {};
    });
    const role = { owner_role: 'clerk', owner_permissions: ['/admin/things:get'] };
    registry.sessions = [sessionRow({ ...role, owner_powers, scopes: ['user', 'clerk'] })];
    const sent = sendInSession(OPERATOR_ADDRESS, query === '' ? '' : `?${query}`);
    await turn();
    clock.advance(0);
    const answer = await sent;
    assert.equal(answer.statusCode, status);
    if (status === 403) assert.equal(answer.json().code, 2609);
    const isExport = owner_powers.includes('export');
    const handled = status === 403 ? [] : [isExport ? 'csv' : undefined];
    assert.deepEqual(formats, handled, 'a refused export does not reach its handler');
  });
}

test('a stream that fails in the middle is cut off and reported', async (t) => {
  const { faults, server } = await world(routeOf('read', { who: 'anyone' }), () => {
    const chunks = (async function* () {
      yield 'id\r\n';
      throw bug;
    })();
    return new StreamedAnswer({ status: 202, type: 'text/csv', chunks });
  });
  t.after(() => server.close());
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  await assert.rejects(async () => {
    const answer = await fetch(`${url}/v2/thing`, { method: 'DELETE' });
    await answer.text();
  });
  assert.deepEqual(faults, [bug]);
});

test('file names are safe in headers', async () => {
  const { send } = await world(routeOf('read'), () => {
    const chunks = (async function* () {
      yield 'id\r\n';
    })();
    return new StreamedAnswer({ status: 202, type: 'text/csv', fileName: '交易 "x".csv', chunks });
  });
  const { headers } = await send();
  assert.equal(headers['content-disposition'], 'attachment; filename="-x-.csv"');
});

const texts: [query: object, detail: string][] = [
  [{}, 'Parameter (order_id) or Parameter (client_order_id) is required'],
  [{ order_id: '1', client_order_id: 'a' }, 'Only one of (order_id, client_order_id) may be sent'],
];

for (const [query, detail] of texts) {
  test(`an order by ${JSON.stringify(query)}: ${detail}`, () => {
    const check = createChecks().input(routes.getOrder.query);
    const refused = check(query);
    assert.ok(refused instanceof Refused && refused.details.detail === detail);
  });
}

const operator = { who: 'operator', scope: 'can_trade', sessions: true } as const;

const READ_ONLY = [400, 2034, undefined];
const STOPPED = [503, 2035, '10'];
const SERVED = [200, undefined, undefined];
/** The test's key has no role. */
const REACHED = [403, undefined, undefined];

type Answered = (number | string | undefined)[];

const SWITCH_CASES: [what: string, route: Partial<Route>, readOnly: Answered, stopped: Answered][] =
  [
    ['a read', { effect: 'read' }, SERVED, STOPPED],
    ['a write', { effect: 'write' }, READ_ONLY, STOPPED],
    ['a risk-reducing write', { effect: 'write', worksReadOnly: true }, SERVED, STOPPED],
    ['a cancel', { effect: 'cancel' }, SERVED, STOPPED],
    ['a read for logins', { effect: 'read', worksStopped: true }, SERVED, SERVED],
    ['an operator write', { effect: 'write', permission: operator }, REACHED, REACHED],
    ['a public read', { effect: 'read', permission: { who: 'anyone' } }, SERVED, STOPPED],
    ['a public write', { effect: 'write', permission: { who: 'anyone' } }, READ_ONLY, STOPPED],
  ];

for (const [what, change, readOnly, stopped] of SWITCH_CASES) {
  test(`${what}: ${readOnly[0]} if read-only, ${stopped[0]} if intake is stopped`, async () => {
    const { send, switches } = await world(switchableRoute(change), () => ({}));
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

test('users get the read-only refusal in their language', async () => {
  const { clock, registry, sendInSession, switches } = await world(switchableRoute({}), () => ({}));
  registry.sessions = [sessionRow({ owner_language: 'de' })];
  switches.isReadOnly = true;
  const sent = sendInSession('203.0.113.9');
  await turn();
  clock.advance(0);
  assert.match((await sent).json().message, /schreibgeschützt/);
});

test('a refused request consumes neither its signature nor the rate limit', async () => {
  const { send, switches } = await world(
    switchableRoute({ effect: 'write', weight: 10 }),
    () => ({}),
  );
  switches.isReadOnly = true;
  assert.equal((await send('?same')).statusCode, 400);
  switches.isReadOnly = false;
  assert.equal((await send('?same')).statusCode, 200);
});

function switchableRoute(change: Partial<Route>): Route {
  return { ...routeOf('write'), weight: 1, ...change };
}
