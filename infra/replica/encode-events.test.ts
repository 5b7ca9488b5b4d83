// Events encoded as parts and spans: the cuts are at fixed places, nothing is lost, and a command's
// span finds its events within the part in which they begin.

import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import {
  decodeEventFrame,
  decodeEventRecords,
  type Event,
  type EventFrame,
} from '../../core/messages/index.ts';
import type { AssetId, Atoms, CommandNumber, TimeMs, UserId } from '../../core/money/index.ts';
import {
  type EncodedEvents,
  EVENT_PART_BYTES,
  encodeEvents,
  SPAN_COUNT,
  SPAN_FIELDS,
  SPAN_FROM,
  SPAN_PART,
  SPAN_TO,
} from './encode-events.ts';

const FIRST_COMMAND = 501;
const HEADER_BYTES = 38;
/** The encoded size of eventOf(): large, so about a thousand events fill a part. */
const EVENT_BYTES = 1_029;
const REFERENCE = 'x'.repeat(1_000);
/** The number of events that fill a part. */
const PER_PART = Math.ceil((EVENT_PART_BYTES - HEADER_BYTES) / EVENT_BYTES);
const BY_TIME = 0;

let amounts = 0n;

/** Each event differs from all others. */
function eventOf(command: number, reference = REFERENCE): Event {
  const money = { user: 1 as UserId, asset: 1 as AssetId, amountAtoms: ++amounts as Atoms };
  return { kind: 'DepositCredited', command: command as CommandNumber, ...money, reference };
}

/** A frame with this many events per command, after some that time caused. */
function frameOf(counts: readonly number[], timeEvents = 0): EventFrame {
  const events: Event[] = Array.from({ length: timeEvents }, () => eventOf(BY_TIME));
  for (const [index, count] of counts.entries()) {
    for (let at = 0; at < count; at++) events.push(eventOf(FIRST_COMMAND + index));
  }
  const firstCommand = FIRST_COMMAND as CommandNumber;
  return { sequence: 9, timeMs: 1_000 as TimeMs, firstCommand, events };
}

interface Span {
  readonly part: number;
  readonly events: Event[];
}

function spanOf({ parts, spans }: EncodedEvents, index: number): Span {
  const at = index * SPAN_FIELDS;
  const part = spans[at + SPAN_PART];
  const bytes = parts[part].bytes.subarray(spans[at + SPAN_FROM], spans[at + SPAN_TO]);
  return { part, events: decodeEventRecords({ bytes, count: spans[at + SPAN_COUNT] }) };
}

function caused(frame: EventFrame, index: number): Event[] {
  return frame.events.filter(({ command }) => command === FIRST_COMMAND + index);
}

/** Checks that the parts decode to the frame, and that each but the last is full. */
function assertParts(frame: EventFrame, { parts }: EncodedEvents): void {
  const events: Event[] = [];
  for (const [index, { bytes, isLast, part, sequence }] of parts.entries()) {
    assert.deepEqual([sequence, part, isLast], [9, index, index === parts.length - 1]);
    const { events: some, ...header } = decodeEventFrame(bytes);
    assert.deepEqual(header, { sequence: 9, timeMs: 1_000, firstCommand: FIRST_COMMAND });
    if (!isLast) {
      assert.ok(bytes.length >= EVENT_PART_BYTES && bytes.length < EVENT_PART_BYTES + EVENT_BYTES);
    }
    events.push(...some);
  }
  assert.deepEqual(events, frame.events);
}

test('a small frame is one part, and each command has its events', () => {
  const frame = frameOf([1, 0, 3, 2]);
  const encoded = encodeEvents(frame, 4);
  assertParts(frame, encoded);
  assert.equal(encoded.parts.length, 1);
  for (const index of [0, 1, 2, 3]) {
    assert.deepEqual(spanOf(encoded, index), { part: 0, events: caused(frame, index) });
  }
});

test('events caused by time are in no span', () => {
  const frame = frameOf([2, 1], 3);
  const encoded = encodeEvents(frame, 2);
  assertParts(frame, encoded);
  assert.deepEqual(spanOf(encoded, 0).events, caused(frame, 0));
  assert.deepEqual(spanOf(encoded, 1).events, caused(frame, 1));
});

test('an empty frame is one part without events', () => {
  const encoded = encodeEvents(frameOf([]), 0);
  assert.equal(encoded.parts.length, 1);
  assert.deepEqual(
    [encoded.parts[0].isLast, encoded.parts[0].bytes.length, encoded.spans.length],
    [true, HEADER_BYTES, 0],
  );
});

test('without spans the parts are the same', () => {
  const frame = frameOf([PER_PART, 2]);
  const [spanless, spanned] = [encodeEvents(frame), encodeEvents(frame, 2)];
  assert.equal(spanless.spans.length, 0);
  assert.deepEqual(spanless.parts, spanned.parts);
});

test('encoding the next frame does not change the bytes', () => {
  const frame = frameOf([3]);
  const encoded = encodeEvents(frame, 1);
  encodeEvents(frameOf([9]), 1);
  assertParts(frame, encoded);
});

const CUTS: Record<string, { counts: number[]; parts: number; found: [number, number][] }> = {
  // For each command: the part where its events begin, and the number of events in its span.
  'a frame that just fits is not cut': {
    counts: [PER_PART - 1, 1],
    parts: 1,
    found: [
      [0, PER_PART - 1],
      [0, 1],
    ],
  },
  'a command that begins right after a cut has all its events': {
    counts: [PER_PART, 2, 1],
    parts: 2,
    found: [
      [0, PER_PART],
      [1, 2],
      [1, 1],
    ],
  },
  'a command that is cut has the events before the cut': {
    counts: [PER_PART - 2, 5, 1],
    parts: 2,
    found: [
      [0, PER_PART - 2],
      [0, 2],
      [1, 1],
    ],
  },
  'a command over three parts has the events in the first': {
    counts: [1, 2 * PER_PART, 3],
    parts: 3,
    found: [
      [0, 1],
      [0, PER_PART - 1],
      [2, 3],
    ],
  },
  'commands without events on both sides of a cut': {
    counts: [PER_PART, 0, 0, 1],
    parts: 2,
    found: [
      [0, PER_PART],
      [0, 0],
      [0, 0],
      [1, 1],
    ],
  },
};

for (const [name, { counts, parts, found }] of Object.entries(CUTS)) {
  test(name, () => {
    const frame = frameOf(counts);
    const encoded = encodeEvents(frame, counts.length);
    assertParts(frame, encoded);
    assert.equal(encoded.parts.length, parts);
    for (const [index, [part, count]] of found.entries()) {
      const events = caused(frame, index).slice(0, count);
      assert.deepEqual(spanOf(encoded, index), { part, events }, `command ${index}`);
    }
  });
}

test('a part is full at exactly its byte limit', () => {
  for (const [lacking, parts] of [
    [0, 2],
    [1, 1],
  ]) {
    const frame = frameOf([PER_PART - 1]);
    const restBytes = EVENT_PART_BYTES - HEADER_BYTES - (PER_PART - 1) * EVENT_BYTES - lacking;
    const filler = eventOf(FIRST_COMMAND, 'x'.repeat(restBytes - (EVENT_BYTES - REFERENCE.length)));
    const events = [...frame.events, filler, eventOf(FIRST_COMMAND)];
    assert.equal(encodeEvents({ ...frame, events }).parts.length, parts, `${lacking} lacking`);
  }
});

test('events caused by time can fill a part', () => {
  const frame = frameOf([2], 2 * PER_PART);
  const encoded = encodeEvents(frame, 1);
  assert.ok(encoded.parts.length > 1);
  assert.deepEqual(spanOf(encoded, 0).events, caused(frame, 0));
});

test("a span has its command's events starting with the first, for any distribution", () => {
  const counts = fc.array(fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: PER_PART })), {
    minLength: 1,
    maxLength: 5,
  });
  fc.assert(
    fc.property(counts, fc.nat({ max: 5 }), (counts, timeEvents) => {
      const frame = frameOf(counts, timeEvents);
      const encoded = encodeEvents(frame, counts.length);
      for (const index of counts.keys()) {
        const all = caused(frame, index);
        const { events, part } = spanOf(encoded, index);
        assert.deepEqual(events, all.slice(0, events.length));
        const end = encoded.spans[index * SPAN_FIELDS + SPAN_TO];
        const { bytes, isLast } = encoded.parts[part];
        const isCut = !isLast && end === bytes.length;
        assert.ok(
          events.length === all.length || isCut,
          'the missing events are beyond the end of the part',
        );
      }
    }),
    { numRuns: 20 },
  );
});
