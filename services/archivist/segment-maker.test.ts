// Segments: where they end, their content, the order in which they are written, and failures.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { framesOf } from '../../infra/journal/archive-for-test.ts';
import {
  Archive,
  type ArchiveFiles,
  type EventPart,
  SEGMENT_FRAMES_MAX,
  type SegmentInfo,
  verifySegment,
} from '../../infra/journal/index.ts';
import { SegmentMaker } from './segment-maker.ts';

const TWENTY = framesOf(Array(20).fill({}));
const FRAME_BYTES = TWENTY[0].length;

/** Files in memory; while on hold, no file is created. */
class MemoryFiles implements ArchiveFiles {
  readonly #files = new Map<string, Uint8Array>();
  #held: (() => void)[] | undefined;
  fault: Error | undefined;

  async list(): Promise<string[]> {
    return [...this.#files.keys()].sort();
  }

  async readStart(name: string, bytesMax: number) {
    const file = await this.read(name);
    return { bytes: file.subarray(0, bytesMax), fileBytes: file.length };
  }

  async read(name: string): Promise<Uint8Array> {
    return this.#files.get(name) ?? assert.fail(`${name} does not exist`);
  }

  async create(name: string, bytes: Uint8Array): Promise<boolean> {
    if (this.#held !== undefined) await new Promise<void>((go) => this.#held?.push(go));
    if (this.fault !== undefined) throw this.fault;
    assert.ok(!this.#files.has(name));
    this.#files.set(name, bytes);
    return true;
  }

  async removeUnfinished(): Promise<void> {}

  hold(): void {
    this.#held = [];
  }

  release(): void {
    const held = this.#held;
    this.#held = undefined;
    for (const go of held ?? []) go();
  }
}

interface Stage {
  readonly maker: SegmentMaker;
  readonly files: MemoryFiles;
  readonly archive: Archive;
  /** `first-last` of each segment when archived, and faults. */
  readonly recorded: string[];
  readonly segments: SegmentInfo[];
  /** `isBehind` at each change. */
  readonly paces: boolean[];
  add(from: number, to: number): void;
  idle(): Promise<void>;
}

async function open(segmentBytes = 1_000_000): Promise<Stage> {
  const files = new MemoryFiles();
  const archive = await Archive.open(files);
  const recorded: string[] = [];
  const segments: SegmentInfo[] = [];
  const paces: boolean[] = [];
  const maker = new SegmentMaker({
    archive,
    segmentBytes,
    onArchived(segment) {
      segments.push(segment);
      recorded.push(`${segment.firstSequence}-${segment.lastSequence}`);
    },
    onPace: () => paces.push(maker.isBehind),
    onFault: (reason, cause) => recorded.push(cause ? `${reason}: ${cause}` : reason),
  });
  return {
    maker,
    files,
    archive,
    recorded,
    segments,
    paces,
    add(from, to) {
      for (let sequence = from; sequence <= to; sequence++) {
        maker.add(TWENTY[sequence - 1], partsOf(sequence));
      }
    },
    async idle() {
      while (!maker.isIdle) await setImmediate();
    },
  };
}

/** Stands for the magic number and the schema version, which are not hashed. */
const HEADER = 'RLTE05';

function partsOf(sequence: number): EventPart[] {
  const texts = [`what frame ${sequence}`, ' gave'];
  return texts.map((text, part) => {
    return { sequence, part, isLast: part === 1, bytes: new TextEncoder().encode(HEADER + text) };
  });
}

/** Output hash of these frames, computed independently. */
function outputHash(from: number, to: number): string {
  const hash = createHash('sha256');
  for (let sequence = from; sequence <= to; sequence++) hash.update(`what frame ${sequence} gave`);
  return hash.digest('hex');
}

test('a segment contains the frames since the last cut and their output hash', async () => {
  const { add, archive, idle, maker, segments, recorded } = await open();
  assert.deepEqual([maker.isEmpty, maker.isIdle], [true, true]);
  add(1, 3);
  await setImmediate();
  assert.deepEqual([maker.isEmpty, maker.isIdle, recorded], [false, true, []]);
  maker.cut();
  assert.deepEqual([maker.isEmpty, maker.isIdle], [true, false]);
  add(4, 5);
  maker.cut('the state');
  await idle();
  assert.deepEqual(recorded, ['1-3', '4-5']);
  assert.deepEqual(
    segments.map(({ checkpoint }) => checkpoint),
    [{ outputHash: outputHash(1, 3) }, { outputHash: outputHash(4, 5), stateHash: 'the state' }],
  );
  const found: Uint8Array[] = [];
  for await (const bytes of archive.readFrames(1)) found.push(new Uint8Array(bytes));
  assert.deepEqual(
    found,
    TWENTY.slice(0, 5).map((bytes) => new Uint8Array(bytes)),
  );
  for (const index of [0, 1]) for await (const _ of verifySegment(archive, index));
});

test('a cut without frames creates no segment', async () => {
  const { add, idle, maker, recorded } = await open();
  maker.cut();
  add(1, 1);
  maker.cut();
  maker.cut('the state');
  await idle();
  assert.deepEqual(recorded, ['1-1']);
});

test('a segment ends at its size limit', async () => {
  const cases: [segmentBytes: number, recorded: string[]][] = [
    [3 * FRAME_BYTES, ['1-3', '4-6']],
    [3 * FRAME_BYTES + 1, ['1-4']],
    [1, ['1-1', '2-2', '3-3', '4-4', '5-5', '6-6', '7-7']],
  ];
  for (const [segmentBytes, expected] of cases) {
    const { add, idle, recorded } = await open(segmentBytes);
    add(1, 7);
    await idle();
    assert.deepEqual(recorded, expected, `${segmentBytes} bytes`);
  }
});

test('a segment ends at its frame limit', async () => {
  const { idle, maker, recorded } = await open(1e9);
  const many = framesOf(Array(SEGMENT_FRAMES_MAX + 1).fill({ commands: 0 }));
  for (const frame of many) maker.add(frame, []);
  await idle();
  assert.deepEqual([recorded, maker.isEmpty], [[`1-${SEGMENT_FRAMES_MAX}`], false]);
});

test('bytes are copied, because they belong to the log', async () => {
  const { archive, idle, maker } = await open();
  const bytes = new Uint8Array(TWENTY[0]);
  maker.add(bytes, partsOf(1));
  bytes.fill(0xdd);
  maker.cut();
  await idle();
  const [{ frames }] = [await archive.readSegment(archive.segments()[0])];
  assert.deepEqual(new Uint8Array(frames[0]), new Uint8Array(TWENTY[0]));
});

test('segments are queued in order while another one is written', async () => {
  const { add, files, idle, maker, recorded } = await open(2 * FRAME_BYTES);
  files.hold();
  add(1, 7);
  for (let turn = 0; turn < 20; turn++) await setImmediate();
  assert.deepEqual([recorded, maker.isIdle], [[], false]);
  files.release();
  await idle();
  assert.deepEqual(recorded, ['1-2', '3-4', '5-6']);
});

test('an archive that is behind requests a pause until a segment is written', async () => {
  const { add, files, idle, maker, paces, recorded } = await open(FRAME_BYTES);
  files.hold();
  add(1, 16);
  assert.deepEqual(
    [paces, maker.isBehind],
    [[], false],
    'one is being written and fifteen are queued',
  );
  add(17, 17);
  assert.deepEqual([paces, maker.isBehind], [[true], true]);
  files.release();
  await idle();
  assert.deepEqual([paces, maker.isBehind, recorded.length], [[true, false], false, 17]);
});

test('a segment that cannot be archived is a fault, and no later segment is written', async () => {
  const { add, archive, files, idle, recorded } = await open(2 * FRAME_BYTES);
  add(1, 2);
  await idle();
  files.fault = new Error('the disk is full');
  add(3, 6);
  while (recorded.length < 2) await setImmediate();
  assert.deepEqual(recorded, ['1-2', 'segment not archived: Error: the disk is full']);
  files.fault = undefined;
  add(7, 8);
  while (recorded.length < 3) await setImmediate();
  assert.match(recorded[2], /^segment not archived: ArchiveFault: .*not_continuing/);
  assert.equal(archive.end.sequence, 2, 'no gap');
  for await (const _ of verifySegment(archive, 0));
});
