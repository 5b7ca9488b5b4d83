// The in-memory log, in virtual time: without faults it follows the port; each fault does occur;
// and acknowledged messages always stay at their position.

import assert from 'node:assert/strict';
import test from 'node:test';
import { Random } from '../../testing/flows/index.ts';
import { VirtualTime } from '../../testing/simulator/virtual-time.ts';
import { systemClock } from '../process/index.ts';
import type { AppendOutcome } from './log-port.ts';
import { MemoryLog } from './memory-log.ts';
import { faultlessPath, type LogFault, type LogPath } from './memory-log-path.ts';

interface World {
  readonly time: VirtualTime;
  readonly log: MemoryLog;
  readonly random: () => number;
  run(forMs: number): void;
}

function openWorld(seed = 1): World {
  const numbers = new Random(seed);
  const time = new VirtualTime({ startMs: 0, random: numbers, latenessMsMax: 0 });
  const random = (): number => numbers.word() / 2 ** 32;
  return {
    time,
    log: new MemoryLog(time),
    random,
    run: (forMs) => time.runUntil(time.nowMs() + forMs),
  };
}

function pathWith(world: World, rates: LogPath['rates']): LogPath {
  return { ...faultlessPath(world.random), rates };
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function text(message: Uint8Array | undefined): string {
  return message === undefined ? 'nothing' : new TextDecoder().decode(message);
}

function stored(log: MemoryLog): string[] {
  return Array.from({ length: log.last }, (_, at) => text(log.message(at + 1)));
}

test('consecutive appends are stored and acknowledged in order', () => {
  const world = openWorld();
  const client = world.log.connect(world.time.process(0), faultlessPath(world.random));
  const outcomes: string[] = [];
  for (let sequence = 1; sequence <= 20; sequence++) {
    client.append(sequence, bytes(`m${sequence}`), (outcome) => {
      outcomes.push(`${sequence} ${outcome}`);
    });
  }
  assert.deepEqual(outcomes, [], 'nothing responds inside the call');
  world.run(100);
  assert.deepEqual(
    outcomes,
    Array.from({ length: 20 }, (_, at) => `${at + 1} stored`),
  );
  assert.equal(world.log.last, 20);
});

test('an append that is not at the end is a conflict and changes nothing', () => {
  const world = openWorld();
  world.log.store(bytes('first'));
  const client = world.log.connect(world.time.process(0), faultlessPath(world.random));
  const outcomes: AppendOutcome[] = [];
  for (const sequence of [1, 3, 0]) {
    client.append(sequence, bytes('other'), (outcome) => outcomes.push(outcome));
  }
  world.run(100);
  assert.deepEqual(outcomes, ['conflict', 'conflict', 'conflict']);
  assert.deepEqual(stored(world.log), ['first']);
});

test('extent and read report the contents of the log', () => {
  const world = openWorld();
  const client = world.log.connect(world.time.process(0), faultlessPath(world.random));
  const seen: unknown[] = [];
  client.extent((extent) => seen.push(`${extent?.first} to ${extent?.last}`));
  world.run(10);
  for (const message of ['a', 'b', 'c']) world.log.store(bytes(message));
  world.log.trim(2);
  client.extent((extent) => seen.push(`${extent?.first} to ${extent?.last}`));
  for (const sequence of [1, 2, 4]) client.read(sequence, (message) => seen.push(text(message)));
  world.run(10);
  assert.deepEqual(new Set(seen), new Set(['1 to 0', '2 to 3', 'nothing', 'b', 'nothing']));
});

test('a follower gets existing and future messages in order until it stops', () => {
  const world = openWorld();
  world.log.store(bytes('m1'));
  world.log.store(bytes('m2'));
  const client = world.log.connect(world.time.process(0), faultlessPath(world.random));
  const seen: string[] = [];
  const following = client.follow(2, (sequence, message) => {
    seen.push(`${sequence} ${text(message)}`);
  });
  assert.deepEqual(seen, [], 'nothing is delivered inside the call');
  world.run(10);
  world.log.store(bytes('m3'));
  world.run(10);
  world.log.store(bytes('m4'));
  following.stop();
  world.run(10);
  assert.deepEqual(seen, ['2 m2', '3 m3']);
});

test('delivered bytes are overwritten after the call', () => {
  const world = openWorld();
  world.log.store(bytes('m1'));
  const client = world.log.connect(world.time.process(0), faultlessPath(world.random));
  const kept: Uint8Array[] = [];
  client.follow(1, (_, message) => kept.push(message));
  world.run(10);
  assert.notEqual(text(kept[0]), 'm1');
  assert.deepEqual(stored(world.log), ['m1']);
});

test('changing an append in flight throws', () => {
  const world = openWorld();
  const client = world.log.connect(world.time.process(0), faultlessPath(world.random));
  const message = bytes('right');
  client.append(1, message, () => {});
  message[0] = 0;
  assert.throws(() => world.run(10), /An append changed in flight/);
  assert.deepEqual(stored(world.log), ['right']);
});

test('a crashed client receives nothing more, but its requests are stored', () => {
  const world = openWorld();
  const process = world.time.process(0);
  const client = world.log.connect(process, faultlessPath(world.random));
  client.follow(1, () => assert.fail('delivered'));
  client.append(1, bytes('last words'), () => assert.fail('answered'));
  process.crash();
  client.close();
  client.append(2, bytes('more'), () => assert.fail('answered'));
  client.follow(1, () => assert.fail('delivered'));
  world.run(1_000);
  assert.deepEqual(stored(world.log), ['last words']);
});

/** Appends one message in a world with this fault alone, and returns the answer and its time. */
function appendWith(fault: LogFault): { world: World; outcomes: AppendOutcome[] } {
  const world = openWorld();
  const client = world.log.connect(world.time.process(0), pathWith(world, { [fault]: 1 }));
  const outcomes: AppendOutcome[] = [];
  client.append(1, bytes('m1'), (outcome) => outcomes.push(outcome));
  world.run(2_000);
  return { world, outcomes };
}

test('a lost request is unknown and not stored', () => {
  const { world, outcomes } = appendWith('append_lost');
  assert.deepEqual(outcomes, ['unknown']);
  assert.equal(world.log.last, 0);
});

test('a lost response is unknown, and the message is stored', () => {
  const { world, outcomes } = appendWith('answer_lost');
  assert.deepEqual(outcomes, ['unknown']);
  assert.equal(world.log.last, 1);
});

test('a reset connection is unknown immediately, and the message is stored', () => {
  const { world, outcomes } = appendWith('connection_reset');
  assert.equal(world.log.last, 1);
  assert.deepEqual(outcomes, ['unknown']);
});

test('a duplicated request is stored once', () => {
  const { world, outcomes } = appendWith('append_twice');
  assert.deepEqual(stored(world.log), ['m1']);
  assert.equal(outcomes.length, 1);
});

test('either response to a duplicated request can arrive first', () => {
  const first = new Set<AppendOutcome>();
  for (let seed = 1; seed <= 50; seed++) {
    const world = openWorld(seed);
    const rates = { append_twice: 1, answer_late: 0.5 };
    const client = world.log.connect(world.time.process(0), pathWith(world, rates));
    client.append(1, bytes('m1'), (outcome) => first.add(outcome));
    world.run(2_000);
    assert.deepEqual(stored(world.log), ['m1']);
  }
  assert.deepEqual(first, new Set(['stored', 'conflict', 'unknown']));
});

test('a late request arrives after requests that were sent later', () => {
  const world = openWorld();
  const path = pathWith(world, { append_late: 1 });
  const client = world.log.connect(world.time.process(0), path);
  const outcomes: string[] = [];
  client.append(1, bytes('old'), (outcome) => outcomes.push(`old ${outcome}`));
  path.rates = {};
  client.append(1, bytes('new'), (outcome) => outcomes.push(`new ${outcome}`));
  world.run(2_000);
  assert.deepEqual(stored(world.log), ['new']);
  assert.equal(outcomes[0], 'new stored');
});

test('a late response after the timeout is ignored', () => {
  const outcomes = new Set<AppendOutcome>();
  for (let seed = 1; seed <= 30; seed++) {
    const world = openWorld(seed);
    const path = pathWith(world, { answer_late: 1 });
    const client = world.log.connect(world.time.process(0), path);
    client.append(1, bytes('m1'), (outcome) => outcomes.add(outcome));
    world.run(2_000);
  }
  assert.deepEqual(outcomes, new Set(['stored', 'unknown']));
});

/** The deliveries to a follower of ten messages in a world with this fault. */
function followWith(rates: LogPath['rates'], seed = 1): string[] {
  const world = openWorld(seed);
  const client = world.log.connect(world.time.process(0), pathWith(world, rates));
  const seen: string[] = [];
  client.follow(1, (_, message) => seen.push(text(message)));
  for (let at = 1; at <= 10; at++) {
    world.log.store(bytes(`m${at}`));
    world.run(10);
  }
  world.run(2_000);
  return seen;
}

const TEN = Array.from({ length: 10 }, (_, at) => `m${at + 1}`);

test('deliveries are lost, duplicated, reordered and torn', () => {
  const lost = followWith({ delivery_lost: 0.3 });
  assert.ok(lost.length < 10, 'some are missing');
  assert.deepEqual(
    TEN.filter((message) => lost.includes(message)),
    lost,
  );

  const doubled = followWith({ delivery_twice: 0.5 });
  assert.ok(doubled.length > 10);
  assert.deepEqual(new Set(doubled), new Set(TEN));

  const reordered = followWith({ delivery_late: 0.5 });
  assert.notDeepEqual(reordered, TEN);
  assert.deepEqual([...reordered].sort(), [...TEN].sort());

  const torn = followWith({ delivery_torn: 0.5 });
  assert.ok(
    torn.some((message) => !TEN.includes(message)),
    'a torn message is delivered',
  );
  assert.deepEqual(
    TEN.filter((message) => !torn.includes(message)),
    [],
    'the correct message follows later',
  );
});

test('a stalled follower gets all messages later', () => {
  assert.deepEqual(followWith({ delivery_stalled: 0.5 }), TEN);
});

test('a cut path blocks everything, and a follower continues when it is restored', () => {
  const world = openWorld();
  const path = faultlessPath(world.random);
  const client = world.log.connect(world.time.process(0), path);
  const seen: string[] = [];
  path.isCut = true;
  client.append(1, bytes('m1'), (outcome) => seen.push(outcome));
  client.extent((extent) => seen.push(`extent ${extent}`));
  client.follow(1, (_, message) => seen.push(text(message)));
  world.run(1_000);
  assert.deepEqual(seen, ['unknown', 'extent undefined']);
  assert.equal(world.log.last, 0);
  world.log.store(bytes('other'));
  world.run(1_000);
  path.isCut = false;
  world.run(1_000);
  assert.deepEqual(seen, ['unknown', 'extent undefined', 'other']);
});

test('an extent can be stale or unavailable, and a read unavailable', () => {
  const world = openWorld();
  for (const message of TEN) world.log.store(bytes(message));
  const answers: unknown[] = [];
  const ask = (rates: LogPath['rates']): void => {
    const client = world.log.connect(world.time.process(0), pathWith(world, rates));
    if (rates.read_unavailable === undefined) client.extent((extent) => answers.push(extent?.last));
    else client.read(1, (message) => answers.push(message));
    world.run(1_000);
  };
  ask({ extent_stale: 1 });
  const [stale] = answers as [number];
  assert.ok(5 <= stale && stale < 10, `${stale}`);
  ask({ extent_unavailable: 1 });
  ask({ read_unavailable: 1 });
  assert.deepEqual(answers.slice(1), [undefined, undefined]);
});

test('an outage blocks responses and deliveries; some appends are stored, some are not', () => {
  const outcomes = new Set<string>();
  for (let seed = 1; seed <= 30; seed++) {
    const world = openWorld(seed);
    const client = world.log.connect(world.time.process(0), faultlessPath(world.random));
    const seen: string[] = [];
    world.log.beginOutage();
    client.append(1, bytes('m1'), (outcome) => seen.push(outcome));
    client.follow(1, (_, message) => seen.push(text(message)));
    client.read(1, (message) => seen.push(`read ${text(message)}`));
    world.run(500);
    assert.deepEqual(seen, ['unknown', 'read nothing']);
    const during = world.log.last;
    world.log.endOutage();
    world.run(500);
    outcomes.add(`${during} then ${world.log.last}`);
    assert.deepEqual(seen.slice(2), stored(world.log));
  }
  assert.deepEqual(outcomes, new Set(['0 then 0', '0 then 1', '1 then 1']));
});

const EVERYTHING: LogPath['rates'] = {
  append_lost: 0.1,
  append_late: 0.1,
  append_twice: 0.1,
  answer_lost: 0.1,
  answer_late: 0.1,
  connection_reset: 0.1,
  delivery_lost: 0.1,
  delivery_late: 0.1,
  delivery_twice: 0.1,
  delivery_torn: 0.1,
  delivery_stalled: 0.1,
  extent_stale: 0.1,
  extent_unavailable: 0.1,
  read_unavailable: 0.1,
};

/** Two writers race for every position; acknowledged messages must stay. */
function race(seed: number): { trace: string[]; faults: Set<string> } {
  const world = openWorld(seed);
  const trace: string[] = [];
  const faults = new Set<string>();
  const promised = new Map<number, string>();
  for (const name of ['a', 'b']) {
    const path = pathWith(world, EVERYTHING);
    path.onFault = (fault) => faults.add(fault);
    const client = world.log.connect(world.time.process(0), path);
    client.follow(1, (sequence, message) => trace.push(`${name} got ${sequence} ${text(message)}`));
    const write = (attempt: number): void => {
      if (attempt > 60) return;
      const sequence = world.log.last + 1;
      const message = `${name}${attempt}`;
      client.append(sequence, bytes(message), (outcome) => {
        trace.push(`${message} at ${sequence}: ${outcome}`);
        if (outcome === 'stored') promised.set(sequence, message);
        client.extent((extent) => trace.push(`${name} sees ${extent?.last}`));
        client.read(sequence, (found) => trace.push(`${name} reads ${text(found)}`));
        write(attempt + 1);
      });
    };
    write(1);
  }
  for (let round = 0; round < 5; round++) {
    world.run(300);
    world.log.beginOutage();
    world.run(50);
    world.log.endOutage();
  }
  world.run(10_000);
  for (const [sequence, message] of promised) {
    assert.equal(text(world.log.message(sequence)), message);
  }
  assert.equal(new Set(stored(world.log)).size, world.log.last, 'nothing is stored twice');
  assert.ok(promised.size > 20, 'the race made progress');
  return { trace: [...trace, ...stored(world.log)], faults };
}

test('no acknowledged message is lost or stored twice, whatever the faults', () => {
  const faults = new Set<string>();
  for (let seed = 1; seed <= 20; seed++) {
    for (const fault of race(seed).faults) faults.add(fault);
  }
  assert.deepEqual(faults, new Set([...Object.keys(EVERYTHING), 'outage']));
});

test('the same seed produces the same run, and another seed a different one', () => {
  assert.deepEqual(race(7).trace, race(7).trace);
  assert.notDeepEqual(race(7).trace, race(8).trace);
});

test('the log also works on the system clock', async () => {
  const log = new MemoryLog(systemClock);
  const numbers = new Random(1);
  const path = faultlessPath(() => numbers.word() / 2 ** 32);
  // Other files of the process can block the event loop for longer than the usual timeout.
  const client = log.connect(systemClock, { ...path, timeoutMs: 30_000 });
  const outcomes = [1, 2, 3, 4, 5].map(
    (sequence) =>
      new Promise<AppendOutcome>((resolve) => {
        client.append(sequence, bytes(`m${sequence}`), resolve);
      }),
  );
  assert.deepEqual(new Set(await Promise.all(outcomes)), new Set(['stored']));
  assert.deepEqual(stored(log), ['m1', 'm2', 'm3', 'm4', 'm5']);
});
