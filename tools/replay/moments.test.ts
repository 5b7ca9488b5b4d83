// Parses moments, and finds the last frame at a time.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openArchive } from '../../infra/journal/index.ts';
import { parseMoment, sequenceAt, timeText } from './moments.ts';
import { folderFor } from './replay-for-test.ts';
import { recordStory, START_MS } from './story-archive-for-test.ts';

test('a text is a frame, a time, the end, or nothing', () => {
  const frame = (sequence: number) => ({ kind: 'frame', sequence });
  const time = (timeMs: number) => ({ kind: 'time', timeMs });
  const meanings: [string, unknown][] = [
    ['end', { kind: 'end' }],
    ['0', frame(0)],
    ['42', frame(42)],
    ['999999999999', frame(999_999_999_999)],
    ['1000000000000', time(1_000_000_000_000)],
    ['1767225603000', time(1_767_225_603_000)],
    ['2026-01-01', time(START_MS)],
    ['2026-01-01T00:00Z', time(START_MS)],
    ['2026-01-01T00:00:00.250Z', time(START_MS + 250)],
    ['2026-01-01T02:00:00+02:00', time(START_MS)],
    ['2026-01-01T00:00:00', undefined],
    ['2026-13-01', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['99999999999999999', undefined],
    ['', undefined],
  ];
  for (const [text, meaning] of meanings) assert.deepEqual(parseMoment(text), meaning, text);
});

test('a time means the last frame that is not later', async (t) => {
  const folder = await folderFor(t);
  await recordStory(folder);
  const archive = await openArchive(folder, 'read');
  const frames: [number, number][] = [
    [-1, 0],
    [0, 1],
    [999, 1],
    [1_000, 2],
    [2_999, 3],
    [3_000, 4],
    // Frame 6 is stamped 3,500 and follows frame 5, stamped 4,000.
    [3_999, 4],
    [4_000, 6],
    [9_999, 6],
    [10_000, 7],
    [10_999, 7],
    [11_000, 8],
    [99_999, 8],
  ];
  for (const [afterMs, sequence] of frames) {
    const moment = { kind: 'time', timeMs: START_MS + afterMs } as const;
    assert.equal(await sequenceAt(archive, moment), sequence, `${afterMs} ms`);
  }
});

test('a time beyond all calendars is still a number', () => {
  assert.equal(timeText(START_MS), '2026-01-01T00:00:00.000Z');
  assert.equal(timeText(Number.MAX_SAFE_INTEGER), '9007199254740991 ms');
});
