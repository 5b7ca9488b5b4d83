// The simulated bus: subjects, order without faults, each fault, cuts, and dead or paused
// receivers.

import assert from 'node:assert/strict';
import test from 'node:test';
import { Random } from '../flows/random.ts';
import { type BusFaults, SimulatedBus, type SimulatedBusEndpoint } from './simulated-bus.ts';
import { type VirtualProcess, VirtualTime } from './virtual-time.ts';

interface World {
  readonly bus: SimulatedBus;
  readonly alice: SimulatedBusEndpoint;
  readonly bob: SimulatedBusEndpoint;
  readonly bobProcess: VirtualProcess;
  run(): void;
}

function openWorld(rates: BusFaults['rates'] = {}, seed = 1): World {
  const numbers = new Random(seed);
  const time = new VirtualTime({ startMs: 0, random: numbers, latenessMsMax: 0 });
  const bus = new SimulatedBus(time, {
    random: () => numbers.word() / 2 ** 32,
    delayMs: { leastMs: 0.1, mostMs: 2 },
    lateMs: { leastMs: 5, mostMs: 100 },
    rates,
    onFault: () => {},
  });
  const bobProcess = time.process(0);
  return {
    bus,
    alice: bus.connect('alice', time.process(0)),
    bob: bus.connect('bob', bobProcess),
    bobProcess,
    run: () => time.runUntil(time.nowMs() + 1_000),
  };
}

/** Sends twenty numbered messages from alice to bob and returns what bob received. */
function talk(world: World): number[] {
  const seen: number[] = [];
  world.bob.subscribe('words', (message) => seen.push(message[0]));
  const words = new Uint8Array(1);
  for (let word = 1; word <= 20; word++) {
    words[0] = word;
    world.alice.publish('words', words);
  }
  assert.deepEqual(seen, [], 'nothing is received before the call returns');
  world.run();
  return seen;
}

const ALL = Array.from({ length: 20 }, (_, at) => at + 1);

test('without faults every message arrives once and in order', () => {
  assert.deepEqual(talk(openWorld()), ALL);
});

test('messages are lost, duplicated and reordered', () => {
  const lost = talk(openWorld({ message_lost: 0.3 }));
  assert.ok(lost.length < 20 && lost.length > 5);

  const doubled = talk(openWorld({ message_twice: 0.3 }));
  assert.ok(doubled.length > 20);
  assert.deepEqual(new Set(doubled), new Set(ALL));

  const reordered = talk(openWorld({ message_late: 0.3 }));
  assert.notDeepEqual(reordered, ALL);
  assert.deepEqual(
    reordered.sort((a, b) => a - b),
    ALL,
  );
});

test('the same seed produces the same run, another seed a different one', () => {
  const rates = { message_lost: 0.2, message_late: 0.3, message_twice: 0.2 };
  assert.deepEqual(talk(openWorld(rates, 3)), talk(openWorld(rates, 3)));
  assert.notDeepEqual(talk(openWorld(rates, 3)), talk(openWorld(rates, 4)));
});

test('a subscription matches its subject exactly, or everything below it', () => {
  const { alice, bob, run } = openWorld();
  const seen: string[] = [];
  bob.subscribe('a.b', (_, subject) => seen.push(`one ${subject}`));
  const all = bob.subscribe('a.>', (_, subject) => seen.push(`all ${subject}`));
  for (const subject of ['a', 'a.b', 'a.b.c', 'ab.c']) alice.publish(subject, new Uint8Array(1));
  run();
  assert.deepEqual(seen.sort(), ['all a.b', 'all a.b.c', 'one a.b']);
  all.stop();
  alice.publish('a.b', new Uint8Array(1));
  run();
  assert.equal(seen.length, 4);
});

test('a sender receives its own messages if it has subscribed', () => {
  const { alice, run } = openWorld();
  let count = 0;
  alice.subscribe('words', () => count++);
  alice.publish('words', new Uint8Array(1));
  run();
  assert.equal(count, 1);
});

test('a cut drops one direction, isolation drops both, and both can be restored', () => {
  const world = openWorld();
  const { alice, bob, bus, run } = world;
  const seen: string[] = [];
  alice.subscribe('words', () => seen.push('alice'));
  bob.subscribe('words', () => seen.push('bob'));
  bus.cut({ from: 'alice', to: 'bob' });
  alice.publish('words', new Uint8Array(1));
  bob.publish('words', new Uint8Array(1));
  run();
  assert.deepEqual(seen.sort(), ['alice', 'alice', 'bob']);
  bus.isolate('bob');
  bob.publish('words', new Uint8Array(1));
  run();
  assert.equal(seen.length, 3);
  bus.rejoin('bob');
  bus.restore({ from: 'alice', to: 'bob' });
  alice.publish('words', new Uint8Array(1));
  run();
  assert.equal(seen.length, 5);
  bus.isolate('bob');
  bus.cut({ from: 'alice', to: 'alice' });
  bus.heal();
  alice.publish('words', new Uint8Array(1));
  run();
  assert.equal(seen.length, 7);
});

test('a paused receiver gets its messages when it resumes, a crashed receiver never does', () => {
  const world = openWorld();
  const { alice, bob, bobProcess, run } = world;
  let count = 0;
  bob.subscribe('words', () => count++);
  bobProcess.pause();
  alice.publish('words', new Uint8Array(1));
  run();
  assert.equal(count, 0);
  bobProcess.resume();
  run();
  assert.equal(count, 1);
  alice.publish('words', new Uint8Array(1));
  bobProcess.crash();
  bob.close();
  run();
  assert.equal(count, 1);
});

test('received bytes are overwritten after the call', () => {
  const { alice, bob, run } = openWorld();
  const kept: Uint8Array[] = [];
  bob.subscribe('words', (message) => kept.push(message));
  alice.publish('words', new Uint8Array([7]));
  run();
  assert.notEqual(kept[0][0], 7);
});
