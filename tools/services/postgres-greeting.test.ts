// The bytes of PostgreSQL's first messages.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freePorts } from './free-ports.ts';
import { greetPostgres, messageTypes, startupMessage } from './postgres-greeting.ts';

test('the first message has its length, the protocol and the names', () => {
  const names = Buffer.from('user\0me\0database\0d\0\0').toString('hex');
  assert.equal(
    startupMessage({ user: 'me', database: 'd' }).toString('hex'),
    `0000001c00030000${names}`,
  );
});

test('only complete messages are counted', () => {
  const rights = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]);
  const ready = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);
  assert.equal(messageTypes(Buffer.concat([rights, ready])), 'RZ');
  assert.equal(messageTypes(Buffer.concat([rights, ready.subarray(0, 5)])), 'R');
  assert.equal(messageTypes(Buffer.alloc(0)), '');
});

test('a port without a server is not listening', async () => {
  const [port] = await freePorts(1);
  assert.equal(await greetPostgres({ port, user: 'me', database: 'd' }), 'not-listening');
});
