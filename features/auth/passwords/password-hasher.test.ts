// Tests that passwords are hashed with argon2id, in a bounded queue in which known devices come
// first.

import assert from 'node:assert/strict';
import { argon2Sync } from 'node:crypto';
import { test } from 'node:test';
import { FakeClock } from '../../../infra/process/clock-for-test.ts';
import { createMetrics, systemClock } from '../../../infra/process/index.ts';
import {
  HashQueueFull,
  isBelowMinimum,
  PasswordHasher,
  passwordTagOf,
  passwordTagText,
} from './password-hasher.ts';
import { passwordHasherTelemetry } from './password-hasher-telemetry.ts';

const KNOWN = { isKnownDevice: true };
const STRANGER = { isKnownDevice: false };
const hasher = new PasswordHasher({ clock: systemClock });

// RFC 9106, section 5.3.
test("the runtime's argon2id matches the standard", () => {
  const tag = argon2Sync('argon2id', {
    message: Buffer.alloc(32, 1),
    nonce: Buffer.alloc(16, 2),
    secret: Buffer.alloc(8, 3),
    associatedData: Buffer.alloc(12, 4),
    parallelism: 4,
    tagLength: 32,
    memory: 32,
    passes: 3,
  });
  assert.equal(
    tag.toString('hex'),
    '0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659',
  );
});

test('only the same password and tag verify', async () => {
  const tag = await hasher.hash('correct horse', STRANGER);
  const other = await hasher.hash('correct horse', STRANGER);
  assert.deepEqual([tag.memory, tag.passes, tag.lanes], [19_456, 2, 1]);
  assert.notDeepEqual(tag.tag, other.tag);
  assert.equal(await hasher.verify('correct horse', tag, KNOWN), true);
  assert.equal(await hasher.verify('correct horsf', tag, KNOWN), false);
  assert.equal(await hasher.verify('correct horse', { ...tag, salt: other.salt }, KNOWN), false);
  assert.equal(await hasher.verify('correct horse', undefined, KNOWN), false);
});

test('passwords are not truncated: the last of 128 characters matters', async () => {
  const long = '🐘'.repeat(127);
  const tag = await hasher.hash(`${long}a`, STRANGER);
  assert.equal(await hasher.verify(`${long}b`, tag, STRANGER), false);
});

test('both encodings of an accent are the same password', async () => {
  const tag = await hasher.hash('caf\u00e9 caf\u00e9', STRANGER);
  assert.equal(await hasher.verify('cafe\u0301 cafe\u0301', tag, STRANGER), true);
});

test('a tag survives serialization, and weaker parameters are recognized', async () => {
  const tag = await hasher.hash('correct horse', STRANGER);
  const again = passwordTagOf(passwordTagText(tag));
  assert.deepEqual(again, { ...tag, salt: Buffer.from(tag.salt) });
  assert.equal(await hasher.verify('correct horse', again, STRANGER), true);
  assert.equal(isBelowMinimum(tag), false);
  assert.equal(isBelowMinimum({ ...tag, memory: 12_288 }), true);
  assert.equal(isBelowMinimum({ ...tag, passes: 1 }), true);
});

test('known devices are hashed first', async () => {
  const one = new PasswordHasher({ clock: systemClock, threads: 1 });
  const order: string[] = [];
  const log = (name: string) => () => void order.push(name);
  await Promise.all([
    one.verify('a', undefined, STRANGER).then(log('running')),
    one.verify('b', undefined, STRANGER).then(log('stranger')),
    one.verify('c', undefined, KNOWN).then(log('known')),
  ]);
  assert.deepEqual(order, ['running', 'known', 'stranger']);
});

test('strangers cannot fill the queue, and a full queue rejects immediately', async () => {
  const metrics = createMetrics();
  const watcher = passwordHasherTelemetry(metrics);
  const limits = { threads: 1, queueMax: 4, strangersMax: 2 };
  const one = new PasswordHasher({ clock: systemClock, watcher, ...limits });
  const ask = (priority: typeof KNOWN) =>
    one.verify('x', undefined, priority).catch((fault: Error) => fault.name);
  const priorities = [STRANGER, STRANGER, STRANGER, STRANGER, KNOWN, KNOWN, KNOWN];
  const answers = await Promise.all(priorities.map(ask));
  assert.deepEqual(answers, [false, false, false, 'HashQueueFull', false, false, 'HashQueueFull']);
  const text = await metrics.text();
  assert.match(text, /rialto_password_hashes_refused_total 2/);
  assert.match(text, /rialto_password_hashes_waiting 0/);
  assert.match(text, /rialto_password_hash_ms_count 5/);
});

test('a password queued longer than the limit is rejected when a thread is free', async () => {
  const clock = new FakeClock();
  const one = new PasswordHasher({ clock, threads: 1, waitMsMax: 2_000 });
  const running = one.verify('a', undefined, STRANGER);
  const late = assert.rejects(one.verify('b', undefined, STRANGER), HashQueueFull);
  clock.advance(2_001);
  const inTime = one.verify('c', undefined, STRANGER);
  assert.deepEqual(await Promise.all([running, late, inTime]), [false, undefined, false]);
});
