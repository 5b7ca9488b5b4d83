// Snapshots in memory: drafts, verified snapshots, pruning, and faults.

import assert from 'node:assert/strict';
import test from 'node:test';
import { chunked, type WholeSnapshot, wholeOf } from '../../infra/journal/snapshot-for-test.ts';
import type { Snapshot, SnapshotAnswer, SnapshotStore } from '../../infra/journal/snapshot-port.ts';
import { Random } from '../flows/index.ts';
import { MemorySnapshots, type SnapshotFaults } from './memory-snapshots.ts';
import { VirtualTime } from './virtual-time.ts';

interface World {
  readonly store: SnapshotStore;
  readonly snapshots: MemorySnapshots;
  run(): void;
}

function openWorld(rates: SnapshotFaults['rates'] = {}): World {
  const numbers = new Random(1);
  const time = new VirtualTime({ startMs: 0, random: numbers, latenessMsMax: 0 });
  const snapshots = new MemorySnapshots(time);
  const store = snapshots.connect(time.process(0), {
    random: () => numbers.word() / 2 ** 32,
    delayMs: { leastMs: 1, mostMs: 5 },
    rates,
    onFault: () => {},
  });
  return { store, snapshots, run: () => time.runUntil(time.nowMs() + 100) };
}

function wholeAt(sequence: number, text = `state ${sequence}`): WholeSnapshot {
  const info = {
    sequence,
    epoch: 1,
    timeMs: 0,
    commandsApplied: 0,
    frameHash: '',
    stateHash: text,
  };
  return { info, bytes: new TextEncoder().encode(text) };
}

function snapshotAt(sequence: number, text?: string): Snapshot {
  return chunked(wholeAt(sequence, text));
}

/** Returns the only answer to a request. */
function answerOf<Answer>(world: World, ask: (done: (answer: Answer) => void) => void): Answer {
  const answers: Answer[] = [];
  ask((answer) => answers.push(answer));
  assert.equal(answers.length, 0, 'the call returns before the answer');
  world.run();
  assert.equal(answers.length, 1);
  return answers[0];
}

function sequenceOf(answer: SnapshotAnswer): number | string {
  return typeof answer === 'string' ? answer : answer.info.sequence;
}

function newest(world: World, atMost: number): number | string {
  return sequenceOf(answerOf(world, (done) => world.store.newest(atMost, done)));
}

function keep(world: World, sequence: number): void {
  answerOf(world, (done) => world.store.write(snapshotAt(sequence), done));
  answerOf(world, (done) => world.store.confirm(sequence, done));
}

test('a draft is used once it is confirmed', () => {
  const world = openWorld();
  assert.equal(newest(world, 100), 'none');
  assert.equal(
    answerOf<boolean>(world, (done) => world.store.confirm(10, done)),
    false,
  );
  assert.ok(answerOf(world, (done) => world.store.write(snapshotAt(10), done)));
  assert.equal(newest(world, 100), 'none');
  const draft = answerOf<SnapshotAnswer>(world, (done) => world.store.readDraft(10, done));
  assert.deepEqual(typeof draft === 'string' ? draft : wholeOf(draft), wholeAt(10));
  assert.ok(answerOf(world, (done) => world.store.confirm(10, done)));
  assert.equal(newest(world, 100), 10);
  assert.equal(newest(world, 9), 'none');
});

test('write() replaces a draft but not a verified snapshot', () => {
  const world = openWorld();
  answerOf(world, (done) => world.store.write(snapshotAt(10, 'first'), done));
  answerOf(world, (done) => world.store.write(snapshotAt(10, 'second'), done));
  answerOf(world, (done) => world.store.confirm(10, done));
  answerOf(world, (done) => world.store.write(snapshotAt(10, 'third'), done));
  assert.deepEqual(world.snapshots.counted(), [wholeAt(10, 'second')]);
});

test('prune() keeps the latest verified snapshots and later drafts', () => {
  const world = openWorld();
  for (const sequence of [10, 20, 30]) keep(world, sequence);
  for (const sequence of [5, 15, 25]) {
    answerOf(world, (done) => world.store.write(snapshotAt(sequence), done));
  }
  answerOf(world, (done) => world.store.prune(2, done));
  const left = world.snapshots.counted().map(({ info }) => info.sequence);
  assert.deepEqual(left, [20, 30]);
  const drafts = [5, 15, 25].filter((sequence) => world.snapshots.draft(sequence) !== undefined);
  assert.deepEqual(drafts, [25]);
});

test('an unavailable store changes nothing and reports a failure', () => {
  const world = openWorld({ snapshot_unavailable: 1 });
  const isWritten = answerOf<boolean>(world, (done) => world.store.write(snapshotAt(10), done));
  assert.equal(isWritten, false);
  assert.equal(world.snapshots.draft(10), undefined);
  assert.equal(newest(world, 100), 'unavailable');
});

test('a lost answer reports failure although the change is stored; a torn draft differs', () => {
  const lost = openWorld({ snapshot_answer_lost: 1 });
  const isWritten = answerOf<boolean>(lost, (done) => lost.store.write(snapshotAt(10), done));
  assert.equal(isWritten, false);
  assert.deepEqual(lost.snapshots.draft(10), wholeAt(10));

  const torn = openWorld({ snapshot_torn: 1 });
  answerOf(torn, (done) => torn.store.write(snapshotAt(10), done));
  assert.notDeepEqual(torn.snapshots.draft(10), wholeAt(10));
});
