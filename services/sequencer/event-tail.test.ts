// A standby's event tail returns the parts after any end of the EVENTS log, or reports that it has
// discarded them or that the log has different events.

import assert from 'node:assert/strict';
import test from 'node:test';
import { encodeEventFrame, FrameWriter } from '../../core/messages/index.ts';
import type { CommandNumber, TimeMs } from '../../core/money/index.ts';
import { type EventPart, type EventsEnd, NO_EVENTS, NO_HASH } from '../../infra/journal/index.ts';
import { EventTail } from './event-tail.ts';

const PART_BYTES = 38;

function part(sequence: number, number = 0, isLast = true, timeMs = 1_000): EventPart {
  const header = { sequence, timeMs: timeMs as TimeMs, firstCommand: 1 as CommandNumber };
  const bytes = new Uint8Array(encodeEventFrame(new FrameWriter(), { ...header, events: [] }));
  return { sequence, part: number, isLast, bytes };
}

function endAt({ sequence, part: number, isLast, bytes }: EventPart): EventsEnd {
  return { last: 9, sequence, part: number, isComplete: isLast, bytes, hash: NO_HASH };
}

/** Frames 11–14; frame 13 has three parts. */
const FRAMES = [
  [part(11)],
  [part(12)],
  [part(13, 0, false), part(13, 1, false), part(13, 2)],
  [part(14)],
];

function tailOf({ after = 10, bytesMax = 1_000_000 } = {}): EventTail {
  const tail = new EventTail({ after, bytesMax });
  for (const parts of FRAMES) tail.push(parts);
  return tail;
}

function names(found: ReturnType<EventTail['after']>): string {
  if (typeof found === 'string') return found;
  return found.map(({ sequence, part }) => `${sequence}.${part}`).join(' ');
}

const ALL = '11.0 12.0 13.0 13.1 13.2 14.0';

const ENDS: Record<string, { end: EventPart; found: string }> = {
  'at the start of the tail': { end: part(10), found: ALL },
  'after a complete frame': { end: part(12), found: '13.0 13.1 13.2 14.0' },
  'after the first part of a frame': { end: part(13, 0, false), found: '13.1 13.2 14.0' },
  'after the last part of a frame': { end: part(13, 2), found: '14.0' },
  'after everything': { end: part(14), found: '' },
  'beyond the tail': { end: part(20), found: '' },
  'before the tail': { end: part(9), found: 'forgotten' },
  'in the middle of a frame before the tail': { end: part(10, 0, false), found: 'forgotten' },
  'with different bytes': { end: part(12, 0, true, 2_000), found: 'different' },
};

for (const [name, { end, found }] of Object.entries(ENDS)) {
  test(`a log that ends ${name} lacks: ${found || 'nothing'}`, () => {
    assert.equal(names(tailOf().after(endAt(end))), found);
  });
}

test('events with another schema have other bytes and do not count as different', () => {
  const older = part(12, 0, true, 2_000);
  new DataView(older.bytes.buffer).setUint16(4, 1, true);
  assert.equal(names(tailOf().after(endAt(older))), '13.0 13.1 13.2 14.0');
});

test('an empty log lacks everything starting with the first frame', () => {
  const tail = new EventTail({ after: 0, bytesMax: 1_000 });
  assert.equal(names(tail.after(NO_EVENTS)), '');
  tail.push([part(1)]);
  assert.equal(names(tail.after(NO_EVENTS)), '1.0');
});

test('stored frames are discarded, except the last, which is compared', () => {
  const tail = tailOf();
  assert.equal(tail.bytes, 6 * PART_BYTES);
  tail.discardStored(12);
  assert.equal(tail.bytes, 5 * PART_BYTES);
  assert.equal(names(tail.after(endAt(part(12)))), '13.0 13.1 13.2 14.0');
  assert.equal(names(tail.after(endAt(part(12, 0, true, 2_000)))), 'different');
  assert.equal(names(tail.after(endAt(part(11)))), '12.0 13.0 13.1 13.2 14.0');
  assert.equal(names(tail.after(endAt(part(10)))), 'forgotten');
  tail.discardStored(11);
  assert.equal(tail.bytes, 5 * PART_BYTES, 'an outdated report changes nothing');
});

test('frames reported as stored in advance are discarded on arrival', () => {
  const tail = tailOf();
  tail.discardStored(20);
  assert.equal(tail.bytes, 0);
  tail.push([part(15)]);
  assert.equal(names(tail.after(endAt(part(20)))), '');
  assert.equal(names(tail.after(endAt(part(15)))), 'forgotten');
});

test('at its limit the tail discards complete frames, oldest first', () => {
  const tail = tailOf({ bytesMax: 4 * PART_BYTES });
  assert.equal(tail.bytes, 4 * PART_BYTES);
  assert.equal(names(tail.after(endAt(part(12)))), '13.0 13.1 13.2 14.0');
  assert.equal(names(tail.after(endAt(part(11)))), 'forgotten');
  const smaller = tailOf({ bytesMax: 4 * PART_BYTES - 1 });
  assert.equal(smaller.bytes, PART_BYTES, 'a frame is kept completely or not at all');
  assert.equal(names(smaller.after(endAt(part(13, 0, false)))), 'forgotten');
  assert.equal(names(smaller.after(endAt(part(13, 2)))), '14.0');
});

test('a frame larger than the limit is not kept', () => {
  const tail = tailOf({ bytesMax: 10 });
  assert.equal(tail.bytes, 0);
  assert.equal(names(tail.after(endAt(part(14)))), '');
  assert.equal(names(tail.after(endAt(part(13, 2)))), 'forgotten');
});
