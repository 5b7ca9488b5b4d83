// Changes to a market's status.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { peopleFor, STATUSES, statusBody } from './status-view.ts';

test('stopping needs no approval, starting needs one, and delisting needs two', () => {
  const people = Object.fromEntries(STATUSES.map((status) => [status, peopleFor(status)]));
  assert.deepEqual(people, {
    full: 1,
    auction: 1,
    'post-only': 1,
    'cancel-only': 0,
    paused: 0,
    maintenance: 0,
    'pre-launch': 0,
    migration: 0,
    inactive: 0,
    delisted: 2,
  });
});

test('only an auction has a duration, and it must be within its limits', () => {
  const code = 'btc-usdt';
  assert.deepEqual(statusBody(code, 'full', '600'), { code, status: 'full' });
  assert.deepEqual(statusBody(code, 'auction', ''), { code, status: 'auction' });
  const auction = { code, status: 'auction', auction_seconds: 600 };
  assert.deepEqual(statusBody(code, 'auction', '600'), auction);
  for (const wrong of ['0', '1.5', '604801', 'x']) {
    assert.equal(statusBody(code, 'auction', wrong), undefined);
  }
});
