// Through one route: handlers get their client, responses set cookies, and cookies identify
// callers.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sessionRow, TOKEN } from '../../features/auth/credentials/access-for-test.ts';
import { type Call, type Handler, JsonAnswer, sessionCookie } from '../../platform/http/index.ts';
import { routes } from '../../protocol/index.ts';
import { defineRoute, NO_QUERY, Refused, type Route, Type } from '../../protocol/wire/index.ts';
import { serveForTest } from './serve-route-for-test.ts';

const OWN_PAGE = { 'x-rialto-client': '1', 'sec-fetch-site': 'same-origin' };
const COOKIE = { cookie: `__Host-rialto=${TOKEN}` };

function routeOf(changes: Partial<Route> = {}): Route {
  return defineRoute({
    method: 'GET',
    path: '/v2/thing',
    summary: '',
    description: '',
    tag: '',
    permission: { who: 'anyone' },
    effect: 'read',
    weight: 1,
    query: NO_QUERY,
    status: 200,
    response: Type.Object({}),
    ...changes,
  });
}

async function ask(
  route: Route,
  handler: Handler<Route>,
  { headers = {}, row = {}, url = '/v2/thing' } = {},
) {
  const { clock, registry, server } = await serveForTest(route, handler);
  registry.sessions = [sessionRow(row)];
  const { method } = route;
  const answer = server.inject({ method, url, headers, remoteAddress: '2001:db8:1:2:3::4' });
  // The test's clock starts the session read.
  const tick = setInterval(() => clock.advance(0), 1);
  return await answer.finally(() => clearInterval(tick));
}

test('a handler receives its client', async () => {
  const seen: Call['client'][] = [];
  const handler: Handler<Route> = ({ client }) => {
    seen.push(client);
    return {};
  };
  const cookie = '__Host-rialto-device=d; __Host-rialto-flow=f';
  const headers = {
    ...OWN_PAGE,
    cookie,
    'user-agent': 'x'.repeat(600),
    origin: 'https://e.example',
  };
  await ask(routeOf(), handler, { headers });
  await ask(routeOf(), handler);
  const [browser, program] = seen;
  assert.deepEqual(
    [browser.deviceToken, browser.flowToken, browser.isBrowserApp, browser.origin],
    ['d', 'f', true, 'https://e.example'],
  );
  assert.equal(browser.userAgent.length, 512);
  assert.deepEqual(
    [program.deviceToken, program.flowToken, program.isBrowserApp, program.origin],
    [undefined, undefined, false, undefined],
  );
  assert.deepEqual([program.address, program.network], ['2001:db8:1:2:3::4', '2001:db8:1:2::/64']);
});

test('a response can have cookies, another status, and a location', async () => {
  const cookies = [
    sessionCookie('terminal', 'a.b.c', 90_500),
    { name: 'flow', value: '', maxAgeS: 0 } as const,
  ];
  const location = 'https://exchange.example/confirm#x';
  const made = new JsonAnswer({}, { status: 301, cookies, location });
  const answer = await ask(routeOf(), () => made);
  assert.equal(answer.statusCode, 301);
  assert.equal(answer.headers.location, location);
  const rest = 'HttpOnly; SameSite=Strict; Secure';
  assert.deepEqual(answer.headers['set-cookie'], [
    `__Host-rialto=a.b.c; Path=/; Max-Age=90; ${rest}`,
    `__Host-rialto-flow=; Path=/; Max-Age=0; ${rest}`,
  ]);
});

test('a refusal can set a cookie too', async () => {
  const answer = await ask(routeOf(), () => {
    const cookies = [{ name: 'flow', value: 'f', maxAgeS: 60 } as const];
    return new JsonAnswer(new Refused('login_suspicious'), { cookies });
  });
  assert.equal(answer.statusCode, 401);
  assert.match(`${answer.headers['set-cookie']}`, /^__Host-rialto-flow=f;/);
});

test('path parameters are decoded and checked', async () => {
  const params = Type.Object({ code: Type.String({ maxLength: 8 }), page: Type.Integer() });
  const route = routeOf({ path: '/v2/thing/:code/:page', params });
  let seen: unknown;
  const handler: Handler<Route> = (call) => {
    seen = call.params;
    return {};
  };
  const good = await ask(route, handler, { url: '/v2/thing/a%2Fb/7' });
  assert.equal(good.statusCode, 200);
  assert.deepEqual({ ...(seen as object) }, { code: 'a/b', page: 7 });
  for (const url of ['/v2/thing/123456789/7', '/v2/thing/a/x']) {
    assert.equal((await ask(route, handler, { url })).statusCode, 400, url);
  }
});

describe('abuse 16: session fixation', () => {
  // A login route that returns a new token, regardless of the client's token.
  const login: Handler<Route> = ({ caller }) => {
    assert.equal(caller, undefined);
    return new JsonAnswer({}, { cookies: [sessionCookie('terminal', 'new', 60_000)] });
  };
  for (const [what, headers] of [
    ['a cookie', { ...COOKIE, ...OWN_PAGE }],
    ['a cookie from another page', COOKIE],
    ['a bearer token', { authorization: `Bearer ${TOKEN}` }],
    ['both', { ...COOKIE, authorization: `Bearer ${TOKEN}` }],
  ] as const) {
    test(`abuse 16: ${what} sent to a login is ignored and replaced`, async () => {
      const answer = await ask(routeOf(), login, { headers });
      assert.equal(answer.statusCode, 200);
      assert.match(`${answer.headers['set-cookie']}`, /^__Host-rialto=new;/);
    });
  }
});

describe('a session cookie', () => {
  const person = routeOf({ permission: { who: 'person' } });
  const mayIdentify = routeOf({ permission: { who: 'anyone', mayIdentify: true } });
  const whoIs: Handler<Route> = ({ caller }) => ({ user: caller?.user ?? null });

  test('identifies the caller, even where credentials are optional', async () => {
    for (const route of [person, mayIdentify]) {
      const answer = await ask(route, whoIs, { headers: { ...COOKIE, ...OWN_PAGE } });
      assert.deepEqual(answer.json(), { user: 5 });
    }
    assert.deepEqual((await ask(mayIdentify, whoIs)).json(), { user: null });
  });

  test('abuse 21: is refused from other pages, even where it is optional', async () => {
    for (const route of [person, mayIdentify]) {
      const answer = await ask(route, whoIs, { headers: COOKIE });
      assert.deepEqual([answer.statusCode, answer.json().code], [403, 2003]);
      assert.equal(answer.headers['set-cookie'], undefined);
    }
  });

  test('is deleted when the session is closed, because pages cannot delete it', async () => {
    const row = { revoked_at: new Date(0) };
    const answer = await ask(person, whoIs, { headers: { ...COOKIE, ...OWN_PAGE }, row });
    assert.equal(answer.statusCode, 401);
    assert.match(`${answer.headers['set-cookie']}`, /^__Host-rialto=; Path=\/; Max-Age=0;/);
  });

  test('abuse 21: changes nothing in a GET without the header, on any route', async () => {
    const changing = Object.values<Route>(routes).filter(
      ({ effect, method, permission }) =>
        method === 'GET' && effect !== 'read' && permission.who !== 'anyone',
    );
    const paths = changing.map(({ path }) => path);
    for (const path of ['/v2/logout', '/v2/user/deactivate', '/v2/admin/fees/settle']) {
      assert.ok(paths.includes(path), path);
    }
    for (const route of changing) {
      const url = route.path;
      const answer = await ask(route, () => assert.fail(`${url} was called`), {
        url,
        headers: { cookie: `__Host-rialto=${TOKEN}; __Host-rialto-console=${TOKEN}` },
      });
      assert.deepEqual([answer.statusCode, answer.json().code], [403, 2003], url);
    }
  });

  test('from the terminal opens no operator route, from the console no trading route', async () => {
    const operators = routeOf({ permission: { who: 'operator', scope: 'any', sessions: true } });
    const order = routeOf({
      permission: { who: 'user', scope: 'can_trade', sessions: true },
      effect: 'write',
    });
    const withdrawal = routeOf({ permission: { who: 'person' }, effect: 'write' });
    const ofConsole = { ...OWN_PAGE, 'x-rialto-client': 'console' };
    const consoleCookie = { cookie: `__Host-rialto-console=${TOKEN}` };
    for (const [route, headers] of [
      [operators, { ...COOKIE, ...OWN_PAGE }],
      [order, { ...consoleCookie, ...ofConsole }],
      [withdrawal, { ...consoleCookie, ...ofConsole }],
    ] as const) {
      const answer = await ask(route, whoIs, { headers });
      assert.deepEqual([answer.statusCode, answer.json().code], [403, 2003]);
    }
    const own = await ask(person, whoIs, { headers: { ...consoleCookie, ...ofConsole } });
    assert.deepEqual(own.json(), { user: 5 });
    const foreign = await ask(person, whoIs, { headers: { ...consoleCookie, ...OWN_PAGE } });
    assert.equal(foreign.statusCode, 401);
    // The role decides, so the cookie was accepted.
    const role = await ask(operators, whoIs, { headers: { ...consoleCookie, ...ofConsole } });
    assert.deepEqual([role.statusCode, role.json().code === 2003], [403, false]);
  });

  test('of a sub-account or a guest does not change credentials', async () => {
    const headers = { ...COOKIE, ...OWN_PAGE };
    for (const kind of ['sub', 'shared']) {
      const refused = await ask(person, whoIs, { headers, row: { kind } });
      assert.deepEqual([refused.statusCode, refused.json().code], [403, 2315]);
      const any = routeOf({ permission: { who: 'person', anySession: true } });
      assert.equal((await ask(any, whoIs, { headers, row: { kind } })).statusCode, 200);
    }
  });
});
