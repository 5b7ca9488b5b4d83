// Each route belongs to one module, and a gateway serves only its modules' routes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorAnswer, type Route, routes } from '../../protocol/index.ts';
import { gatewayConfig } from './config.ts';
import {
  features,
  GATEWAY_MODULES,
  moduleOf,
  reasonNotOffered,
  servedRoutes,
} from './served-routes.ts';

const DEVELOPMENT = { isDevelopment: true };

test('all modules together serve every route once', () => {
  const names = servedRoutes(GATEWAY_MODULES, DEVELOPMENT).map(({ name }) => name);
  assert.deepEqual(names.sort(), Object.keys(routes).sort());
  const parts = GATEWAY_MODULES.flatMap((module) => servedRoutes([module], DEVELOPMENT));
  assert.equal(parts.length, names.length);
});

test('the admin module has exactly the operator routes', () => {
  const paths = servedRoutes(['admin'], DEVELOPMENT).map(({ route }) => route.path);
  assert.ok(paths.length > 0 && paths.every((path) => path.startsWith('/v2/admin/')));
  const others = servedRoutes(['public', 'user', 'identity'], DEVELOPMENT);
  assert.ok(others.every(({ route }) => !route.path.startsWith('/v2/admin/')));
  assert.ok(others.every(({ route }) => route.permission.who !== 'operator'));
});

test('everything below /v2/user belongs to the user module, so proxies can route by path', () => {
  assert.equal(moduleOf(routes.getWithdrawalFee), 'user');
  assert.equal(moduleOf(routes.getQuote), 'public');
  assert.equal(moduleOf(routes.executeQuote), 'user');
});

test('only operator reads that count or record something are guarded, and all of them are', () => {
  const handlers = new Set(Object.values(features).flatMap(Object.values));
  const served = servedRoutes(GATEWAY_MODULES, DEVELOPMENT);
  const guarded = served.filter(({ handler }) => !handlers.has(handler));
  const expected = served.filter(
    ({ route }) =>
      route.permission.who === 'operator' &&
      (route.lookUp === true || Object.hasOwn(route.query.properties, 'format')),
  );
  assert.ok(guarded.length > 0);
  assert.deepEqual(guarded, expected);
});

test('development routes exist only in development', () => {
  const names = servedRoutes(GATEWAY_MODULES, { isDevelopment: false }).map(({ name }) => name);
  assert.ok(!names.includes('signForDevelopment'));
});

test('an unknown module is rejected', () => {
  assert.throws(
    () => gatewayConfig({ RIALTO_GATEWAY_MODULES: 'public,users' }),
    /RIALTO_GATEWAY_MODULES is "public,users" \(expected .* list of public, .*, identity\)/,
  );
});

test('a stream URL with a path is rejected', () => {
  assert.throws(
    () => gatewayConfig({ RIALTO_STREAM_URL: 'ws://127.0.0.1:4001/stream' }),
    /RIALTO_STREAM_URL is ".*" \(expected a ws:\/\/ URL with host and port only\)/,
  );
});

const cases: [path: string, isNotOffered: boolean][] = [
  ['/v2/admin/broker', true],
  ['/v2/admin/broker/markets', true],
  ['/v2/admin/p2p/dispute', true],
  ['/v2/p2p/deal', true],
  ['/v2/plugins', true],
  ['/v2/admin/upload', true],
  ['/v2/admin/order/match', true],
  ['/v2/admin/order', false],
  ['/v2/admin/brokers', false],
  ['/v2/unknown', false],
];
for (const [path, isNotOffered] of cases) {
  test(`${path} is ${isNotOffered ? 'not offered' : 'an ordinary path'}`, () => {
    assert.equal(reasonNotOffered(path) !== undefined, isNotOffered);
  });
}

test('no served route is an unsupported path', () => {
  const served = Object.values<Route>(routes).map(({ path }) => path);
  assert.deepEqual(
    served.filter((path) => reasonNotOffered(path) !== undefined),
    [],
  );
});

test('an unsupported path returns 501 with the reason', () => {
  const detail = reasonNotOffered('/v2/admin/order/match') ?? '';
  const { body, status } = errorAnswer('not_offered', 'en', { detail });
  assert.equal(status, 501);
  assert.equal(
    body.message,
    'Rialto does not support this: orders are filled by their order book only',
  );
});
