// Event batches: they round-trip, the chain does not depend on how parts are batched, and every
// changed, missing or added byte is detected.

import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import {
  decodeEventBatch,
  EventBatchFault,
  type EventPart,
  encodeEventBatch,
} from './event-batch.ts';
import { NO_HASH } from './sealed-frame.ts';

const PREVIOUS = Uint8Array.from({ length: 32 }, (_, at) => at);

function part(sequence: number, number: number, isLast: boolean, text: string): EventPart {
  return { sequence, part: number, isLast, bytes: new TextEncoder().encode(text) };
}

const PARTS = [
  part(7, 1, true, 'the rest of frame seven'),
  part(8, 0, true, ''),
  part(9, 0, false, 'a large'),
  part(9, 1, true, 'frame'),
];

const anyPart = fc
  .tuple(
    fc.nat({ max: Number.MAX_SAFE_INTEGER }),
    fc.nat({ max: 0xffff_ffff }),
    fc.boolean(),
    fc.uint8Array({ maxLength: 60 }),
  )
  .map(([sequence, part, isLast, bytes]): EventPart => ({ sequence, part, isLast, bytes }));

test('a batch round-trips', () => {
  fc.assert(
    fc.property(fc.array(anyPart, { maxLength: 6 }), (parts) => {
      const { hash, message } = encodeEventBatch(PREVIOUS, parts);
      const batch = decodeEventBatch(message);
      assert.deepEqual(batch.parts, parts);
      assert.deepEqual(batch.previousHash, PREVIOUS);
      assert.deepEqual(new Uint8Array(batch.hash), new Uint8Array(hash));
    }),
  );
});

test('a batch inside a larger buffer round-trips', () => {
  const { message } = encodeEventBatch(PREVIOUS, PARTS);
  const buffer = Buffer.alloc(message.length + 20, 0xdd);
  buffer.set(message, 10);
  assert.deepEqual(decodeEventBatch(buffer.subarray(10, 10 + message.length)).parts.length, 4);
  assert.equal(decodeEventBatch(buffer.subarray(10, 10 + message.length)).parts[3].sequence, 9);
});

test('the chain does not depend on how parts are batched', () => {
  const expected = encodeEventBatch(NO_HASH, PARTS);
  for (let at = 0; at <= PARTS.length; at++) {
    const first = encodeEventBatch(NO_HASH, PARTS.slice(0, at));
    const second = encodeEventBatch(first.hash, PARTS.slice(at));
    assert.deepEqual(second.hash, expected.hash, `cut at ${at}`);
  }
});

test('the chain covers the order, the limits and the numbers of parts', () => {
  const others: Record<string, EventPart[]> = {
    'another order': [PARTS[1], PARTS[0], PARTS[2], PARTS[3]],
    'a missing part': [PARTS[0], PARTS[2], PARTS[3]],
    'bytes moved to the next part': [
      ...PARTS.slice(0, 2),
      part(9, 0, false, 'a lar'),
      part(9, 1, true, 'geframe'),
    ],
    'another frame': [...PARTS.slice(0, 3), part(10, 1, true, 'frame')],
    'another number': [...PARTS.slice(0, 3), part(9, 2, true, 'frame')],
    'not the last': [...PARTS.slice(0, 3), part(9, 1, false, 'frame')],
  };
  const { hash } = encodeEventBatch(PREVIOUS, PARTS);
  for (const [name, parts] of Object.entries(others)) {
    assert.notDeepEqual(encodeEventBatch(PREVIOUS, parts).hash, hash, name);
  }
  assert.notDeepEqual(encodeEventBatch(NO_HASH, PARTS).hash, hash, 'another start of the chain');
});

function isRefused(message: Uint8Array): boolean {
  try {
    decodeEventBatch(message);
    return false;
  } catch (fault) {
    assert.ok(fault instanceof EventBatchFault, String(fault));
    return true;
  }
}

test('a batch with any flipped bit is rejected', () => {
  const { message } = encodeEventBatch(PREVIOUS, PARTS);
  for (let at = 0; at < message.length; at++) {
    for (let bit = 0; bit < 8; bit++) {
      const damaged = new Uint8Array(message);
      damaged[at] ^= 1 << bit;
      assert.ok(isRefused(damaged), `byte ${at}, bit ${bit}`);
    }
  }
});

test('any batch with any changed byte is rejected', () => {
  const anyChange = fc.integer({ min: 1, max: 255 });
  fc.assert(
    fc.property(fc.array(anyPart, { maxLength: 4 }), fc.nat(), anyChange, (parts, at, change) => {
      const { message } = encodeEventBatch(PREVIOUS, parts);
      message[at % message.length] ^= change;
      assert.ok(isRefused(message));
    }),
    { numRuns: 500 },
  );
});

test('a truncated batch or one with extra bytes is rejected', () => {
  const { message } = encodeEventBatch(PREVIOUS, PARTS);
  for (let length = 0; length < message.length; length++) {
    assert.ok(isRefused(message.subarray(0, length)), `${length} bytes`);
  }
  assert.ok(isRefused(Uint8Array.of(...message, 0)));
});

test('arbitrary bytes are rejected with the expected fault', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      assert.ok(isRefused(bytes));
    }),
  );
  const { message } = encodeEventBatch(PREVIOUS, PARTS);
  const start = message.subarray(0, 8);
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 64, maxLength: 300 }), (bytes) => {
      assert.ok(isRefused(Uint8Array.of(...start, ...bytes)));
    }),
  );
});
