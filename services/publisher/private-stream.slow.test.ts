// The stream that captures user events, on a real server: it is created, captures messages, is
// created again after a loss, and is resized without losing anything.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../infra/process/index.ts';
import { startNatsForTest } from '../../testing/nats/nats-for-test.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import { requestStreamApi } from './nats-streams.ts';
import { PrivateStream } from './private-stream.ts';

const MEBIBYTE = 1_048_576;
const PATIENCE_MS = 20_000;

type Info = { state?: { messages: number }; config?: { max_bytes?: number; max_age?: number } };

test('user events are captured', async (context) => {
  const { connect } = await startNatsForTest(context, { nodes: 1 });
  const nats = await connect();
  const problems: unknown[] = [];
  const open = async (bytesMax: number) => {
    const stream = new PrivateStream({
      nats,
      clock: systemClock,
      exchange: 'rialto',
      subject: 'rialto.private',
      replicas: 1,
      bytesMax,
      onProblem: (problem) => problems.push(problem),
    });
    await stream.start();
    context.after(() => stream.stop());
    return stream;
  };
  const info = async () => (await requestStreamApi(nats, 'INFO.RIALTO_PRIVATE', {})) as Info;
  const kept = async () => (await info()).state?.messages;

  const first = await open(MEBIBYTE);
  nats.client.publish('rialto.private.7', 'one');
  nats.client.publish('rialto.private.8', 'two');
  await waitUntil({
    what: 'both are captured',
    timeoutMs: PATIENCE_MS,
    question: async () => (await kept()) === 2,
  });
  first.stop();

  await open(2 * MEBIBYTE);
  const { config } = await info();
  assert.deepEqual([config?.max_bytes, config?.max_age], [2 * MEBIBYTE, 600_000_000_000]);
  assert.equal(await kept(), 2);

  // After a reconnect the publisher checks that the stream exists.
  await requestStreamApi(nats, 'DELETE.RIALTO_PRIVATE', {});
  assert.equal(await kept(), undefined);
  await nats.client.reconnect();
  // A request in flight at a disconnect has no response.
  const exists = () =>
    kept().then(
      (count) => count === 0,
      () => false,
    );
  await waitUntil({ what: 'the stream exists again', timeoutMs: PATIENCE_MS, question: exists });
  assert.deepEqual(problems, []);
});

test('a stream with that name and other subjects is rejected', async (context) => {
  const { connect } = await startNatsForTest(context, { nodes: 1 });
  const nats = await connect();
  const other = { name: 'RIALTO_PRIVATE', subjects: ['other.>'], storage: 'memory' };
  await requestStreamApi(nats, 'CREATE.RIALTO_PRIVATE', other);
  const stream = new PrivateStream({
    nats,
    clock: systemClock,
    exchange: 'rialto',
    subject: 'rialto.private',
    replicas: 1,
    bytesMax: MEBIBYTE,
    onProblem: () => {},
  });
  await assert.rejects(stream.start(), /RIALTO_PRIVATE exists with other settings/);
});
