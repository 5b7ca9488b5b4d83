// Cursor and checkpoint in a real stream: reads return what was written, and a partial or damaged
// checkpoint is never used.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { feedSubjects } from '../../infra/live-feed/index.ts';
import { startNatsForTest } from '../../testing/nats/nats-for-test.ts';
import { feedStream } from './nats-feed.ts';
import { feedStateStream, NatsFeedStore } from './nats-feed-store.ts';
import { ensureStream } from './nats-streams.ts';

// A loaded machine responds late; this test does not measure speed.
const PATIENT = { timeout: 30_000 };

test('a checkpoint is used only if it is complete', async (context) => {
  const { connect } = await startNatsForTest(context, { nodes: 1 });
  const nats = await connect();
  const subjects = feedSubjects('rialto');
  const config = feedStateStream(subjects, 1);
  await ensureStream(nats, config);
  await ensureStream(nats, config);
  const problems: unknown[] = [];
  const onProblem = (problem: unknown) => problems.push(problem);
  const store = new NatsFeedStore({ nats, subjects, onProblem });
  const ask = <Value>(question: (done: (value: Value) => void) => void) =>
    new Promise<Value>(question);
  const readCheckpoint = () => ask(store.readCheckpoint.bind(store));
  const write = (message: number, chunks: Uint8Array[]) =>
    ask((done) => store.writeCheckpoint({ message, chunks }, done));

  assert.equal(await ask(store.readCursor.bind(store)), 'none');
  assert.equal(await readCheckpoint(), 'none');
  assert.equal(await ask((done) => store.writeCursor(0, done)), true);
  assert.equal(await ask(store.readCursor.bind(store)), 0);
  assert.equal(await ask((done) => store.writeCursor(17, done)), true);
  assert.equal(await ask(store.readCursor.bind(store)), 17);

  // Random bytes do not compress: three messages.
  const [first, second] = [randomBytes(1_200_000), randomBytes(700_000)];
  assert.equal(await write(5, [first.subarray(0, 10), first.subarray(10)]), true);
  assert.ok(first.equals((await readCheckpoint()) as Uint8Array));
  assert.equal(await write(9, [second]), true);
  assert.ok(second.equals((await readCheckpoint()) as Uint8Array));

  // A writer killed before the head has only touched the unused slot.
  await nats.client.request(`${subjects.state}.0.0`, randomBytes(1_000), PATIENT);
  assert.ok(second.equals((await readCheckpoint()) as Uint8Array));
  assert.deepEqual(problems, []);

  await nats.client.request(`${subjects.state}.1.1`, randomBytes(1_000), PATIENT);
  assert.equal(await readCheckpoint(), 'none');
  assert.match(String(problems[0]), /checkpoint at message 9 is damaged/);
  assert.equal(await write(11, [first]), true);
  assert.ok(first.equals((await readCheckpoint()) as Uint8Array));
});

test('a stream with the same name and other settings is rejected', async (context) => {
  const { connect } = await startNatsForTest(context, { nodes: 1 });
  const nats = await connect();
  const config = feedStream(feedSubjects('rialto'), 1);
  await ensureStream(nats, { ...config, storage: 'file' });
  await assert.rejects(ensureStream(nats, config), /exists with other settings/);
});
