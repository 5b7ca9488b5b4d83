// User event history read from a real stream: from any position, across repeats, and only as far
// back as the stream goes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Nats } from '../../../infra/bus/index.ts';
import { encodeUserEvents } from '../../../infra/live-feed/index.ts';
import { systemClock } from '../../../infra/process/index.ts';
import { startNatsForTest } from '../../../testing/nats/nats-for-test.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import { EVENT_HISTORY_DEFAULTS, EventHistory } from './event-history.ts';

const PATIENCE_MS = 20_000;
const MEBIBYTE = 1_048_576;
const STREAM = 'RIALTO_PRIVATE';

type Info = { state: { messages: number; first_seq: number; last_seq: number } };

async function makeStream(nats: Nats, limits = {}): Promise<() => Promise<Info['state']>> {
  const config = {
    name: STREAM,
    subjects: ['rialto.private.>'],
    storage: 'memory',
    allow_direct: true,
    ...limits,
  };
  const ask = (question: string, body: object) =>
    nats.client.request(`$JS.API.STREAM.${question}.${STREAM}`, JSON.stringify(body));
  await ask('CREATE', config);
  return async () => (await ask('INFO', {})).json<Info>().state;
}

function say({ client }: Nats, user: number, frame: number, pad = 0): void {
  const after = { frame: Math.max(0, frame - 10), index: 0 };
  const text = `{"topic":"order","data":"${'x'.repeat(pad)}"}`;
  const messages = [{ index: 0, topic: 'order' as const, text }];
  client.publish(`rialto.private.${user}`, encodeUserEvents({ user, frame, after, messages }));
}

function open(nats: Nats, limits = {}) {
  const problems: unknown[] = [];
  const past = new EventHistory({
    ...EVENT_HISTORY_DEFAULTS,
    ...limits,
    nats,
    clock: systemClock,
    exchange: 'rialto',
    onProblem: (problem) => problems.push(problem),
  });
  const framesAfter = async (user: number, frame: number) => {
    const found = await past.read(user, { frame, index: 0 });
    return found && [found.reachesBack, ...found.events.map(({ last }) => last.frame)];
  };
  return { framesAfter, problems };
}

test('events are found starting at any frame, even after repeats', async (context) => {
  const { connect } = await startNatsForTest(context, { nodes: 1 });
  const nats = await connect();
  const state = await makeStream(nats);
  // Ten users, one per frame, repeatedly. Then the publisher is killed and repeats the last 50.
  const frames = [
    ...Array.from({ length: 1_000 }, (_, index) => index + 1),
    ...Array.from({ length: 60 }, (_, index) => index + 951),
  ];
  for (const frame of frames) say(nats, frame % 10, frame);
  await waitUntil({
    what: 'everything is stored',
    timeoutMs: PATIENCE_MS,
    question: async () => (await state()).messages === frames.length,
  });
  const { framesAfter, problems } = open(nats);
  for (const from of [2, 3, 500, 503, 504, 899, 949, 950, 951, 960, 999, 1_000, 1_005, 1_010]) {
    const found = await framesAfter(3, from);
    assert.ok(found !== undefined);
    const [reachesBack, ...told] = found;
    assert.equal(reachesBack, true);
    // Repeats may begin earlier; readers drop them by position.
    const wanted = frames.filter((frame) => frame % 10 === 3 && frame >= from);
    const got = told.map(Number).filter((frame) => frame >= from);
    assert.deepEqual(
      [...new Set(got)].sort((a, b) => a - b),
      [...new Set(wanted)],
      `${from}`,
    );
  }
  assert.deepEqual(await framesAfter(3, 1_011), [true]);
  assert.deepEqual((await framesAfter(3, 1))?.slice(0, 3), [false, 3, 13]);
  assert.deepEqual(await framesAfter(77, 400), [true]);
  assert.deepEqual(problems, []);
});

test('expired events are not found, and too many events are not read', async (context) => {
  const { connect } = await startNatsForTest(context, { nodes: 1 });
  const nats = await connect();
  const state = await makeStream(nats, { max_bytes: MEBIBYTE, discard: 'old' });
  for (let frame = 1; frame <= 2_000; frame += 1) say(nats, 1, frame, 1_000);
  await nats.client.flush();
  await waitUntil({
    what: 'all are stored, and the oldest are gone',
    timeoutMs: PATIENCE_MS,
    question: async () => {
      const { first_seq: first, last_seq: last } = await state();
      return last === 2_000 && first > 1;
    },
  });
  const { first_seq: first } = await state();
  const { framesAfter, problems } = open(nats, { messagesMax: 500 });
  assert.deepEqual((await framesAfter(1, 1_900))?.slice(0, 2), [true, 1_900]);
  assert.equal((await framesAfter(1, 1_900))?.length, 102);
  assert.equal(await framesAfter(1, 20), undefined, 'some 900 of them');
  const { framesAfter: all } = open(nats);
  assert.deepEqual((await all(1, 20))?.slice(0, 2), [false, first]);
  assert.deepEqual(problems, []);
});

test('an empty stream has no events, and a missing stream has no result', async (context) => {
  const { connect } = await startNatsForTest(context, { nodes: 1 });
  const nats = await connect();
  const { framesAfter } = open(nats);
  assert.equal(await framesAfter(1, 5), undefined);
  await makeStream(nats);
  const { framesAfter: again, problems } = open(nats);
  assert.deepEqual(await again(1, 5), [false]);
  assert.deepEqual(problems, []);
});
