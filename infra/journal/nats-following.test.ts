// Where a delivered message stands, read from the subject that the server wants it answered at.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeOf } from './nats-following.ts';

test('the place of a message is read from both forms in which servers write it', () => {
  const place = { sequence: 8_123, delivery: 12 };
  assert.deepEqual(placeOf('$JS.ACK.LOG.cjd8s.1.8123.12.1700000000000000000.4'), place);
  const longer = '$JS.ACK.hub.ACCOUNT.LOG.cjd8s.1.8123.12.1700000000000000000.4.x';
  assert.deepEqual(placeOf(longer), place);
});

test('what is not a message of the stream has no place', () => {
  assert.equal(placeOf('$JS.FC.LOG.cjd8s.abc'), undefined);
  assert.equal(placeOf(''), undefined);
  assert.equal(placeOf(undefined), undefined);
});
