// Every kind of damage to the files of an archive is detected, and the fault names its place.

import assert from 'node:assert/strict';
import { copyFile, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openArchive, verifySegment } from './archive.ts';
import { ArchiveFault, type ArchiveProblem } from './archive-fault.ts';
import {
  CHECKPOINT,
  collect,
  fault,
  folderFor,
  framesOf,
  hexOf,
  sha256,
  TEN,
  tenIn,
  verifyAll,
} from './archive-for-test.ts';
import { pack } from './archive-pack.ts';
import { SEGMENT_BYTES_MAX, segmentName } from './archive-segment.ts';

const AFTER_TEN = { bytes: TEN[9], sequence: 10 };
const [FIRST, SECOND, THIRD] = [1, 4, 7].map(segmentName);

interface Damage {
  /** The place that the fault names. */
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
  'a truncated file': {
    file: SECOND,
    problem: 'damaged',
    do: async (folder) => {
      const { length } = await readFile(join(folder, SECOND));
      await truncate(join(folder, SECOND), length - 1);
    },
  },
  'a file with extra bytes': {
    file: THIRD,
    problem: 'damaged',
    do: (folder) => writeFile(join(folder, THIRD), 'x', { flag: 'a' }),
  },
  'a changed label': {
    file: FIRST,
    problem: 'damaged',
    do: (folder) => change(folder, FIRST, (text) => text.replace('"commands":7', '"commands":8')),
  },
  'a newer format': {
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
  'two swapped segments': {
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
  test(`opening detects ${title}`, async (t) => {
    const folder = await folderFor(t);
    await tenIn(folder);
    await damage.do(folder);
    await assert.rejects(openArchive(folder, 'read'), fault(damage.problem, damage.file));
    await assert.rejects(openArchive(folder, 'append'), fault(damage.problem, damage.file));
  });
}

test('reading detects a changed byte in a body and names the file', async (t) => {
  const folder = await folderFor(t);
  await tenIn(folder);
  const bytes = await readFile(join(folder, SECOND));
  bytes[bytes.length - 9] ^= 1;
  await writeFile(join(folder, SECOND), bytes);
  const archive = await openArchive(folder, 'read');
  await assert.rejects(collect(archive.readFrames(1)), fault('damaged', SECOND));
  await assert.rejects(collect(verifySegment(archive, 1)), fault('damaged', SECOND));
});

test('the last segment is read before another is appended', async (t) => {
  const folder = await folderFor(t);
  const { file } = (await tenIn(folder)).last!;
  const bytes = await readFile(join(folder, file));
  bytes[bytes.length - 9] ^= 1;
  await writeFile(join(folder, file), bytes);
  const archive = await openArchive(folder, 'append');
  const frames = framesOf([{ epoch: 5 }], AFTER_TEN);
  const refused = archive.appendSegment({ frames, checkpoint: CHECKPOINT });
  await assert.rejects(refused, fault('damaged', file));
});

/** Repacks a segment with other frames or with another label. */
async function repack(folder: string, file: string, frames: readonly Uint8Array[], claim = {}) {
  const { bytes } = await pack('segment', {}, Buffer.concat(frames));
  const [bodyAt, sizes] = labelOf(bytes);
  const [, label] = labelOf(await readFile(join(folder, file)));
  const json = JSON.stringify({ ...label, ...sizes, ...claim });
  const first = `rialto segment 1 ${json.length} ${hexOf(sha256(Buffer.from(json)))}`;
  const whole = Buffer.concat([Buffer.from(`${first}\n${json}\n`), bytes.subarray(bodyAt)]);
  await writeFile(join(folder, file), whole);
}

function labelOf(bytes: Uint8Array): [bodyAt: number, label: Record<string, unknown>] {
  const [first, second] = Buffer.from(bytes).toString('latin1').split('\n', 2);
  return [first.length + second.length + 2, JSON.parse(second)];
}

const FALSE_CLAIMS: [file: string, claim: object, problem: ArchiveProblem][] = [
  [FIRST, { previousSegmentHash: 'ab'.repeat(32) }, 'not_continuing'],
  [FIRST, { firstCommand: 2 }, 'not_continuing'],
  [SECOND, { previousFrameHash: 'ab'.repeat(32) }, 'not_continuing'],
  [SECOND, { firstCommand: 7 }, 'not_continuing'],
  [SECOND, { firstEpoch: 0 }, 'not_continuing'],
  [SECOND, { fromMs: 1_999 }, 'not_continuing'],
  [SECOND, { lastFrameHash: 'ab' }, 'damaged'],
  [SECOND, { commands: '4' }, 'damaged'],
  [SECOND, { checkpoint: {} }, 'damaged'],
  [SECOND, { contentBytes: SEGMENT_BYTES_MAX + 1 }, 'damaged'],
];

test('opening detects a label that is invalid or does not fit its neighbor', async (t) => {
  const folder = await folderFor(t);
  for (const [file, claim, problem] of FALSE_CLAIMS) {
    await rm(folder, { recursive: true });
    await tenIn(folder);
    const frames = file === FIRST ? TEN.slice(0, 3) : TEN.slice(3, 6);
    await repack(folder, file, frames, claim);
    const place = fault(problem, file);
    await assert.rejects(openArchive(folder, 'read'), place, JSON.stringify(claim));
  }
});

test('reading detects a body with fewer frames or bytes than in its label', async (t) => {
  const folder = await folderFor(t);
  const contentBytes = TEN.slice(3, 6).reduce((sum, { length }) => sum + length, 0);
  const bodies: [frames: readonly Uint8Array[], claim: object][] = [
    [TEN.slice(3, 5), {}],
    [TEN.slice(3, 6), { contentBytes: contentBytes + 1 }],
    [TEN.slice(3, 6), { contentBytes: contentBytes - 1 }],
    [[...TEN.slice(3, 6), Buffer.from('more')], {}],
    [[...TEN.slice(3, 5), TEN[5].subarray(0, -1)], {}],
  ];
  for (const [frames, claim] of bodies.slice(0, 4)) {
    await rm(folder, { recursive: true });
    await tenIn(folder);
    await repack(folder, SECOND, frames, claim);
    const archive = await openArchive(folder, 'read');
    await assert.rejects(collect(archive.readFrames(4, 6)), fault('damaged', SECOND));
  }
  // If only the last frame is truncated, the frame reports it.
  await repack(folder, SECOND, bodies[4][0]);
  const archive = await openArchive(folder, 'read');
  await assert.rejects(collect(verifySegment(archive, 1)), fault('damaged', SECOND, 6));
});

test('a segment repacked with other frames is detected at the first wrong frame', async (t) => {
  const folder = await folderFor(t);
  await tenIn(folder);
  const forged = framesOf([{ epoch: 2, commands: 3 }], { bytes: TEN[3], sequence: 4 });
  await repack(folder, SECOND, [TEN[3], forged[0], TEN[5]]);
  const archive = await openArchive(folder, 'read');
  await assert.rejects(collect(verifySegment(archive, 1)), fault('not_continuing', SECOND, 6));
});

test('a label that contradicts its frames is detected', async (t) => {
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

test('a segment with a changed checkpoint is detected by the next segment', async (t) => {
  const folder = await folderFor(t);
  await tenIn(folder);
  const checkpoint = { ...CHECKPOINT, stateHash: 'another' };
  await repack(folder, SECOND, TEN.slice(3, 6), { checkpoint });
  const archive = await openArchive(folder, 'read');
  await assert.rejects(collect(verifySegment(archive, 1)), fault('not_continuing', THIRD));
});

test('opening detects a file truncated at any byte', async (t) => {
  const folder = await folderFor(t);
  const archive = await openArchive(folder, 'append');
  await archive.appendSegment({ frames: TEN.slice(0, 1), checkpoint: CHECKPOINT });
  const whole = await readFile(join(folder, FIRST));
  for (let length = 0; length < whole.length; length++) {
    await writeFile(join(folder, FIRST), whole.subarray(0, length));
    await assert.rejects(openArchive(folder, 'read'), fault('damaged', FIRST), `${length} bytes`);
  }
});

test('verifying detects any changed byte', async (t) => {
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

async function change(folder: string, file: string, by: (text: string) => string): Promise<void> {
  const text = await readFile(join(folder, file), 'latin1');
  assert.notEqual(by(text), text, 'the damage was applied');
  await writeFile(join(folder, file), by(text), 'latin1');
}
