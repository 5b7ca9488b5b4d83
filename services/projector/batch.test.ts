// A batch accepts only the next message, and every readable schema version has handlers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeEventFrame, FrameWriter, SCHEMA_VERSION } from '../../core/messages/index.ts';
import type { CommandNumber, TimeMs } from '../../core/money/index.ts';
import { decodeEventBatch, encodeEventBatch, NO_HASH } from '../../infra/journal/index.ts';
import { Batch } from './batch.ts';
import { completeFrame, NO_CURSOR } from './cursor.ts';
import { handlersFor } from './handlers.ts';

function message(
  previousHash: Uint8Array,
  parts: [frame: number, part: number, isLast: boolean][],
) {
  const encoded = parts.map(([sequence, part, isLast]) => {
    const frame = { sequence, timeMs: (1_000 * sequence) as TimeMs, events: [] };
    const bytes = encodeEventFrame(new FrameWriter(), {
      ...frame,
      firstCommand: 1 as CommandNumber,
    });
    return { sequence, part, isLast, bytes: new Uint8Array(bytes) };
  });
  return decodeEventBatch(encodeEventBatch(previousHash, encoded).message);
}

test('a batch moves the cursor across messages, frames and parts', () => {
  const first = message(NO_HASH, [
    [1, 0, true],
    [2, 0, false],
  ]);
  const batch = new Batch(NO_CURSOR);
  assert.ok(batch.isEmpty);
  batch.add(1, first);
  assert.deepEqual([batch.after.frameSequence, completeFrame(batch.after)], [2, 1]);
  batch.add(2, message(first.hash, [[2, 1, true]]));
  const { after } = batch;
  assert.deepEqual(
    [after.eventsSequence, after.frameSequence, after.part, completeFrame(after), after.timeMs],
    [2, 2, 1, 2, 2_000],
  );
  assert.equal(batch.before, NO_CURSOR);
});

const first = message(NO_HASH, [[1, 0, true]]);
const rejected: [what: string, sequence: number, batch: typeof first, error: RegExp][] = [
  ['a message after a gap', 3, message(first.hash, [[2, 0, true]]), /message 3 follows 1/],
  [
    'a message from another hash chain',
    2,
    message(NO_HASH, [[2, 0, true]]),
    /breaks the hash chain/,
  ],
  ['a frame after a gap', 2, message(first.hash, [[3, 0, true]]), /frame 3 follows/],
  ['a repeated frame', 2, message(first.hash, [[1, 0, true]]), /part 0 of frame 1/],
  [
    'a part without the previous parts',
    2,
    message(first.hash, [[2, 1, true]]),
    /part 1 of frame 2/,
  ],
];
for (const [what, sequence, batch, error] of rejected) {
  test(`${what} is rejected`, () => {
    const taken = new Batch(NO_CURSOR);
    taken.add(1, first);
    assert.throws(() => taken.add(sequence, batch), error);
  });
}

test('every schema version up to the newest has handlers, and a newer one has none', () => {
  for (let version = 1; version <= SCHEMA_VERSION; version++) assert.ok(handlersFor(version));
  assert.throws(() => handlersFor(SCHEMA_VERSION + 1), /cannot project events of schema version/);
});
