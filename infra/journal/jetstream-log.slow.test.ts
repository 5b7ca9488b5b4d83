// The log on real servers: which appends are stored or refused, and that nothing is lost,
// duplicated or reordered when a server dies.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { type NatsForTest, startNatsForTest } from '../../testing/nats/nats-for-test.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import type { Nats } from '../bus/index.ts';
import { JetStreamLog, LOG_MESSAGE_BYTES_MAX } from './jetstream-log.ts';
import type { AppendOutcome, Extent } from './log-port.ts';
import { createStreams, journalNames } from './streams.ts';

// Generous, because a machine under load answers late.
const PATIENT = { timeout: 30_000 };

const EXCHANGE = 'test';
const { commands } = journalNames(EXCHANGE);

type Started = { servers: NatsForTest['servers']; nats: Nats; log: JetStreamLog };

async function start(context: TestContext, nodes: 1 | 3): Promise<Started> {
  const { servers, connect } = await startNatsForTest(context, { nodes });
  const nats = await connect();
  const mode = 'development';
  await createStreams(nats, { exchange: EXCHANGE, mode, replicas: nodes, monitorUrls: [] });
  return { servers, nats, log: openLog(nats) };
}

function openLog(nats: Nats, ackTimeoutMs = 2_000): JetStreamLog {
  return new JetStreamLog({ nats, ...commands, ackTimeoutMs });
}

function append(log: JetStreamLog, sequence: number, message: Uint8Array): Promise<AppendOutcome> {
  return new Promise((resolve) => log.append(sequence, message, resolve));
}

/** Without the server's clock, which must be that of this machine. */
async function extent(log: JetStreamLog): Promise<Extent | undefined> {
  const found = await new Promise<Extent | undefined>((resolve) => log.extent(resolve));
  if (found === undefined) return undefined;
  const { clockMs, idleMs: _, ...ends } = found;
  assert.ok(Math.abs(Date.now() - (clockMs ?? 0)) < 60_000, `the server's clock is ${clockMs}`);
  return ends;
}

function read(log: JetStreamLog, sequence: number): Promise<Uint8Array | undefined> {
  return new Promise((resolve) => log.read(sequence, resolve));
}

function text(bytes: Uint8Array | undefined): string | undefined {
  return bytes === undefined ? undefined : Buffer.from(bytes).toString();
}

test('messages are stored at their position or not at all, and read back', async (context) => {
  const { log, nats } = await start(context, 1);
  assert.deepEqual(await extent(log), { first: 1, last: 0 });
  assert.equal(await read(log, 1), undefined);
  assert.equal(await append(log, 1, Buffer.from('one')), 'stored');
  assert.equal(await append(log, 2, Buffer.from('two')), 'stored');
  assert.equal(await append(log, 2, Buffer.from('another two')), 'conflict');
  assert.equal(await append(log, 1, Buffer.from('another one')), 'conflict');
  assert.equal(await append(log, 9, Buffer.from('too far')), 'conflict');
  assert.deepEqual(await extent(log), { first: 1, last: 2 });
  assert.equal(text(await read(log, 1)), 'one');
  assert.equal(text(await read(log, 2)), 'two');
  assert.equal(await read(log, 3), undefined);

  const other = openLog(nats);
  assert.equal(await append(other, 3, Buffer.from('three')), 'stored');
  assert.equal(await append(log, 3, Buffer.from('mine')), 'conflict');
});

test('a follower gets existing and future messages from its start', async (context) => {
  const { log } = await start(context, 1);
  for (let n = 1; n <= 5; n += 1) await append(log, n, Buffer.from(`message ${n}`));
  const followed: [number, string | undefined][] = [];
  const following = log.follow(3, (sequence, bytes) => followed.push([sequence, text(bytes)]));
  await waitUntil({
    what: 'the existing messages arrived',
    timeoutMs: 30_000,
    question: () => followed.length === 3,
  });
  await append(log, 6, Buffer.from('message 6'));
  await waitUntil({
    what: 'the message arrived',
    timeoutMs: 30_000,
    question: () => followed.length === 4,
  });
  assert.deepEqual(
    followed,
    [3, 4, 5, 6].map((n) => [n, `message ${n}`]),
  );
  following.stop();
  await append(log, 7, Buffer.from('message 7'));
  const late: number[] = [];
  log.follow(7, (sequence) => late.push(sequence));
  await waitUntil({
    what: 'another message arrived',
    timeoutMs: 30_000,
    question: () => late.length === 1,
  });
  assert.equal(followed.length, 4);
});

test('a follower can start at a future message', async (context) => {
  const { log } = await start(context, 1);
  const followed: number[] = [];
  log.follow(3, (sequence) => followed.push(sequence));
  for (let n = 1; n <= 4; n += 1) await append(log, n, Buffer.from(`message ${n}`));
  await waitUntil({
    what: 'the message arrived',
    timeoutMs: 30_000,
    question: () => followed.length === 2,
  });
  assert.deepEqual(followed, [3, 4]);
});

test('the largest message is stored and read; a larger one throws', async (context) => {
  const { log } = await start(context, 3);
  const message = randomBytes(LOG_MESSAGE_BYTES_MAX);
  const larger = new Uint8Array(LOG_MESSAGE_BYTES_MAX + 1);
  assert.throws(() => log.append(1, larger, () => {}), RangeError);
  // A new stream of three servers may still choose its leader: the first outcome may be unknown.
  const question = async () => (await append(log, 1, message)) !== 'unknown';
  await waitUntil({ what: 'the message has an outcome', timeoutMs: 30_000, question });
  assert.deepEqual(await extent(log), { first: 1, last: 1 });
  assert.ok(message.equals((await read(log, 1))!));
  const isSame: boolean[] = [];
  log.follow(1, (_, bytes) => isSame.push(message.equals(bytes)));
  await waitUntil({
    what: 'the message arrived',
    timeoutMs: 30_000,
    question: () => isSame.length === 1,
  });
  assert.deepEqual(isSame, [true]);
});

test('a slow follower neither misses nor repeats a message', async (context) => {
  const { log } = await start(context, 1);
  const count = 1_000;
  const message = new Uint8Array(64 * 1024);
  await Promise.all(Array.from({ length: count }, (_, at) => append(log, at + 1, message)));
  let last = 0;
  log.follow(1, (sequence) => {
    assert.equal(sequence, last + 1);
    last = sequence;
    // Keeps the process busy longer than the silence after which a server is suspected.
    if (sequence % 300 === 0) busyFor(1_500);
  });
  await waitUntil({
    what: 'all messages arrived',
    timeoutMs: 30_000,
    question: () => last === count,
  });
});

function busyFor(ms: number): void {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
}

for (const nodes of [1, 3] as const) {
  test(`64 appends in flight are stored in order, on ${nodes} node(s)`, async (context) => {
    const { log } = await start(context, nodes);
    const count = 10_000;
    const messages = Array.from({ length: count }, (_, at) => numbered(at + 1, 2_048));
    const outcomes = await appendMany(log, messages, 64);
    assert.deepEqual(
      outcomes.filter((outcome) => outcome !== 'stored'),
      [],
    );
    assert.deepEqual(await extent(log), { first: 1, last: count });
    let next = 1;
    log.follow(1, (sequence, bytes) => {
      assert.equal(sequence, next);
      assert.ok(messages[next - 1].equals(bytes));
      next += 1;
    });
    await waitUntil({
      what: 'all messages arrived',
      timeoutMs: 30_000,
      question: () => next === count + 1,
    });
  });
}

function numbered(n: number, length: number): Buffer {
  const message = Buffer.alloc(length, n);
  message.writeUInt32LE(n);
  return message;
}

function appendMany(
  log: JetStreamLog,
  messages: readonly Uint8Array[],
  underWayMax: number,
): Promise<AppendOutcome[]> {
  const outcomes: AppendOutcome[] = [];
  let sentCount = 0;
  return new Promise((resolve) => {
    for (let count = 0; count < underWayMax; count += 1) next();
    function next(): void {
      if (sentCount === messages.length) return;
      sentCount += 1;
      log.append(sentCount, messages[sentCount - 1], (outcome) => {
        outcomes.push(outcome);
        if (outcomes.length === messages.length) resolve(outcomes);
        else next();
      });
    }
  });
}

test('an append without an acknowledgment ends as unknown, once', async (context) => {
  const { servers, nats } = await start(context, 1);
  const log = openLog(nats, 300);
  await servers.nodes[0].kill('SIGSTOP');
  const startMs = performance.now();
  const outcomes: AppendOutcome[] = [];
  for (const n of [1, 2, 3]) log.append(n, numbered(n, 100), (outcome) => outcomes.push(outcome));
  await waitUntil({
    what: 'all appends ended',
    timeoutMs: 30_000,
    question: () => outcomes.length === 3,
  });
  assert.ok(performance.now() - startMs >= 300);
  await servers.nodes[0].kill('SIGCONT');
  // They are stored after all, so `conflict` would have been wrong.
  const question = async () => (await extent(log))?.last === 3;
  await waitUntil({ what: 'the messages are stored', timeoutMs: 30_000, question });
  assert.deepEqual(outcomes, ['unknown', 'unknown', 'unknown']);
});

test('acknowledgments in the socket are read before an append times out', async (context) => {
  const { nats } = await start(context, 1);
  // Long enough for a busy server to store it, and shorter than the process is busy.
  const log = openLog(nats, 2_000);
  const outcome = append(log, 1, numbered(1, 100));
  await nats.client.flush();
  busyFor(2_500);
  assert.equal(await outcome, 'stored');
});

test('appends end as unknown immediately when the connection is lost', async (context) => {
  const { servers, nats } = await start(context, 1);
  // Far longer than the test waits: the timeout does not end them.
  const log = openLog(nats, 120_000);
  context.after(() => log.stop());
  await servers.nodes[0].kill('SIGSTOP');
  const outcomes: AppendOutcome[] = [];
  for (const n of [1, 2, 3]) log.append(n, numbered(n, 100), (outcome) => outcomes.push(outcome));
  await servers.nodes[0].kill('SIGKILL');
  await waitUntil({
    what: 'all appends ended',
    timeoutMs: 30_000,
    question: () => outcomes.length === 3,
  });
  assert.deepEqual(outcomes, ['unknown', 'unknown', 'unknown']);
  assert.equal(nats.isConnected, false);
  assert.equal(await append(log, 1, numbered(1, 100)), 'unknown');
  assert.equal(await extent(log), undefined);
  assert.equal(await read(log, 1), undefined);
});

test('stop() ends appends as unknown', async (context) => {
  const { servers, log } = await start(context, 1);
  await servers.nodes[0].kill('SIGSTOP');
  const outcome = append(log, 1, numbered(1, 100));
  log.stop();
  assert.equal(await outcome, 'unknown');
  await servers.nodes[0].kill('SIGCONT');
});

for (const nodes of [1, 3] as const) {
  const who = nodes === 1 ? 'the only server' : 'the leader of the stream';
  test(`nothing is lost, repeated or moved when ${who} dies`, async (context) => {
    const { servers, nats, log } = await start(context, nodes);
    const count = 3_000;
    const messages = Array.from({ length: count }, (_, at) => numbered(at + 1, 2_048));
    const followed: number[] = [];
    log.follow(1, (sequence, bytes) => {
      followed.push(sequence);
      assert.ok(messages[sequence - 1].equals(bytes));
    });
    let hasKilled = false;
    await appendMending(log, messages, (sequence) => {
      if (sequence < count / 3 || hasKilled) return;
      hasKilled = true;
      void killLeader({ servers, nats });
    });
    await waitUntil({
      what: 'all messages were delivered',
      timeoutMs: 60_000,
      question: () => followed.at(-1) === count,
    });
    assert.deepEqual(
      followed,
      messages.map((_, at) => at + 1),
    );
    assert.deepEqual(await extent(log), { first: 1, last: count });
    for (const sequence of [1, count / 3, count / 3 + 1, count]) {
      assert.ok(messages[sequence - 1].equals((await read(log, sequence))!));
    }
  });
}

// Simpler than LogWriter: one message at a time is enough here.
async function appendMending(
  log: JetStreamLog,
  messages: readonly Uint8Array[],
  onStored: (sequence: number) => void,
): Promise<void> {
  const deadlineMs = performance.now() + 300_000;
  for (let next = 1; next <= messages.length; ) {
    assert.ok(performance.now() < deadlineMs, `no progress after message ${next}`);
    if ((await append(log, next, messages[next - 1])) === 'stored') {
      onStored(next);
      next += 1;
      continue;
    }
    const found = await extent(log);
    if (found === undefined) await new Promise((resolve) => setTimeout(resolve, 50));
    else next = found.last + 1;
  }
}

async function killLeader({ servers, nats }: Omit<Started, 'log'>): Promise<void> {
  const answer = await nats.client.request(`$JS.API.STREAM.INFO.${commands.stream}`, '', PATIENT);
  const leader = answer.json<{ cluster?: { leader: string } }>().cluster?.leader;
  const node = servers.nodes.find(({ name }) => leader === undefined || name === leader)!;
  await node.kill('SIGKILL');
  await node.start();
}

test('a follower continues after its consumer was deleted', async (context) => {
  const { nats, log } = await start(context, 1);
  const followed: number[] = [];
  log.follow(1, (sequence) => followed.push(sequence));
  await append(log, 1, numbered(1, 100));
  await waitUntil({
    what: 'the follower received a message',
    timeoutMs: 30_000,
    question: () => followed.length === 1,
  });
  const answer = await nats.client.request(
    `$JS.API.CONSUMER.NAMES.${commands.stream}`,
    '',
    PATIENT,
  );
  const { consumers } = answer.json<{ consumers: string[] }>();
  assert.equal(consumers.length, 1);
  await nats.client.request(
    `$JS.API.CONSUMER.DELETE.${commands.stream}.${consumers[0]}`,
    '',
    PATIENT,
  );
  await append(log, 2, numbered(2, 100));
  await waitUntil({
    what: 'the follower continued',
    timeoutMs: 30_000,
    question: () => followed.length === 2,
  });
  assert.deepEqual(followed, [1, 2]);
  log.stop();
  const question = async () => {
    const names = await nats.client.request(
      `$JS.API.CONSUMER.NAMES.${commands.stream}`,
      '',
      PATIENT,
    );
    return (names.json<{ consumers: string[] | null }>().consumers ?? []).length === 0;
  };
  await waitUntil({ what: 'the server deleted the consumer', timeoutMs: 30_000, question });
});

function trim(log: JetStreamLog, first: number): Promise<boolean> {
  return new Promise((resolve) => log.trim(first, resolve));
}

for (const nodes of [1, 3] as const) {
  test(`a trimmed log keeps its end and its fence on ${nodes} server(s)`, async (context) => {
    const { log, nats, servers } = await start(context, nodes);
    for (let n = 1; n <= 40; n += 1) {
      assert.equal(await append(log, n, randomBytes(50_000)), 'stored');
    }
    assert.equal(await trim(log, 41), false, 'a purge beyond the end would move the end');
    assert.deepEqual(await extent(log), { first: 1, last: 40 });
    assert.equal(await trim(log, 30), true);
    assert.deepEqual(await extent(log), { first: 30, last: 40 });
    assert.equal(await read(log, 29), undefined);
    assert.equal((await read(log, 30))?.length, 50_000);
    assert.equal(await append(log, 40, Buffer.from('a former leader')), 'conflict');
    assert.equal(await trim(log, 40), true);
    // Only the last message is left when all servers are killed at the same time.
    await Promise.all(servers.nodes.map((node) => node.kill('SIGKILL')));
    await Promise.all(servers.nodes.map((node) => node.start()));
    await waitUntil({
      what: 'the log responds again',
      timeoutMs: 60_000,
      question: async () => nats.isConnected && (await extent(log)) !== undefined,
    });
    assert.deepEqual(await extent(log), { first: 40, last: 40 });
    assert.equal(await append(log, 40, Buffer.from('a former leader')), 'conflict');
    assert.equal(await append(log, 41, Buffer.from('the leader')), 'stored');
    // A follower behind the trim gets nothing before the first message.
    const followed: number[] = [];
    const following = log.follow(7, (sequence) => followed.push(sequence));
    await waitUntil({
      what: 'the follower has the end',
      timeoutMs: 30_000,
      question: () => followed.at(-1) === 41,
    });
    following.stop();
    assert.deepEqual(followed, [40, 41]);
  });
}

test('no single message can be deleted, and only old messages can be purged', async (context) => {
  const { log, nats } = await start(context, 1);
  for (let n = 1; n <= 3; n += 1) await append(log, n, Buffer.from(`message ${n}`));
  const api = `$JS.API.STREAM.MSG.DELETE.${commands.stream}`;
  const answer = await nats.client.request(api, JSON.stringify({ seq: 2 }), PATIENT);
  assert.match(answer.string(), /not permitted/);
  assert.deepEqual(await extent(log), { first: 1, last: 3 });
});
