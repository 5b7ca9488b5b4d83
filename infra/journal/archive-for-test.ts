// Fixtures for the tests of the archive: chained frames, and an archive of ten of them.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Command, encodeCommandFrame, FrameWriter } from '../../core/messages/index.ts';
import type { CommandNumber, TimeMs } from '../../core/money/index.ts';
import { type Archive, openArchive, verifySegment } from './archive.ts';
import { ArchiveFault, type ArchiveProblem } from './archive-fault.ts';

export const OUTPUT_HASH = 'ab'.repeat(32);
export const CHECKPOINT = { outputHash: OUTPUT_HASH, stateHash: 'the state' };

interface Plan {
  readonly epoch?: number;
  readonly timeMs?: number;
  readonly commands?: number;
  readonly previousHash?: Uint8Array;
  readonly sequence?: number;
}

/** Chained frames as planned; `after` is the frame before the first. */
export function framesOf(plans: readonly Plan[], after?: { bytes: Uint8Array; sequence: number }) {
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
  return { kind: 'VoidCommand', source: 1, number, command: 7 as CommandNumber };
}

export function sha256(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(bytes).digest());
}

export async function folderFor(test: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rialto-archive-'));
  test.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Ten frames in segments of three, three, three and one. */
export const TEN = framesOf([
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

export async function tenIn(folder: string): Promise<Archive> {
  const archive = await openArchive(folder, 'append');
  for (const from of [0, 3, 6, 9]) {
    await archive.appendSegment({ frames: TEN.slice(from, from + 3), checkpoint: CHECKPOINT });
  }
  return archive;
}

export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

export async function verifyAll(folder: string): Promise<void> {
  const archive = await openArchive(folder, 'read');
  for (const index of archive.segments().keys()) await collect(verifySegment(archive, index));
}

export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

export function fault(problem: ArchiveProblem, file?: string, sequence?: number) {
  return (error: unknown): boolean => {
    assert.ok(error instanceof ArchiveFault, String(error));
    const found = { problem: error.problem, file: error.file, sequence: error.sequence };
    const place = { file: file ?? error.file, sequence: sequence ?? error.sequence };
    assert.deepEqual(found, { problem, ...place }, error.message);
    return true;
  };
}
