// An archive gives back what was put in, refuses what does not continue it, and names the place of
// whatever has happened to its files since.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Command, encodeCommandFrame, FrameWriter } from '../../core/messages/index.ts';
import type { TimeMs } from '../../core/money/index.ts';
import { type Archive, openArchive, verifySegment } from './archive.ts';
import { ArchiveFault, type ArchiveProblem } from './archive-fault.ts';
import { pack } from './archive-pack.ts';
import { SEGMENT_FRAMES_MAX, segmentName } from './archive-segment.ts';

const OUTPUT_HASH = 'ab'.repeat(32);
const CHECKPOINT = { outputHash: OUTPUT_HASH, stateHash: 'the state' };

interface Plan {
  readonly epoch?: number;
  readonly timeMs?: number;
  readonly commands?: number;
  readonly previousHash?: Uint8Array;
  readonly sequence?: number;
}

/** Frames that continue one another, as planned; `after` names the frame before the first. */
function framesOf(plans: readonly Plan[], after?: { bytes: Uint8Array; sequence: number }) {
  const writer = new FrameWriter();
  const frames: Uint8Array[] = [];
  let previousHash = after === undefined ? new Uint8Array(32) : sha256(after.bytes);
  let sequence = after?.sequence ?? 0;
  for (const plan of plans) {
    sequence++;
    const frame = {
      sequence: plan.sequence ?? sequence,
      epoch: plan.epoch ?? 1,
      timeMs: (plan.timeMs ?? 1_000 * sequence) as TimeMs,
      previousHash: plan.previousHash ?? previousHash,
      commands: Array.from({ length: plan.commands ?? 2 }, (_, index) => voided(index)),
    };
    const bytes = encodeCommandFrame(writer, frame).slice();
    frames.push(bytes);
    previousHash = sha256(bytes);
  }
  return frames;
}

function voided(number: number): Command {
  return { kind: 'VoidCommand', source: 1, number, command: 7 } as unknown as Command;
}

function sha256(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(bytes).digest());
}

async function folderFor(test: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rialto-archive-'));
  test.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Ten frames in segments of three, three, three and one. */
const TEN = framesOf([
  { commands: 3 },
  {},
  { timeMs: 500 },
  { epoch: 2, timeMs: 4_000 },
  { epoch: 2, commands: 0 },
  { epoch: 3 },
  { epoch: 3, commands: 0 },
  { epoch: 3, commands: 0 },
  { epoch: 3, commands: 0 },
  { epoch: 5, commands: 1, timeMs: 9_000 },
]);

async function tenIn(folder: string): Promise<Archive> {
  const archive = await openArchive(folder, 'append');
  for (const from of [0, 3, 6, 9]) {
    await archive.appendSegment({ frames: TEN.slice(from, from + 3), checkpoint: CHECKPOINT });
  }
  return archive;
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

async function verifyAll(folder: string): Promise<void> {
  const archive = await openArchive(folder, 'read');
  for (const index of archive.segments().keys()) await collect(verifySegment(archive, index));
}

test('frames come out as they went in, also after the archive is opened again', async (t) => {
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

test('frames that are not there are not read as none', async (t) => {
  const archive = await tenIn(await folderFor(t));
  for (const [from, to] of [
    [0, 3],
    [9, 11],
    [11, 12],
  ]) {
    await assert.rejects(collect(archive.readFrames(from, to)), fault('not_there'));
  }
});

test('a segment says what it holds', async (t) => {
  const folder = await folderFor(t);
  const [first, second] = (await tenIn(folder)).segments();
  const hashOf = (bytes: Uint8Array) => Buffer.from(sha256(bytes)).toString('hex');
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
  // Frame 3 is stamped 500, before the frames it follows: it counts as of 2,000.
  const byTime = [999, 1_000, 3_999, 4_000, 8_999, 9_000, 99_999];
  const times = byTime.map((at) => first(archive.findTime(at)));
  assert.deepEqual(times, [undefined, 1, 1, 4, 7, 10, 10]);
});

test('an archive that was opened again continues', async (t) => {
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
  'a frame twice': { frames: [TEN[9]], problem: 'not_continuing' },
  'a wrong previous hash': {
    frames: framesOf([{ epoch: 5, previousHash: sha256(TEN[8]) }], after),
    problem: 'not_continuing',
  },
  'an epoch that goes back': { frames: framesOf([{ epoch: 4 }], after), problem: 'not_continuing' },
  'a gap inside': {
    frames: framesOf([{ epoch: 5 }, { epoch: 5, sequence: 13 }], after),
    problem: 'not_continuing',
  },
  'what is no frame': { frames: [Buffer.from('nonsense')], problem: 'damaged' },
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
  test(`${title} is not archived, and nothing changes`, async (t) => {
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

test('frames may change as soon as they are handed over', async (t) => {
  const folder = await folderFor(t);
  const archive = await openArchive(folder, 'append');
  const frames = TEN.slice(0, 3).map((bytes) => bytes.slice());
  const appended = archive.appendSegment({ frames, checkpoint: CHECKPOINT });
  for (const bytes of frames) bytes.fill(0);
  await appended;
  assert.deepEqual(await collect(archive.readFrames(1)), TEN.slice(0, 3).map(Buffer.from));
});

test('of two writers one is refused, and what the other wrote stays', async (t) => {
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

test('what was never finished is removed by a writer and left alone by a reader', async (t) => {
  const folder = await folderFor(t);
  const sealed = await tenIn(folder);
  const unfinished = `${segmentName(11)}.unfinished`;
  await writeFile(join(folder, unfinished), 'half a seg');
  assert.deepEqual((await openArchive(folder, 'read')).segments(), sealed.segments());
  assert.ok((await readdir(folder)).includes(unfinished));
  assert.deepEqual((await openArchive(folder, 'append')).segments(), sealed.segments());
  assert.ok(!(await readdir(folder)).includes(unfinished));
});

test('folders beside the segments are somebody else’s', async (t) => {
  const folder = await folderFor(t);
  const sealed = await tenIn(folder);
  await mkdir(join(folder, 'snapshots'));
  assert.deepEqual((await openArchive(folder, 'read')).segments(), sealed.segments());
});

const [FIRST, SECOND, THIRD] = [1, 4, 7].map(segmentName);

interface Damage {
  /** The place that is named. */
  readonly file: string;
  readonly problem: ArchiveProblem;
  readonly do: (folder: string) => Promise<void>;
}

const SEEN_AT_OPENING: Record<string, Damage> = {
  'a foreign file': {
    file: 'notes.txt',
    problem: 'foreign_file',
    do: (folder) => writeFile(join(folder, 'notes.txt'), 'remember'),
  },
  'a foreign file with the name of a segment': {
    file: segmentName(11),
    problem: 'damaged',
    do: (folder) => writeFile(join(folder, segmentName(11)), 'rialto rocks\n'),
  },
  'an empty file': {
    file: SECOND,
    problem: 'damaged',
    do: (folder) => truncate(join(folder, SECOND), 0),
  },
  'a file without its end': {
    file: SECOND,
    problem: 'damaged',
    do: async (folder) => {
      const { length } = await readFile(join(folder, SECOND));
      await truncate(join(folder, SECOND), length - 1);
    },
  },
  'a file with more at its end': {
    file: THIRD,
    problem: 'damaged',
    do: (folder) => writeFile(join(folder, THIRD), 'x', { flag: 'a' }),
  },
  'a changed label': {
    file: FIRST,
    problem: 'damaged',
    do: (folder) => change(folder, FIRST, (text) => text.replace('"commands":7', '"commands":8')),
  },
  'a format of later': {
    file: FIRST,
    problem: 'newer_format',
    do: (folder) => change(folder, FIRST, (text) => text.replace('segment 1 ', 'segment 2 ')),
  },
  'a missing segment': {
    file: THIRD,
    problem: 'not_continuing',
    do: (folder) => rm(join(folder, SECOND)),
  },
  'a missing first segment': {
    file: SECOND,
    problem: 'not_continuing',
    do: (folder) => rm(join(folder, FIRST)),
  },
  'two segments in each other’s place': {
    file: SECOND,
    problem: 'damaged',
    do: async (folder) => {
      await copyFile(join(folder, SECOND), join(folder, 'aside'));
      await rename(join(folder, THIRD), join(folder, SECOND));
      await rename(join(folder, 'aside'), join(folder, THIRD));
    },
  },
  'a segment of another log': {
    file: SECOND,
    problem: 'not_continuing',
    do: async (folder) => {
      const strange = framesOf(Array(3).fill({ commands: 1 }));
      const archive = await openArchive(join(folder, 'other'), 'append');
      await archive.appendSegment({ frames: strange, checkpoint: CHECKPOINT });
      await rename(join(folder, 'other', FIRST), join(folder, FIRST));
    },
  },
};

for (const [title, damage] of Object.entries(SEEN_AT_OPENING)) {
  test(`opening finds ${title}`, async (t) => {
    const folder = await folderFor(t);
    await tenIn(folder);
    await damage.do(folder);
    await assert.rejects(openArchive(folder, 'read'), fault(damage.problem, damage.file));
    await assert.rejects(openArchive(folder, 'append'), fault(damage.problem, damage.file));
  });
}

test('a byte that changed in a body is found by reading, and its file is named', async (t) => {
  const folder = await folderFor(t);
  await tenIn(folder);
  const bytes = await readFile(join(folder, SECOND));
  bytes[bytes.length - 9] ^= 1;
  await writeFile(join(folder, SECOND), bytes);
  const archive = await openArchive(folder, 'read');
  await assert.rejects(collect(archive.readFrames(1)), fault('damaged', SECOND));
  await assert.rejects(collect(verifySegment(archive, 1)), fault('damaged', SECOND));
});

test('the last segment is read before another is put behind it', async (t) => {
  const folder = await folderFor(t);
  const { file } = (await tenIn(folder)).last!;
  const bytes = await readFile(join(folder, file));
  bytes[bytes.length - 9] ^= 1;
  await writeFile(join(folder, file), bytes);
  const archive = await openArchive(folder, 'append');
  const frames = framesOf([{ epoch: 5 }], after);
  const refused = archive.appendSegment({ frames, checkpoint: CHECKPOINT });
  await assert.rejects(refused, fault('damaged', file));
});

/** Packs a segment again with other frames, or with something else said of them. */
async function repack(folder: string, file: string, frames: readonly Uint8Array[], claim = {}) {
  const label = JSON.parse((await readFile(join(folder, file), 'latin1')).split('\n')[1]);
  const { bytes } = await pack('segment', { ...label, ...claim }, Buffer.concat(frames));
  await writeFile(join(folder, file), bytes);
}

test('a segment packed anew with other frames is found by its first wrong frame', async (t) => {
  const folder = await folderFor(t);
  await tenIn(folder);
  const forged = framesOf([{ epoch: 2, commands: 3 }], { bytes: TEN[3], sequence: 4 });
  await repack(folder, SECOND, [TEN[3], forged[0], TEN[5]]);
  const archive = await openArchive(folder, 'read');
  await assert.rejects(collect(verifySegment(archive, 1)), fault('not_continuing', SECOND, 6));
});

test('a label that says something else than the frames is found', async (t) => {
  const claims = [{ lastEpoch: 2 }, { firstEpoch: 1 }, { fromMs: 2_000 }, { toMs: 4_001 }];
  for (const claim of claims) {
    const folder = await folderFor(t);
    await tenIn(folder);
    await repack(folder, SECOND, TEN.slice(3, 6), claim);
    const archive = await openArchive(folder, 'read');
    const place = 'lastEpoch' in claim || 'toMs' in claim ? 6 : 4;
    await assert.rejects(collect(verifySegment(archive, 1)), fault('damaged', SECOND, place));
  }
});

test('a segment with another checkpoint is found by the one behind it', async (t) => {
  const folder = await folderFor(t);
  await tenIn(folder);
  const checkpoint = { ...CHECKPOINT, stateHash: 'another' };
  await repack(folder, SECOND, TEN.slice(3, 6), { checkpoint });
  const archive = await openArchive(folder, 'read');
  await assert.rejects(collect(verifySegment(archive, 1)), fault('not_continuing', THIRD));
});

test('a file torn at any byte is noticed at opening', async (t) => {
  const folder = await folderFor(t);
  const archive = await openArchive(folder, 'append');
  await archive.appendSegment({ frames: TEN.slice(0, 1), checkpoint: CHECKPOINT });
  const whole = await readFile(join(folder, FIRST));
  for (let length = 0; length < whole.length; length++) {
    await writeFile(join(folder, FIRST), whole.subarray(0, length));
    await assert.rejects(openArchive(folder, 'read'), fault('damaged', FIRST), `${length} bytes`);
  }
});

test('any single byte that changes is noticed by verifying', async (t) => {
  const folder = await folderFor(t);
  const archive = await openArchive(folder, 'append');
  await archive.appendSegment({ frames: TEN.slice(0, 1), checkpoint: CHECKPOINT });
  const whole = await readFile(join(folder, FIRST));
  for (let at = 0; at < whole.length; at++) {
    const changed = Buffer.from(whole);
    changed[at] ^= 4;
    await writeFile(join(folder, FIRST), changed);
    await assert.rejects(verifyAll(folder), ArchiveFault, `byte ${at}`);
  }
});

test('reading a folder that is not there is the disk’s error, not an empty archive', async (t) => {
  const folder = join(await folderFor(t), 'nowhere');
  await assert.rejects(openArchive(folder, 'read'), { code: 'ENOENT' });
});

async function change(folder: string, file: string, by: (text: string) => string): Promise<void> {
  const text = await readFile(join(folder, file), 'latin1');
  assert.notEqual(by(text), text, 'the damage was done');
  await writeFile(join(folder, file), by(text), 'latin1');
}

function fault(problem: ArchiveProblem, file?: string, sequence?: number) {
  return (error: unknown): boolean => {
    assert.ok(error instanceof ArchiveFault, String(error));
    const found = { problem: error.problem, file: error.file, sequence: error.sequence };
    const place = { file: file ?? error.file, sequence: sequence ?? error.sequence };
    assert.deepEqual(found, { problem, ...place }, error.message);
    return true;
  };
}
