// Digests of runs of frames: equal where replicas agree, whenever they joined, and different where
// any byte is.

import assert from 'node:assert/strict';
import test from 'node:test';
import { crc32 } from 'node:zlib';
import type { EventPart } from '../journal/index.ts';
import { DIGEST_FRAMES, OutputDigests } from './output-digests.ts';

function partsOf(sequence: number, texts = [`frame ${sequence}`]): EventPart[] {
  return texts.map((text, part) => {
    const isLast = part === texts.length - 1;
    return { sequence, part, isLast, bytes: new TextEncoder().encode(text) };
  });
}

/** What is finished after these frames, both ends included. */
function after(
  from: number,
  to: number,
  change: (parts: EventPart[]) => EventPart[] = (all) => all,
) {
  const digests = new OutputDigests();
  for (let sequence = from; sequence <= to; sequence++) {
    digests.add(sequence, change(partsOf(sequence)));
  }
  return digests.finished;
}

test('a run is 64 frames, and its digest is a checksum of all their bytes', () => {
  assert.equal(DIGEST_FRAMES, 64);
  assert.deepEqual(after(1, 63), []);
  let text = '';
  for (let sequence = 1; sequence <= 64; sequence++) text += `frame ${sequence}`;
  assert.deepEqual(after(1, 64), [{ sequence: 64, digest: crc32(text) }]);
  assert.deepEqual(
    after(1, 130).map(({ sequence }) => sequence),
    [64, 128],
  );
});

test('one that joined late has the same digests from the next run on', () => {
  const whole = after(1, 256);
  for (const from of [2, 50, 64, 65]) assert.deepEqual(after(from, 256), whole.slice(1), `${from}`);
  assert.deepEqual(after(66, 256), whole.slice(2));
});

test('a run in which a frame was left out does not count', () => {
  const digests = new OutputDigests();
  for (let sequence = 1; sequence <= 128; sequence++) {
    if (sequence !== 30) digests.add(sequence, partsOf(sequence));
  }
  assert.deepEqual(
    digests.finished.map(({ sequence }) => sequence),
    [128],
  );
});

test('how a frame is cut into parts does not matter, only its bytes do', () => {
  const cut = (parts: EventPart[]) =>
    partsOf(parts[0].sequence, ['frame ', `${parts[0].sequence}`]);
  assert.deepEqual(after(1, 64, cut), after(1, 64));
});

test('another byte anywhere in a run gives another digest, and the next run is equal again', () => {
  const whole = after(1, 128);
  for (const changed of [1, 33, 64]) {
    const found = after(1, 128, (parts) =>
      parts[0].sequence === changed ? partsOf(changed, ['something else']) : parts,
    );
    assert.notEqual(found[0].digest, whole[0].digest, `frame ${changed}`);
    assert.deepEqual(found[1], whole[1]);
  }
});

test('the latest sixteen are remembered, the oldest first', () => {
  const sequences = after(1, 20 * 64).map(({ sequence }) => sequence);
  assert.deepEqual(
    sequences,
    Array.from({ length: 16 }, (_, at) => (5 + at) * 64),
  );
});
