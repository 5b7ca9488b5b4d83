// How far a log can be trimmed: each rule alone keeps the log, and none is skipped.

import assert from 'node:assert/strict';
import test from 'node:test';
import type { SegmentInfo } from '../../infra/journal/index.ts';
import { type TrimFacts, type TrimRules, trimLimit } from './trim-limit.ts';

/** Ten segments of ten frames; segment n ends at n seconds. */
const copied = Array.from({ length: 10 }, (_, at) => ({
  lastSequence: 10 * (at + 1),
  toMs: 1_000 * (at + 1),
})) as unknown as SegmentInfo[];

const facts: TrimFacts = {
  nowMs: 100_000,
  copied,
  snapshotFrame: 1_000,
  followers: new Map([['projector', 1_000]]),
};
const rules: TrimRules = { keptMs: 1_000, followersWaitMs: 99_000, marginFrames: 5 };

const cases: [name: string, change: Partial<TrimFacts & TrimRules>, frame: number, by: string][] = [
  ['everything in both copies can be discarded', {}, 100, 'archive copy'],
  ['a segment without a second copy is kept', { copied: copied.slice(0, 4) }, 40, 'archive copy'],
  ['without a second copy, nothing is discarded', { copied: [] }, 0, 'archive copy'],
  ['without a snapshot, nothing is discarded', { snapshotFrame: 0 }, 0, 'snapshot'],
  ['frames after the snapshot are kept', { snapshotFrame: 75 }, 70, 'snapshot'],
  ['frames just before the snapshot are kept', { snapshotFrame: 74 }, 60, 'snapshot'],
  ['young frames are kept', { keptMs: 95_000 }, 50, 'age'],
  ['a clock that is behind keeps everything', { nowMs: 0 }, 0, 'age'],
  ['a follower keeps its frames', { followers: new Map([['projector', 33]]) }, 30, 'projector'],
  [
    'the slowest follower counts',
    {
      followers: new Map([
        ['publisher', 90],
        ['projector', 20],
      ]),
    },
    20,
    'projector',
  ],
  ['a follower that never reported keeps all', { followers: new Map([['p', 0]]) }, 10, 'p'],
  [
    'a follower keeps nothing beyond its age limit',
    { followers: new Map([['projector', 0]]), followersWaitMs: 97_000 },
    30,
    'projector',
  ],
  ['the limit is at the end of a segment', { snapshotFrame: 19 + 5 }, 10, 'snapshot'],
];

for (const [name, change, frame, heldBy] of cases) {
  test(name, () => {
    const found = trimLimit({ ...facts, ...change }, { ...rules, ...change });
    assert.deepEqual(found, { frame, heldBy });
  });
}
