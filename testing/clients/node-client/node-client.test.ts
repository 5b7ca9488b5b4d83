// The recorded methods are complete, and their requests are written like the client writes them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HAPPY_CALLS } from './happy-calls.ts';
import { RECORDED_METHODS } from './recorded-methods.ts';
import { recordedRequest } from './replay-request.ts';

const requestOf = (name: string, given: object) =>
  recordedRequest(RECORDED_METHODS.find((one) => one.name === name)!, { ...given });

test('66 methods are recorded, each with arguments', () => {
  const names = RECORDED_METHODS.map(({ name }) => name);
  assert.equal(new Set(names).size, 66);
  assert.deepEqual(Object.keys(HAPPY_CALLS).toSorted(), names.toSorted());
});

test('queries begin with ?& in lists, and files have a path', () => {
  assert.equal(requestOf('getTicker', { symbol: 'btc-usdt' }).path, '/v2/ticker?symbol=btc-usdt');
  assert.equal(requestOf('getDeposits', {}).path, '/v2/user/deposits');
  assert.equal(
    requestOf('getDeposits', { limit: 2, currency: 'btc' }).path,
    '/v2/user/deposits?&currency=btc&limit=2',
  );
  assert.equal(
    requestOf('getExchangeUsers', { id: 3, format: 'csv' }).path,
    '/v2/admin/users/csv?&id=3&format=csv',
  );
  assert.equal(requestOf('getExchangeUserBalances', {}).path, '/v2/admin/balances?');
  assert.equal(
    requestOf('getExchangeUserBalances', { '/csv': true, format: 'csv' }).path,
    '/v2/admin/balances?/csv&format=csv',
  );
});

test('bodies have their names in the client order', () => {
  const { body } = requestOf('mint', { amount: 1, user_id: 2, currency: 'eur', fee: 0.5 });
  assert.equal(body, '{"user_id":2,"currency":"eur","amount":1,"fee":0.5}');
  assert.equal(requestOf('deleteExchangeUser', { user_id: 4 }).body, '{"user_id":4}');
});
