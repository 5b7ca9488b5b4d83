// Stitching: whatever comes in whichever order, each reader is given each entry once and in order,
// or a new snapshot.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Position } from '../../../infra/live-feed/index.ts';
import { readPosition } from './position.ts';
import { place, StrictSubscriber, UserStreamHarness } from './user-stream-for-test.ts';

function join(world: UserStreamHarness, from?: Position): StrictSubscriber {
  const reader = new StrictSubscriber(world, from);
  world.stream.add(reader, from);
  return reader;
}

/** Frames 1 to 3 have been said, and are in the tables. */
function begunWorld(settings = {}): UserStreamHarness {
  const world = new UserStreamHarness(settings);
  for (let frame = 1; frame <= 3; frame += 1) {
    world.commit(1);
    world.say();
  }
  world.project();
  return world;
}

test('what is heard before the snapshot comes after it, if it is later', async () => {
  const world = begunWorld();
  const reader = join(world);
  world.commit(2);
  world.say();
  world.project();
  world.commit(1);
  world.say();
  assert.deepEqual(reader.told, []);
  await world.answer();
  assert.deepEqual(reader.told, ['snapshot 4', '5.0']);
  world.commit(2);
  world.say();
  assert.deepEqual(reader.told, ['snapshot 4', '5.0', '6.0', '6.2']);
});

test('repeats are dropped, whole and in part', async () => {
  const world = begunWorld();
  const reader = join(world);
  await world.answer();
  world.repeat(3);
  world.commit(3);
  world.say();
  world.repeat(2);
  assert.deepEqual(reader.told, ['snapshot 3', '4.0', '4.2', '4.4']);
  assert.deepEqual(world.gaps, []);
});

test('tables that are ahead of what is said are not told twice', async () => {
  const world = begunWorld();
  const reader = join(world);
  world.commit(1);
  world.commit(1);
  world.project();
  await world.answer();
  world.say();
  world.say();
  world.commit(1);
  world.say();
  assert.deepEqual(reader.told, ['snapshot 5', '6.0']);
});

test('a message that was lost gives all a new snapshot', async () => {
  const world = begunWorld();
  const [one, two] = [join(world), join(world)];
  await world.answer();
  assert.equal(world.asked.length, 0, 'one snapshot serves both');
  world.commit(1);
  world.say({ isHeard: false });
  world.commit(1);
  world.say();
  world.commit(1);
  world.say();
  assert.deepEqual(one.told, ['snapshot 3']);
  await world.answer();
  for (const reader of [one, two])
    assert.deepEqual(reader.told, ['snapshot 3', 'snapshot 5', '6.0']);
  assert.deepEqual(world.gaps, ['news', 'news']);
});

test('who comes later does not disturb who is there', async () => {
  const world = begunWorld();
  const early = join(world);
  await world.answer();
  world.commit(1);
  world.say();
  const late = join(world);
  world.commit(1);
  world.say();
  await world.answer();
  assert.deepEqual(early.told, ['snapshot 3', '4.0', '5.0']);
  assert.deepEqual(late.told, ['snapshot 4', '5.0']);
});

test('a snapshot that can not be had is asked for again', async () => {
  const world = begunWorld();
  const reader = join(world);
  await world.answer(false);
  assert.equal(world.asked.length, 0);
  await world.pass(100);
  await world.answer();
  assert.deepEqual(reader.told, ['snapshot 3']);
});

test('when too much has to be held, the snapshot is taken anew', async () => {
  const world = begunWorld({ heldBytesMax: 250 });
  const reader = join(world);
  for (let count = 0; count < 3; count += 1) {
    world.commit(1);
    world.say();
  }
  await world.answer();
  assert.deepEqual(reader.told, []);
  await world.pass(100);
  await world.answer();
  assert.deepEqual(reader.told, ['snapshot 6']);
});

test('after a lost connection everybody gets a snapshot of what was said meanwhile', async () => {
  const world = begunWorld();
  const reader = join(world);
  await world.answer();
  const waiting = join(world);
  world.commit(1);
  world.say({ isHeard: false });
  world.stream.connectionReturned();
  // The answer to a question from before the loss counts no more.
  await world.answer();
  assert.deepEqual(waiting.told, []);
  await world.pass(100);
  await world.answer();
  assert.deepEqual(reader.told, ['snapshot 3', 'snapshot 4']);
  assert.deepEqual(waiting.told, ['snapshot 4']);
});

test('the last message, lost, is found in the tables; one that is only late is not', async () => {
  const world = begunWorld();
  const reader = join(world);
  await world.answer();
  world.commit(1);
  world.project();
  await world.pass(1_000);
  await world.answer();
  world.say();
  await world.pass(2_000);
  assert.deepEqual(reader.told, ['snapshot 3', '4.0']);
  world.commit(1);
  world.say({ isHeard: false });
  world.project();
  await world.pass(10_000);
  await world.answer();
  await world.pass(2_000);
  await world.answer();
  assert.deepEqual(reader.told, ['snapshot 3', '4.0', 'snapshot 5']);
  assert.deepEqual(world.gaps, ['audit']);
});

test('who leaves while it is told is told no more, and who is closed asks nothing', async () => {
  const world = begunWorld();
  const reader = join(world);
  await world.answer();
  const give = reader.give.bind(reader);
  reader.give = (...entry) => {
    give(...entry);
    world.stream.remove(reader);
    reader.isGone = true;
  };
  world.commit(3);
  world.say();
  assert.deepEqual(reader.told, ['snapshot 3', '4.0']);
  join(world);
  world.stream.close();
  await world.answerAll();
  await world.pass(100_000);
  assert.equal(world.asked.length, 0);
});

// What was said from frame 4 on, and what comes of resuming behind the place. `!` is lost for us,
// `-` for the past as well, `.` has no news; `|` stands where the past begins.
const resumptions: [title: string, from: string, history: string, told: string[]][] = [
  ['all that came after it', '4.0', '+++', ['resumed 4.0', '5.0', '6.0']],
  ['nothing, when nothing came', '6.0', '+++', ['resumed 6.0']],
  ['the rest of a frame', '3.0', '.+', ['resumed 3.0', '5.0']],
  ['all behind a snapshot, which is of no event', '4.9', '..+', ['resumed 4.9', '6.0']],
  ['a snapshot when the past is too short', '3.0', '++|+', ['snapshot 6']],
  ['all when the past just reaches back', '5.0', '++|+', ['resumed 5.0', '6.0']],
  ['nothing, long after the last news', '6.9', '+...|.', ['resumed 6.9']],
  ['a snapshot when the past has a hole', '3.0', '+-+', ['snapshot 6']],
  ['a snapshot when the past lost its end', '4.0', '++-', ['snapshot 6']],
  ['a snapshot when it names the future', '99.0', '+++', ['snapshot 6']],
];

for (const [title, from, history, told] of resumptions) {
  test(`resuming gives ${title}`, async () => {
    const world = begunWorld();
    for (const sign of history) {
      if (sign === '|') world.keptFrom = world.frames.length;
      else {
        world.commit(sign === '.' ? 0 : 1);
        world.say({ isHeard: false, isKept: sign !== '-' });
      }
    }
    world.project();
    const reader = join(world, readPosition(from));
    await world.answerAll();
    for (let tries = 0; tries < 4; tries += 1) await world.pass(100);
    await world.answerAll();
    assert.deepEqual(reader.told, told);
  });
}

test('what is heard while the past is read follows it, once', async () => {
  const world = begunWorld();
  world.commit(2);
  world.say({ isHeard: false });
  const reader = join(world, place(4, 0));
  world.commit(1);
  world.say();
  world.commit(1);
  world.say({ isKept: false });
  await world.answerAll();
  world.commit(1);
  world.say();
  assert.deepEqual(reader.told, ['resumed 4.0', '4.2', '5.0', '6.0', '7.0']);
});

test('what the tables have and nobody has said yet is waited for', async () => {
  const world = begunWorld();
  world.commit(1);
  world.project();
  const reader = join(world, place(3, 0));
  await world.answerAll();
  assert.deepEqual(reader.told, []);
  world.say();
  world.commit(1);
  world.say();
  await world.pass(100);
  assert.deepEqual(reader.told, ['resumed 3.0', '4.0', '5.0']);
});

test('a connection that is lost while the past is read gives a snapshot', async () => {
  const world = begunWorld();
  const reader = join(world, place(3, 0));
  await world.answer();
  world.commit(1);
  world.say({ isHeard: false, isKept: false });
  world.stream.connectionReturned();
  await world.answerAll();
  assert.deepEqual(reader.told, ['snapshot 4']);
});

test('nobody knows whether a frame had more, when it was not kept', async () => {
  const world = begunWorld();
  world.commit(2);
  world.say({ isHeard: false, isKept: false });
  world.project();
  world.keptFrom = 5;
  const reader = join(world, place(4, 0));
  await world.answerAll();
  assert.deepEqual(reader.told, ['snapshot 4']);
});

test('without tables the past alone is enough, if it has something', async () => {
  const world = begunWorld();
  const [one, two] = [join(world, place(2, 0)), join(world, place(3, 0))];
  const answers = { standing: false, past: true, snapshot: false };
  while (world.asked.length > 0) await world.answer(answers[world.asked[0].kind]);
  assert.deepEqual(one.told, ['resumed 2.0', '3.0']);
  assert.deepEqual(two.told, []);
  await world.pass(100);
  await world.answerAll();
  assert.deepEqual(two.told, ['snapshot 3']);
});

type Step =
  | { kind: 'commit'; count: number }
  | { kind: 'say'; isHeard: boolean; isKept: boolean }
  | { kind: 'repeat' | 'pass'; count: number }
  | { kind: 'project' | 'join' | 'leave' | 'resume' | 'shorten' | 'reconnect' }
  | { kind: 'answer'; isSuccess: boolean };

const mostly = fc.integer({ min: 0, max: 9 }).map((number) => number > 0);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('commit'), count: fc.nat(3) }) },
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant('say'), isHeard: mostly, isKept: mostly }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('repeat'), count: fc.nat(4) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('pass'), count: fc.nat(3_000) }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('answer'), isSuccess: mostly }) },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constantFrom('project', 'join', 'leave', 'resume') }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('shorten', 'reconnect') }) },
) as fc.Arbitrary<Step>;

test('any order of events gives each reader each entry once, or a new snapshot', async () => {
  let [snapshots, resumed, gaps] = [0, 0, 0];
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 40, maxLength: 120 }), async (steps) => {
      const world = new UserStreamHarness();
      const [readers, left] = [new Set<StrictSubscriber>(), new Set<StrictSubscriber>()];
      for (const one of steps) await take(world, one, { readers, left });
      await settle(world);
      // Whoever is there in the end knows everything.
      for (const reader of readers) {
        assert.ok(reader.known !== undefined);
        assert.equal(world.entryAfter(reader.known), undefined, reader.told.join(' '));
      }
      const told = [...readers, ...left].flatMap((reader) => reader.told);
      snapshots += told.filter((line) => line.startsWith('snapshot')).length;
      resumed += told.filter((line) => line.startsWith('resumed')).length;
      gaps += world.gaps.length;
    }),
    { numRuns: 1_000 },
  );
  // Otherwise the test has seen nothing.
  assert.ok(snapshots > 500 && resumed > 100 && gaps > 100, `${snapshots} ${resumed} ${gaps}`);
});

async function take(
  world: UserStreamHarness,
  one: Step,
  { left, readers }: { readers: Set<StrictSubscriber>; left: Set<StrictSubscriber> },
): Promise<void> {
  const [oldest] = readers;
  switch (one.kind) {
    case 'commit':
      world.commit(one.count);
      break;
    case 'say':
      world.say(one);
      break;
    case 'repeat':
      world.repeat(one.count);
      break;
    case 'pass':
      await world.pass(one.count);
      break;
    case 'answer':
      await world.answer(one.isSuccess);
      break;
    case 'project':
      world.project();
      break;
    case 'join':
      readers.add(join(world));
      break;
    case 'resume': {
      // As somebody who was here before.
      const [someone] = left;
      if (someone?.known === undefined) break;
      left.delete(someone);
      readers.add(join(world, someone.known));
      break;
    }
    case 'leave':
      if (oldest === undefined) break;
      world.stream.remove(oldest);
      oldest.isGone = true;
      readers.delete(oldest);
      left.add(oldest);
      break;
    case 'shorten':
      world.keptFrom = world.saidFrame;
      break;
    case 'reconnect':
      world.stream.connectionReturned();
      break;
  }
}

/** Nothing more is lost, and the tables get there. */
async function settle(world: UserStreamHarness): Promise<void> {
  while (world.saidFrame + 1 < world.frames.length) world.say();
  world.project();
  for (let round = 0; round < 8; round += 1) {
    await world.answerAll();
    await world.pass(10_000);
  }
  await world.answerAll();
}
