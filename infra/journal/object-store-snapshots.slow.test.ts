// Snapshots in the object store of real servers: which are used, which are skipped, which are
// removed.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { type NatsForTest, startNatsForTest } from '../../testing/nats/nats-for-test.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import type { Nats } from '../bus/index.ts';
import { NatsBucket } from './nats-bucket.ts';
import { ObjectStoreSnapshots } from './object-store-snapshots.ts';
import { chunked, draftWhole, newestWhole, type WholeSnapshot } from './snapshot-for-test.ts';
import type { Snapshot } from './snapshot-port.ts';
import { createStreams, journalNames } from './streams.ts';

// Generous, because a machine under load answers late.
const PATIENT = { timeout: 30_000 };

const EXCHANGE = 'test';
const { bucket } = journalNames(EXCHANGE);
const STREAM = `OBJ_${bucket}`;

type Started = {
  servers: NatsForTest['servers'];
  nats: Nats;
  store: ObjectStoreSnapshots;
  problems: string[];
};

async function start(context: TestContext, nodes: 1 | 3 = 1): Promise<Started> {
  const { servers, connect } = await startNatsForTest(context, { nodes });
  const nats = await connect();
  const mode = 'development';
  await createStreams(nats, { exchange: EXCHANGE, mode, replicas: nodes, monitorUrls: [] });
  const problems: string[] = [];
  const onProblem = (problem: unknown) => problems.push(String(problem));
  return { servers, nats, store: new ObjectStoreSnapshots({ nats, bucket, onProblem }), problems };
}

const CHUNK_BYTES = 1_000_000;

function whole(
  sequence: number,
  content: Uint8Array | string = `state ${sequence}`,
): WholeSnapshot {
  const bytes = new Uint8Array(typeof content === 'string' ? Buffer.from(content) : content);
  const info = { sequence, epoch: 1, timeMs: 1_000, commandsApplied: 10 };
  return { info: { ...info, frameHash: 'f'.repeat(64), stateHash: `state ${sequence}` }, bytes };
}

function snapshot(sequence: number, content?: Uint8Array | string): Snapshot {
  return chunked(whole(sequence, content), CHUNK_BYTES);
}

const newest = newestWhole;
const readDraft = draftWhole;

function write(store: ObjectStoreSnapshots, one: Snapshot): Promise<boolean> {
  return new Promise((resolve) => store.write(one, resolve));
}

function confirm(store: ObjectStoreSnapshots, sequence: number): Promise<boolean> {
  return new Promise((resolve) => store.confirm(sequence, resolve));
}

function prune(store: ObjectStoreSnapshots, keep: number): Promise<boolean> {
  return new Promise((resolve) => store.prune(keep, resolve));
}

async function keep(store: ObjectStoreSnapshots, one: Snapshot): Promise<void> {
  assert.equal(await write(store, one), true);
  assert.notEqual(await readDraft(store, one.info.sequence), 'none');
  assert.equal(await confirm(store, one.info.sequence), true);
}

function sequenceOf(answer: WholeSnapshot | string): number | string {
  return typeof answer === 'string' ? answer : answer.info.sequence;
}

for (const nodes of [1, 3] as const) {
  test(`a draft is used once read back and confirmed, on ${nodes} node(s)`, async (context) => {
    const { store, problems } = await start(context, nodes);
    assert.equal(await newest(store), 'none');
    assert.equal(await readDraft(store, 7), 'none');
    // Several chunks, half of them compressible.
    const bytes = Buffer.concat([randomBytes(5_000_000), Buffer.alloc(5_000_000, 'state')]);
    const one = whole(7, bytes);
    assert.equal(await write(store, snapshot(7, bytes)), true);
    assert.equal(await newest(store), 'none');
    assert.deepEqual(await readDraft(store, 7), one);
    assert.equal(await newest(store), 'none');
    assert.equal(await confirm(store, 7), true);
    assert.deepEqual(await newest(store), one);
    assert.equal(await confirm(store, 7), false);
    assert.deepEqual(problems, ['Error: Snapshot 7 has not been read back.']);
  });
}

test('newest() returns the newest verified snapshot within the limit', async (context) => {
  const { store } = await start(context);
  for (const sequence of [100, 20, 3]) await keep(store, snapshot(sequence));
  await write(store, snapshot(200));
  assert.equal(sequenceOf(await newest(store)), 100);
  assert.equal(sequenceOf(await newest(store, 100)), 100);
  assert.equal(sequenceOf(await newest(store, 99)), 20);
  assert.equal(sequenceOf(await newest(store, 2)), 'none');
});

test('write() replaces a draft but not a verified snapshot', async (context) => {
  const { store, nats, problems } = await start(context);
  const onProblem = (problem: unknown) => problems.push(String(problem));
  const other = new ObjectStoreSnapshots({ nats, bucket, onProblem });
  await write(store, snapshot(7, 'first'));
  await readDraft(store, 7);
  assert.equal(await write(other, snapshot(7, 'second')), true);
  assert.equal(await confirm(store, 7), false);
  assert.deepEqual(problems, ['Error: Snapshot 7 has changed since it was read back.']);
  assert.equal(await newest(store), 'none');

  await readDraft(other, 7);
  await readDraft(store, 7);
  assert.equal(await confirm(other, 7), true);
  // Confirming the same draft twice succeeds twice.
  assert.equal(await confirm(store, 7), true);
  assert.equal(await write(store, snapshot(7, 'third')), true);
  assert.deepEqual(await newest(store), whole(7, 'second'));
});

async function api<Answer>(nats: Nats, name: string, body: object): Promise<Answer> {
  const answer = await nats.client.request(
    `$JS.API.${name}.${STREAM}`,
    JSON.stringify(body),
    PATIENT,
  );
  return answer.json<Answer>();
}

type Damage = (nats: Nats, objects: NatsBucket) => Promise<void>;

async function describe(objects: NatsBucket, sequence: number) {
  return (await objects.describe(`snapshot-${String(sequence).padStart(16, '0')}`))!;
}

async function removeChunks(nats: Nats, objects: NatsBucket, keepCount: number): Promise<void> {
  const { nuid } = (await describe(objects, 9)).description;
  await api(nats, 'STREAM.PURGE', { filter: `$O.${bucket}.C.${nuid}`, keep: keepCount });
}

const damages: Record<string, [damage: Damage, problem: RegExp]> = {
  'without its first chunk': [
    (nats, objects) => removeChunks(nats, objects, 2),
    /snapshot 9, chunk 0: another chunk is stored in its place/,
  ],
  'without chunks': [
    (nats, objects) => removeChunks(nats, objects, 0),
    /snapshot 9, chunk 0: the chunk is missing/,
  ],
  'without its last chunk': [
    async (nats, objects) => {
      const { nuid } = (await describe(objects, 9)).description;
      const subject = `$O.${bucket}.C.${nuid}`;
      const { message } = await api<{ message: { seq: number } }>(nats, 'STREAM.MSG.GET', {
        last_by_subj: subject,
      });
      await api(nats, 'STREAM.MSG.DELETE', { seq: message.seq });
    },
    /snapshot 9, chunk 2: the chunk is missing/,
  ],
  'with a chunk of another object': [
    async (nats, objects) => {
      await removeChunks(nats, objects, 0);
      const { nuid } = (await describe(objects, 9)).description;
      await nats.client.request(`$O.${bucket}.C.${nuid}`, randomBytes(500_000), PATIENT);
    },
    /snapshot 9, chunk 0: the checksum does not match/,
  ],
  'of an earlier format': [
    async (_, objects) => {
      const found = await describe(objects, 9);
      const { info = '', status = '' } = found.description.metadata ?? {};
      await objects.updateDescription(found, { info, status });
    },
    /snapshot 9 has format 1 \(expected 2\)/,
  ],
  'described as another snapshot': [
    async (_, objects) => {
      const found = await describe(objects, 9);
      const info = JSON.stringify(snapshot(8).info);
      await objects.updateDescription(found, { ...found.description.metadata, info });
    },
    /has an invalid description/,
  ],
  'without a valid description': [
    async (_, objects) => {
      await objects.updateDescription(await describe(objects, 9), {
        status: 'counts',
        format: '2',
        info: '{',
      });
    },
    /has an invalid description/,
  ],
};

test('a damaged snapshot is reported, and an older one is used', async (context) => {
  for (const [how, [damage, expected]] of Object.entries(damages)) {
    await context.test(how, async (one) => {
      const { store, nats, problems } = await start(one);
      const objects = await NatsBucket.open(nats.client, bucket);
      await keep(store, snapshot(5));
      await keep(store, snapshot(9, randomBytes(2_500_000)));
      assert.equal(sequenceOf(await newest(store)), 9);
      await damage(nats, objects);
      assert.equal(sequenceOf(await newest(store)), 5);
      assert.match(problems.join('\n'), expected);
      assert.equal(problems.length, 1);
    });
  }
});

test('prune() keeps the newest verified snapshots and removes everything else', async (context) => {
  const { store, nats, problems } = await start(context);
  for (const sequence of [10, 20, 30, 40]) await keep(store, snapshot(sequence));
  for (const sequence of [15, 35, 50]) await write(store, snapshot(sequence));
  // One process died while writing, and one while removing.
  await nats.client.request(`$O.${bucket}.C.orphan`, randomBytes(1_000), PATIENT);
  const objects = await NatsBucket.open(nats.client, bucket);
  const removed = await describe(objects, 20);
  const subject = `$O.${bucket}.M.${Buffer.from(removed.description.name).toString('base64')}`;
  await nats.client.request(
    subject,
    JSON.stringify({ ...removed.description, deleted: true }),
    PATIENT,
  );

  assert.equal(await prune(store, 2), true);
  const names = (await objects.names()).map((name) => Number(name.slice('snapshot-'.length)));
  assert.deepEqual(
    names.toSorted((a, b) => a - b),
    [30, 35, 40, 50],
  );
  const info = await api<{ state: { num_subjects: number } }>(nats, 'STREAM.INFO', {});
  assert.equal(info.state.num_subjects, 8);
  assert.equal(sequenceOf(await newest(store, 39)), 30);
  assert.notEqual(await readDraft(store, 50), 'none');
  assert.equal(await confirm(store, 50), true);
  assert.equal(await prune(store, 1), true);
  assert.deepEqual(await objects.names(), ['snapshot-0000000000000050']);
  assert.deepEqual(problems, []);
});

test('objects that are not snapshots are not touched', async (context) => {
  const { store, nats, problems } = await start(context);
  const objects = await NatsBucket.open(nats.client, bucket);
  const note = objects.begin();
  await note.add(Buffer.from('hello'));
  await note.describe({ name: 'a note', metadata: {} }, undefined);
  await keep(store, snapshot(5));
  assert.equal(sequenceOf(await newest(store)), 5);
  assert.equal(await prune(store, 1), true);
  assert.deepEqual((await objects.names()).toSorted(), ['a note', 'snapshot-0000000000000005']);
  assert.deepEqual(problems, []);
});

test('an unreachable or hung store responds within the time limit', async (context) => {
  const { servers, nats, store } = await start(context);
  await keep(store, snapshot(5));
  const [node] = servers.nodes;
  const hasty = new ObjectStoreSnapshots({ nats, bucket, onProblem: () => {}, stepTimeoutMs: 500 });
  await node.kill('SIGSTOP');
  const startMs = performance.now();
  assert.equal(await newest(hasty), 'unavailable');
  assert.equal(await write(hasty, snapshot(6)), false);
  // Each call times out after half a second; a machine under load may be late.
  assert.ok(performance.now() - startMs < 20_000);
  // The connection is lost during an answer.
  const answer = newest(store);
  await node.kill('SIGKILL');
  assert.equal(await answer, 'unavailable');
  assert.equal(await newest(store), 'unavailable');
  assert.equal(await confirm(store, 5), false);

  await node.start();
  const question = async () => sequenceOf(await newest(store)) === 5;
  await waitUntil({ what: 'the client reconnected', timeoutMs: 30_000, question });
});
