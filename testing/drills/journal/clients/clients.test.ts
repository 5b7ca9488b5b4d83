// Records of the journal drill's clients: outcomes by number, and arrival times of frames.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { FrameArrivals } from './frame-arrivals.ts';
import { OutcomeRecords } from './outcome-records.ts';

test('outcomes are read back from their file unchanged', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-records-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const records = new OutcomeRecords();
  const answered = {
    ...({ kind: 'answered', command: 2 ** 40, sequence: 9, isRepeat: true } as const),
    ...({ refusal: 'order_must_exist', eventsCrc: 0xffff_fffe } as const),
  };
  for (let number = 1; number <= 3_000; number++) records.open(number, number % 40);
  records.set(2_999, answered);
  records.set(3_000, { ...answered, kind: 'unknown', isRepeat: false, eventsCrc: undefined });
  const file = join(folder, 'records');
  records.write(file);

  const read = OutcomeRecords.read(file);
  assert.equal(read.count, 3_000);
  assert.deepEqual(read.get(2_999), { ...answered, round: 39 });
  assert.equal(read.get(2_998).kind, 'nothing');
  assert.deepEqual(read.get(3_000), {
    ...answered,
    kind: 'unknown',
    isRepeat: false,
    eventsCrc: undefined,
    round: 0,
  });
});

test('the first frame of a later epoch, or created after a moment, is found', () => {
  const frames = new FrameArrivals();
  frames.add(1, { atMs: 100, epoch: 1, madeMs: 1_000 });
  frames.add(2, { atMs: 110, epoch: 1, madeMs: 1_010 });
  frames.add(3, { atMs: 150, epoch: 2, madeMs: 1_020 });
  assert.equal(frames.first({ sinceMs: 90, epochAfter: 1 })?.atMs, 150);
  assert.equal(frames.first({ sinceMs: 90, madeAfterMs: 1_000 })?.atMs, 110);
  assert.equal(frames.first({ sinceMs: 120, madeAfterMs: 1_000 })?.atMs, 150);
  assert.equal(frames.first({ sinceMs: 90, epochAfter: 2 }), undefined);
});

test('a frame is recorded once, and never after a later one', () => {
  const frames = new FrameArrivals();
  assert.equal(frames.add(2, { atMs: 1, epoch: 1, madeMs: 1 }), true);
  assert.equal(frames.add(2, { atMs: 2, epoch: 1, madeMs: 1 }), false);
  assert.equal(frames.add(1, { atMs: 3, epoch: 1, madeMs: 1 }), false);
});

test('the longest gap includes its ends', () => {
  const frames = new FrameArrivals();
  for (const [index, atMs] of [100, 130, 140].entries()) {
    frames.add(index + 1, { atMs, epoch: 1, madeMs: atMs });
  }
  assert.equal(frames.longestGapMs(90, 150), 30);
  assert.equal(frames.longestGapMs(50, 150), 50);
  assert.equal(frames.longestGapMs(90, 200), 60);
});
