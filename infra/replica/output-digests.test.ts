// Digests of runs of frames: equal for replicas that agree, whenever they joined, and different if
// any byte differs.

import assert from 'node:assert/strict';
import test from 'node:test';
import { crc32 } from 'node:zlib';
import type { EventPart } from '../journal/index.ts';
import { DIGEST_FRAMES, OutputDigests } from './output-digests.ts';

/** Stands for the magic number and the schema version, which are not compared. */
const HEADER = 'RLTE05';

function partsOf(sequence: number, texts = [`frame ${sequence}`]): EventPart[] {
  return texts.map((text, part) => {
    const isLast = part === texts.length - 1;
    return { sequence, part, isLast, bytes: new TextEncoder().encode(HEADER + text) };
  });
}

/** The finished digests after these frames, both ends included. */
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

test('a replica that joined late has the same digests starting with the next run', () => {
  const expected = after(1, 256);
  for (const from of [2, 50, 64, 65])
    assert.deepEqual(after(from, 256), expected.slice(1), `${from}`);
  assert.deepEqual(after(66, 256), expected.slice(2));
});

test('a run with a missing frame has no digest', () => {
  const digests = new OutputDigests();
  for (let sequence = 1; sequence <= 128; sequence++) {
    if (sequence !== 30) digests.add(sequence, partsOf(sequence));
  }
  assert.deepEqual(
    digests.finished.map(({ sequence }) => sequence),
    [128],
  );
});

test("the digest depends on a frame's bytes, not on its parts", () => {
  const cut = (parts: EventPart[]) =>
    partsOf(parts[0].sequence, ['frame ', `${parts[0].sequence}`]);
  assert.deepEqual(after(1, 64, cut), after(1, 64));
});

test("a release's schema version does not change the digest", () => {
  const newer = ([{ bytes, ...part }]: EventPart[]) => {
    const text = new TextDecoder().decode(bytes).replace(HEADER, 'RLTE06');
    return [{ ...part, bytes: new TextEncoder().encode(text) }];
  };
  assert.deepEqual(after(1, 64, newer), after(1, 64));
});

test('a different byte changes the digest of its run and not of the next run', () => {
  const expected = after(1, 128);
  for (const changed of [1, 33, 64]) {
    const found = after(1, 128, (parts) =>
      parts[0].sequence === changed ? partsOf(changed, ['something else']) : parts,
    );
    assert.notEqual(found[0].digest, expected[0].digest, `frame ${changed}`);
    assert.deepEqual(found[1], expected[1]);
  }
});

test('the latest sixteen digests are remembered, oldest first', () => {
  const sequences = after(1, 20 * 64).map(({ sequence }) => sequence);
  assert.deepEqual(
    sequences,
    Array.from({ length: 16 }, (_, at) => (5 + at) * 64),
  );
});
