// Snapshots in a folder: they are used once verified, survive a restart, and are never returned
// damaged.

import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { FolderSnapshots } from './folder-snapshots.ts';
import { sealedBytes } from './snapshot-chunk.ts';
import { chunked, draftWhole, newestWhole, type WholeSnapshot } from './snapshot-for-test.ts';
import type { Snapshot } from './snapshot-port.ts';

/** Several chunks. */
function wholeAt(sequence: number, content = `state ${sequence} `.repeat(50)): WholeSnapshot {
  return {
    info: {
      sequence,
      epoch: 2,
      timeMs: 1_000 * sequence,
      commandsApplied: 10 * sequence,
      frameHash: 'f0'.repeat(32),
      stateHash: '1234',
    },
    bytes: new Uint8Array(Buffer.from(content)),
  };
}

function snapshotAt(sequence: number, content?: string): Snapshot {
  return chunked(wholeAt(sequence, content), 100);
}

interface Place {
  readonly folder: string;
  readonly store: FolderSnapshots;
  /** The problems reported to onProblem. */
  readonly problems: unknown[];
}

async function place(test: TestContext): Promise<Place> {
  const parent = await mkdtemp(join(tmpdir(), 'rialto-snapshots-'));
  test.after(() => rm(parent, { recursive: true, force: true }));
  const folder = join(parent, 'snapshots');
  const problems: unknown[] = [];
  const store = new FolderSnapshots(folder, (problem) => problems.push(problem));
  return { folder, store, problems };
}

const newest = newestWhole;
const write = (store: FolderSnapshots, snapshot: Snapshot) =>
  new Promise<boolean>((done) => store.write(snapshot, done));
const readDraft = draftWhole;
const confirm = (store: FolderSnapshots, sequence: number) =>
  new Promise<boolean>((done) => store.confirm(sequence, done));
const prune = (store: FolderSnapshots, keep: number) =>
  new Promise<boolean>((done) => store.prune(keep, done));

async function keep(store: FolderSnapshots, ...sequences: number[]): Promise<void> {
  for (const sequence of sequences) {
    assert.equal(await write(store, snapshotAt(sequence)), true);
    assert.equal(await confirm(store, sequence), true);
  }
}

function sequenceOf(answer: WholeSnapshot | string): number | string {
  return typeof answer === 'string' ? answer : answer.info.sequence;
}

test('a missing folder holds no snapshot', async (t) => {
  const { store, problems } = await place(t);
  assert.equal(await newest(store), 'none');
  assert.equal(await readDraft(store, 1), 'none');
  assert.equal(await confirm(store, 1), false);
  assert.equal(await prune(store, 1), true);
  assert.deepEqual(await store.list(), []);
  assert.deepEqual(problems, []);
});

test('a draft can be read back and is used after confirm()', async (t) => {
  const { store } = await place(t);
  const snapshot = wholeAt(7);
  assert.equal(await write(store, snapshotAt(7)), true);
  assert.deepEqual(await readDraft(store, 7), snapshot);
  assert.equal(await newest(store), 'none');
  assert.deepEqual(await store.list(), []);
  assert.equal(await confirm(store, 7), true);
  assert.deepEqual(await newest(store), snapshot);
  assert.deepEqual(await store.list(), [snapshot.info]);
  // The answer to the first confirmation may have been lost.
  assert.deepEqual(await readDraft(store, 7), snapshot);
  assert.equal(await confirm(store, 7), true);
});

test('newest() returns the newest snapshot within the limit, even after a restart', async (t) => {
  const { folder, store } = await place(t);
  await keep(store, 5, 20, 1_000);
  const reopened = new FolderSnapshots(folder, (problem) => assert.fail(String(problem)));
  for (const one of [store, reopened]) {
    const found = [4, 5, 19, 20, 999, 1_000, 2_000].map(async (atMost) => {
      return sequenceOf(await newest(one, atMost));
    });
    assert.deepEqual(await Promise.all(found), ['none', 5, 5, 20, 20, 1_000, 1_000]);
    assert.deepEqual(
      (await one.list()).map(({ sequence }) => sequence),
      [5, 20, 1_000],
    );
  }
});

test('write() replaces a draft but not a verified snapshot', async (t) => {
  const { store } = await place(t);
  await write(store, snapshotAt(7, 'first'));
  await write(store, snapshotAt(7, 'second'));
  assert.deepEqual(await readDraft(store, 7), wholeAt(7, 'second'));
  await confirm(store, 7);
  assert.equal(await write(store, snapshotAt(7, 'third')), true);
  await confirm(store, 7);
  assert.deepEqual(await newest(store), wholeAt(7, 'second'));
});

const DAMAGES: Record<string, (path: string) => Promise<void>> = {
  'changed in its body': async (path) => {
    const bytes = await readFile(path);
    bytes[bytes.length - 3] ^= 1;
    await writeFile(path, bytes);
  },
  'changed in its label': async (path) => {
    const text = await readFile(path, 'latin1');
    await writeFile(path, text.replace('"epoch":2', '"epoch":3'), 'latin1');
  },
  torn: async (path) => writeFile(path, (await readFile(path)).subarray(0, -1)),
  extended: async (path) => writeFile(path, Buffer.concat([await readFile(path), Buffer.of(0)])),
  emptied: (path) => writeFile(path, ''),
};

for (const [title, damage] of Object.entries(DAMAGES)) {
  test(`a snapshot that was ${title} is reported and skipped`, async (t) => {
    const { folder, store, problems } = await place(t);
    await keep(store, 5, 9);
    await damage(join(folder, 'snapshot-0000000000000009.snapshot'));
    assert.equal(sequenceOf(await newest(store)), 5);
    assert.match(String(problems), /snapshot-0000000000000009\.snapshot: .* \(damaged\)/);
    // After it is written again, it is used again.
    await keep(store, 9);
    assert.equal(sequenceOf(await newest(store)), 9);
  });
}

test('a damaged chunk is named, and the previous snapshot is used', async (t) => {
  const { folder, store, problems } = await place(t);
  const path = join(folder, 'snapshot-0000000000000009.snapshot');
  await keep(store, 5, 9);
  const sound = await readFile(path);
  const starts = chunkStarts(sound);
  // Four chunks and the one that ends the snapshot.
  assert.equal(starts.length, 5);
  for (const [index, start] of starts.entries()) {
    for (const at of [start, start + 33, start + 41, start + 45, start + 60]) {
      if (at >= sound.length) continue;
      const bytes = Buffer.from(sound);
      bytes[at] ^= 1;
      await writeFile(path, bytes);
      problems.length = 0;
      assert.equal(sequenceOf(await newest(store)), 5);
      assert.match(String(problems), new RegExp(`9.snapshot: snapshot 9, chunk ${index}: `));
    }
  }
  // Two chunks change places.
  const pieces = starts.map((start, at) => sound.subarray(start, starts[at + 1]));
  const [first, second, ...rest] = pieces;
  await writeFile(path, Buffer.concat([sound.subarray(0, starts[0]), second, first, ...rest]));
  problems.length = 0;
  assert.equal(sequenceOf(await newest(store)), 5);
  assert.match(String(problems), /snapshot 9, chunk 0: another chunk is stored in its place/);
  await writeFile(path, sound);
  assert.deepEqual(await newest(store), wholeAt(9));
});

/** Where each chunk begins. */
function chunkStarts(file: Buffer): number[] {
  const starts: number[] = [];
  let at = file.indexOf('\n', file.indexOf('\n') + 1) + 1;
  for (; at < file.length; at += sealedBytes(file.subarray(at))) starts.push(at);
  return starts;
}

test('a snapshot with an earlier format is reported and not used', async (t) => {
  const { folder, store, problems } = await place(t);
  await keep(store, 5, 9);
  const path = join(folder, 'snapshot-0000000000000009.snapshot');
  const text = await readFile(path, 'latin1');
  await writeFile(path, text.replace('rialto snapshot 2 ', 'rialto snapshot 1 '), 'latin1');
  assert.equal(sequenceOf(await newest(store)), 5);
  assert.match(String(problems), /format 1 is older than 2 \(older_format\)/);
});

test('a damaged draft is not returned', async (t) => {
  const { folder, store, problems } = await place(t);
  await write(store, snapshotAt(9));
  await DAMAGES.torn(join(folder, 'snapshot-0000000000000009.draft'));
  assert.equal(await readDraft(store, 9), 'damaged');
  assert.equal(problems.length, 1);
});

test('a renamed snapshot is rejected', async (t) => {
  const { folder, store, problems } = await place(t);
  await keep(store, 5, 9);
  const name = (sequence: number) => join(folder, `snapshot-000000000000000${sequence}.snapshot`);
  await rename(name(5), name(9));
  assert.equal(await newest(store), 'none');
  assert.match(String(problems), /the label does not describe a snapshot/);
});

test('prune() keeps the newest snapshots and no older drafts', async (t) => {
  const { folder, store } = await place(t);
  await keep(store, 10, 20, 30, 40);
  for (const draft of [5, 25, 35, 45]) await write(store, snapshotAt(draft));
  await writeFile(join(folder, 'snapshot-0000000000000050.draft.unfinished'), 'half');
  assert.equal(await prune(store, 2), true);
  assert.deepEqual(await readdir(folder), [
    'snapshot-0000000000000030.snapshot',
    'snapshot-0000000000000035.draft',
    'snapshot-0000000000000040.snapshot',
    'snapshot-0000000000000045.draft',
  ]);
  assert.equal(await prune(store, 9), true);
  assert.equal((await readdir(folder)).length, 4);
});

test('concurrent changes run one after another', async (t) => {
  const { store, problems } = await place(t);
  const answers = [1, 2, 3].flatMap((sequence) => [
    write(store, snapshotAt(sequence)),
    confirm(store, sequence),
    prune(store, 1),
  ]);
  assert.deepEqual(await Promise.all(answers), Array(9).fill(true));
  assert.deepEqual(problems, []);
  assert.deepEqual(await store.list(), [snapshotAt(3).info]);
});

test('an unreadable store is unavailable, and failed changes are not applied', async (t) => {
  const { folder, store, problems } = await place(t);
  await writeFile(folder, 'a file where the folder belongs');
  assert.equal(await newest(store), 'unavailable');
  assert.equal(await readDraft(store, 1), 'unavailable');
  assert.equal(await write(store, snapshotAt(1)), false);
  assert.equal(problems.length, 3);
});

test('a foreign file is reported and ignored', async (t) => {
  const { folder, store, problems } = await place(t);
  await keep(store, 5);
  await writeFile(join(folder, 'notes.txt'), 'remember');
  assert.equal(sequenceOf(await newest(store)), 5);
  assert.match(String(problems), /notes\.txt: not the name of a snapshot \(foreign_file\)/);
});
