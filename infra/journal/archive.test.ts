// An archive returns the frames that were written, finds them by sequence, command and time, and
// rejects frames that do not continue it.

import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { Archive, openArchive } from './archive.ts';
import type { ArchiveProblem } from './archive-fault.ts';
import { ArchiveFolder } from './archive-folder.ts';
import {
  CHECKPOINT,
  collect,
  fault,
  folderFor,
  framesOf,
  hexOf,
  OUTPUT_HASH,
  sha256,
  TEN,
  tenIn,
  verifyAll,
} from './archive-for-test.ts';
import { SEGMENT_FRAMES_MAX, segmentName } from './archive-segment.ts';

test('frames are read back unchanged, even after reopening the archive', async (t) => {
  const folder = await folderFor(t);
  for (const archive of [await tenIn(folder), await openArchive(folder, 'read')]) {
    assert.deepEqual(await collect(archive.readFrames(1)), TEN.map(Buffer.from));
    for (const [from, to] of [
      [1, 1],
      [3, 4],
      [2, 9],
      [10, 10],
      [7, 7],
    ]) {
      const wanted = TEN.slice(from - 1, to).map(Buffer.from);
      assert.deepEqual(await collect(archive.readFrames(from, to)), wanted, `${from} to ${to}`);
    }
    assert.deepEqual(await collect(archive.readFrames(11)), []);
  }
});

test('reading frames beyond the archive is a fault', async (t) => {
  const archive = await tenIn(await folderFor(t));
  for (const [from, to] of [
    [0, 3],
    [9, 11],
    [11, 12],
  ]) {
    await assert.rejects(collect(archive.readFrames(from, to)), fault('not_there'));
  }
});

test('a segment describes its contents', async (t) => {
  const folder = await folderFor(t);
  const [first, second] = (await tenIn(folder)).segments();
  const hashOf = (bytes: Uint8Array) => hexOf(sha256(bytes));
  assert.deepEqual(first, {
    file: 'commands-0000000000000001.segment',
    firstSequence: 1,
    lastSequence: 3,
    firstEpoch: 1,
    lastEpoch: 1,
    firstCommand: 1,
    commands: 7,
    fromMs: 1_000,
    toMs: 2_000,
    previousFrameHash: '0'.repeat(64),
    lastFrameHash: hashOf(TEN[2]),
    previousSegmentHash: '0'.repeat(64),
    checkpoint: CHECKPOINT,
    frameBytes: TEN[0].length + TEN[1].length + TEN[2].length,
  });
  const { firstEpoch, lastEpoch, firstCommand, commands, fromMs, toMs } = second;
  assert.deepEqual(
    { firstEpoch, lastEpoch, firstCommand, commands, fromMs, toMs },
    { firstEpoch: 2, lastEpoch: 3, firstCommand: 8, commands: 4, fromMs: 4_000, toMs: 6_000 },
  );
  const firstFile = await readFile(join(folder, first.file));
  assert.equal(second.previousSegmentHash, hashOf(firstFile));
  assert.equal(second.previousFrameHash, hashOf(TEN[2]));
});

test('a segment is found by frame, by command and by time', async (t) => {
  const archive = await tenIn(await folderFor(t));
  const first = (segment: { firstSequence: number } | undefined) => segment?.firstSequence;
  const bySequence = [0, 1, 3, 4, 9, 10, 11].map((at) => first(archive.findSequence(at)));
  assert.deepEqual(bySequence, [undefined, 1, 1, 4, 7, 10, undefined]);
  // Commands 1 to 7, 8 to 11, none, and 12.
  const byCommand = [0, 1, 7, 8, 11, 12, 13].map((at) => first(archive.findCommand(at)));
  assert.deepEqual(byCommand, [undefined, 1, 1, 4, 4, 10, undefined]);
  // Frame 3 has time 500, before its predecessors: its engine time is 2,000.
  const byTime = [999, 1_000, 3_999, 4_000, 8_999, 9_000, 99_999];
  const times = byTime.map((at) => first(archive.findTime(at)));
  assert.deepEqual(times, [undefined, 1, 1, 4, 7, 10, 10]);
});

test('a reopened archive can be continued', async (t) => {
  const folder = await folderFor(t);
  await tenIn(folder);
  const archive = await openArchive(folder, 'append');
  const frames = framesOf([{ epoch: 5 }], { bytes: TEN[9], sequence: 10 });
  await archive.appendSegment({ frames, checkpoint: { outputHash: OUTPUT_HASH } });
  await verifyAll(folder);
  assert.deepEqual((await openArchive(folder, 'read')).end, archive.end);
});

const after = { bytes: TEN[9], sequence: 10 };
const NOT_CONTINUING: Record<string, { frames: Uint8Array[]; problem: ArchiveProblem }> = {
  'a gap': {
    frames: framesOf([{ epoch: 5 }], { ...after, sequence: 11 }),
    problem: 'not_continuing',
  },
  'a repeated frame': { frames: [TEN[9]], problem: 'not_continuing' },
  'a wrong previous hash': {
    frames: framesOf([{ epoch: 5, previousHash: sha256(TEN[8]) }], after),
    problem: 'not_continuing',
  },
  'an epoch that goes back': { frames: framesOf([{ epoch: 4 }], after), problem: 'not_continuing' },
  'a gap inside': {
    frames: framesOf([{ epoch: 5 }, { epoch: 5, sequence: 13 }], after),
    problem: 'not_continuing',
  },
  'bytes that are not a frame': { frames: [Buffer.from('nonsense')], problem: 'damaged' },
  'no frame': { frames: [], problem: 'wrong_size' },
  'too many frames': {
    frames: framesOf(Array(SEGMENT_FRAMES_MAX + 1).fill({ epoch: 5, commands: 0 }), after),
    problem: 'wrong_size',
  },
  'too many bytes': {
    frames: Array(9).fill(new Uint8Array(8 * 1024 * 1024)),
    problem: 'wrong_size',
  },
};

for (const [title, { frames, problem }] of Object.entries(NOT_CONTINUING)) {
  test(`${title} is not archived and changes nothing`, async (t) => {
    const folder = await folderFor(t);
    const archive = await tenIn(folder);
    const before = await readdir(folder);
    await assert.rejects(archive.appendSegment({ frames, checkpoint: CHECKPOINT }), fault(problem));
    assert.deepEqual(await readdir(folder), before);
    assert.equal(archive.end.sequence, 10);
    const sound = framesOf([{ epoch: 5 }], after);
    await archive.appendSegment({ frames: sound, checkpoint: CHECKPOINT });
    await verifyAll(folder);
  });
}

test('the largest segment can be written and read', async (t) => {
  const folder = await folderFor(t);
  const archive = await openArchive(folder, 'append');
  const frames = framesOf(Array(SEGMENT_FRAMES_MAX).fill({ commands: 0 }));
  await archive.appendSegment({ frames, checkpoint: CHECKPOINT });
  await verifyAll(folder);
  assert.equal(archive.end.sequence, SEGMENT_FRAMES_MAX);
});

test('the caller can reuse the bytes of frames', async (t) => {
  const folder = await folderFor(t);
  const archive = await openArchive(folder, 'append');
  const frames = TEN.slice(0, 3).map((bytes) => bytes.slice());
  const appended = archive.appendSegment({ frames, checkpoint: CHECKPOINT });
  for (const bytes of frames) bytes.fill(0);
  await appended;
  assert.deepEqual(await collect(archive.readFrames(1)), TEN.slice(0, 3).map(Buffer.from));
});

test('a segment that failed on a full disk can be written again', async (t) => {
  const folder = await folderFor(t);
  await tenIn(folder);
  const full = new ArchiveFolder(folder);
  let isFull = true;
  full.create = (name, bytes) => {
    if (isFull) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    return ArchiveFolder.prototype.create.call(full, name, bytes);
  };
  const archive = await Archive.open(full);
  const draft = { frames: framesOf([{ epoch: 5 }], after), checkpoint: CHECKPOINT };
  await assert.rejects(archive.appendSegment(draft), { code: 'ENOSPC' });
  assert.equal(archive.end.sequence, 10);
  isFull = false;
  await archive.appendSegment(draft);
  await verifyAll(folder);
});

test('two segments cannot be appended at the same time', async (t) => {
  const archive = await openArchive(await folderFor(t), 'append');
  const draft = { frames: TEN.slice(0, 3), checkpoint: CHECKPOINT };
  const appended = archive.appendSegment(draft);
  await assert.rejects(archive.appendSegment(draft), /Another segment is still being appended/);
  assert.equal((await appended).lastSequence, 3);
});

test("the second of two writers is rejected, and the first writer's segment is kept", async (t) => {
  const folder = await folderFor(t);
  const one = await tenIn(folder);
  const other = await openArchive(folder, 'append');
  const frames = framesOf([{ epoch: 5 }], after);
  const { file } = await one.appendSegment({ frames, checkpoint: CHECKPOINT });
  const written = await readFile(join(folder, file));
  const more = framesOf([{ epoch: 6 }], after);
  const refused = other.appendSegment({ frames: more, checkpoint: CHECKPOINT });
  await assert.rejects(refused, fault('exists', file));
  assert.deepEqual(await readFile(join(folder, file)), written);
  await verifyAll(folder);
});

test('a writer removes unfinished files and a reader leaves them alone', async (t) => {
  const folder = await folderFor(t);
  const sealed = await tenIn(folder);
  const unfinished = `${segmentName(11)}.unfinished`;
  await writeFile(join(folder, unfinished), 'half a seg');
  assert.deepEqual((await openArchive(folder, 'read')).segments(), sealed.segments());
  assert.ok((await readdir(folder)).includes(unfinished));
  assert.deepEqual((await openArchive(folder, 'append')).segments(), sealed.segments());
  assert.ok(!(await readdir(folder)).includes(unfinished));
});

test('folders next to the segments are ignored', async (t) => {
  const folder = await folderFor(t);
  const sealed = await tenIn(folder);
  await mkdir(join(folder, 'snapshots'));
  assert.deepEqual((await openArchive(folder, 'read')).segments(), sealed.segments());
});

test('reading a missing folder is a disk error, not an empty archive', async (t) => {
  const folder = join(await folderFor(t), 'nowhere');
  await assert.rejects(openArchive(folder, 'read'), { code: 'ENOENT' });
});
