// Calls that Rialto does not offer say so.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorAnswer, type Route, routes } from '../../protocol/index.ts';
import { reasonNotOffered } from './not-offered.ts';

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

test('no served route is one of them', () => {
  const served = Object.values<Route>(routes).map(({ path }) => path);
  assert.deepEqual(
    served.filter((path) => reasonNotOffered(path) !== undefined),
    [],
  );
});

test('the answer is 501 with the reason', () => {
  const detail = reasonNotOffered('/v2/admin/order/match') ?? '';
  const { body, status } = errorAnswer('not_offered', 'en', { detail });
  assert.equal(status, 501);
  assert.equal(
    body.message,
    'Rialto does not offer this: orders are filled by their order book only',
  );
});
