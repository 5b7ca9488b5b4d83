// Conditions that do and do not keep a standby from taking over. A standby that has started a
// takeover waits for the logs, or yields to a leader.

import assert from 'node:assert/strict';
import test from 'node:test';
import { decodeCommandFrame } from '../../core/messages/index.ts';
import type { MarketId, UserId } from '../../core/money/index.ts';
import {
  BatchWriter,
  encodeHeartbeat,
  type LeaderHeartbeat,
  linkSubjects,
} from '../../infra/command-link/index.ts';
import { commandAuthority } from '../../infra/identities/index.ts';
import { openSealedFrame } from '../../infra/journal/index.ts';
import { MemoryLog } from '../../infra/journal/memory-log.ts';
import { Random } from '../../testing/flows/index.ts';
import { Machine } from '../../testing/simulator/machine.ts';
import { MemorySnapshots } from '../../testing/simulator/memory-snapshots.ts';
import { SimulatedBus } from '../../testing/simulator/simulated-bus.ts';
import { VirtualTime } from '../../testing/simulator/virtual-time.ts';
import { storeGenesis } from './genesis-for-test.ts';
import { Sequencer } from './sequencer.ts';
import { SEQUENCER_DEFAULTS } from './sequencer-options.ts';

const SUBJECTS = linkSubjects('test');
const { heartbeatMs, takeoverAfterMs } = SEQUENCER_DEFAULTS;
const TAKEOVER_MS = 1.25 * takeoverAfterMs + 2 * heartbeatMs;

/** `a` leads epoch 1, and `b` follows it. */
function openPair({ names = ['a', 'b'], seed = 7 } = {}) {
  const numbers = new Random(seed);
  const random = () => numbers.word() / 2 ** 32;
  const time = new VirtualTime({ startMs: 1_000, random: numbers, latenessMsMax: 0 });
  const delays = { random, delayMs: { leastMs: 1, mostMs: 1 }, lateMs: { leastMs: 1, mostMs: 1 } };
  const bus = new SimulatedBus(time, { ...delays, rates: {}, onFault: () => {} });
  const logs = { commands: new MemoryLog(time), events: new MemoryLog(time) };
  storeGenesis(logs.commands, { timeMs: time.nowMs() });
  const snapshots = new MemorySnapshots(time);
  const around = { ...logs, snapshots, time, bus, random, onFault: () => {} };
  const [a, b, gateway] = ['a', 'b', 'gateway'].map((name) => new Machine(name, around));
  const { bus: gatewayBus } = gateway.boot();
  const seen: string[] = [];
  const pass = (forMs: number) => time.runUntil(time.nowMs() + forMs);
  const start = (machine: Machine, writer: number) => {
    const { name } = machine;
    return new Sequencer({
      ...machine.boot(),
      exchange: 'test',
      instance: names[writer - 1],
      writer,
      authority: commandAuthority('development'),
      settings: SEQUENCER_DEFAULTS,
      watcher: {
        stateRestored: () => {},
        takeoverStarted: () => seen.push(`${name} starts takeover`),
        leadershipYielded: (reason) => seen.push(`${name} yields: ${reason}`),
        stoodStill: () => {},
        leaderElected: (epoch) => seen.push(`${name} leads ${epoch}`),
        readerStalled: () => {},
        clockJumped: () => {},
        frameMade: () => {},
        frameStored: () => {},
        batchRefused: () => {},
        commandForbidden: () => {},
        commandPoisoned: () => {},
        digestMatched: () => {},
        stateMatched: () => {},
      },
      onEnd: ({ kind }) => seen.push(`${name} ${kind}`),
    });
  };
  let batches = 0;
  const send = () => {
    const writer = new BatchWriter();
    const id = { source: 41, number: ++batches };
    const user = { user: 1 as UserId, market: 0 as MarketId, byOperator: false };
    writer.add({ kind: 'CancelAllOrders', ...id, ...user });
    gatewayBus.publish(
      SUBJECTS.commandsFrom('sandbox'),
      writer.close({ source: 41, batch: batches, epoch: 1, floor: 0 }),
    );
  };
  start(a, 1);
  pass(TAKEOVER_MS);
  const standby = start(b, 2);
  pass(TAKEOVER_MS);
  assert.deepEqual(seen.splice(0), ['a starts takeover', 'a leads 1']);
  return { ...logs, a, b, bus, gatewayBus, seen, standby, pass, send };
}

test('frames prove that the leader is alive, even without heartbeats', () => {
  const { bus, commands, pass, seen, send, standby } = openPair();
  bus.isolate('b');
  for (let passedMs = 0; passedMs < 5 * TAKEOVER_MS; passedMs += takeoverAfterMs / 2) {
    send();
    pass(takeoverAfterMs / 2);
  }
  assert.deepEqual([seen, standby.state], [[], 'following']);
  assert.equal(standby.replica?.sequence, commands.last);
});

for (const way of ['sends', 'receives'] as const) {
  test(`a leader that ${way} nothing over the bus yields, although the log responds to it`, () => {
    const { bus, pass, seen, send } = openPair();
    for (const other of ['a', 'b', 'gateway']) {
      bus.cut(way === 'sends' ? { from: 'a', to: other } : { from: other, to: 'a' });
    }
    for (let passedMs = 0; passedMs < 3_000; passedMs += heartbeatMs) {
      send();
      pass(heartbeatMs);
    }
    assert.deepEqual(seen, ['a fenced', 'b starts takeover', 'b leads 2']);
  });
}

test('a dead bus changes the leader once, and an outage of log and bus never does', () => {
  const { a, b, bus, pass, seen } = openPair();
  for (const { commandsPath } of [a, b]) commandsPath.isCut = true;
  for (const name of ['a', 'b']) bus.isolate(name);
  pass(4 * TAKEOVER_MS);
  assert.deepEqual(seen.splice(0), ['b starts takeover']);
  for (const name of ['a', 'b']) bus.rejoin(name);
  for (const { commandsPath } of [a, b]) commandsPath.isCut = false;
  pass(4 * TAKEOVER_MS);
  assert.deepEqual(seen.splice(0), ['b yields: a leads']);
  for (const name of ['a', 'b']) bus.isolate(name);
  pass(10 * TAKEOVER_MS);
  assert.deepEqual(seen, ['b starts takeover', 'b leads 2', 'a fenced']);
});

test('heartbeats prove that the leader is alive, but not those of an earlier epoch', () => {
  for (const epoch of [1, 0]) {
    const { a, pass, gatewayBus, seen } = openPair();
    a.kill();
    const heartbeat: LeaderHeartbeat = {
      instance: 'a',
      writer: 99,
      epoch,
      state: 'leading',
      sequence: 1,
      commandsApplied: 1,
      unacknowledgedMs: 0,
      acknowledgedMs: 0,
      eventsSequence: 1,
      schemaVersion: 2,
      outputDigests: [],
      stateHash: '',
      stateHashSequence: 0,
    };
    for (let passedMs = 0; passedMs < 3 * TAKEOVER_MS; passedMs += heartbeatMs) {
      gatewayBus.publish(SUBJECTS.leader, encodeHeartbeat(heartbeat));
      pass(heartbeatMs);
    }
    assert.deepEqual(seen, epoch === 1 ? [] : ['b starts takeover', 'b leads 2']);
  }
});

test('a standby in a takeover yields to a heartbeat from the leader', () => {
  const { b, bus, pass, seen, standby } = openPair();
  bus.isolate('b');
  b.commandsPath.isCut = true;
  pass(2 * TAKEOVER_MS);
  assert.deepEqual([seen.splice(0), standby.state], [['b starts takeover'], 'taking-over']);
  bus.rejoin('b');
  pass(2 * heartbeatMs);
  assert.deepEqual([seen, standby.state], [['b yields: a leads'], 'following']);
  b.commandsPath.isCut = false;
  pass(5 * TAKEOVER_MS);
  assert.equal(seen.length, 1, 'late responses to its requests are ignored');
});

test('a takeover waits for the ends of both logs', () => {
  for (const path of ['commandsPath', 'eventsPath'] as const) {
    const { a, b, pass, seen, standby } = openPair();
    a.kill();
    b[path].isCut = true;
    pass(5 * TAKEOVER_MS);
    assert.deepEqual([seen, standby.state], [['b starts takeover'], 'taking-over'], path);
    b[path].isCut = false;
    pass(1_000);
    assert.deepEqual([seen[0], seen.at(-1)], ['b starts takeover', 'b leads 2'], path);
  }
});

test('a lagging standby reads to the end of the log before it leads', () => {
  const { a, b, commands, pass, seen, send, standby } = openPair();
  b.commandsPath.rates = { delivery_lost: 1 };
  for (let count = 0; count < 5; count++) {
    send();
    pass(heartbeatMs);
  }
  const last = commands.last;
  assert.ok((standby.replica?.sequence ?? 0) < last);
  a.kill();
  pass(2 * TAKEOVER_MS);
  assert.deepEqual([seen, commands.last], [['b starts takeover'], last]);
  b.commandsPath.rates = {};
  pass(2 * TAKEOVER_MS);
  assert.deepEqual([seen, commands.last], [['b starts takeover', 'b leads 2'], last + 1]);
});

/** Longest time that a stalled leader is kept: the takeover delay, ticks and requests. */
const REPLACED_MS = 3_000;

test('a leader cut off from the log, but not from the bus, is replaced', () => {
  const { a, commands, pass, seen, send } = openPair();
  a.setCut(true);
  send();
  pass(REPLACED_MS);
  assert.deepEqual(seen.splice(0), ['b starts takeover', 'b leads 2', 'a fenced']);
  const { last } = commands;
  a.setCut(false);
  pass(5 * TAKEOVER_MS);
  assert.deepEqual([seen, commands.last], [[], last]);
});

test('an idle leader cut off from the log is replaced before a command arrives', () => {
  const { a, pass, seen } = openPair();
  a.setCut(true);
  pass(REPLACED_MS);
  assert.deepEqual(seen, ['b starts takeover', 'b leads 2', 'a fenced']);
});

test('a log that responds to neither changes no leader, during the outage or after it', () => {
  for (const outageMs of [1_000, 3_000, 60_000]) {
    const { commands, events, pass, seen, send, standby } = openPair();
    for (const log of [commands, events]) log.beginOutage();
    send();
    pass(outageMs);
    for (const log of [commands, events]) log.endOutage();
    pass(20_000);
    send();
    pass(100);
    assert.ok(!seen.includes('b leads 2'), `${outageMs}: ${seen}`);
    assert.equal(standby.state, 'following');
    assert.equal(standby.replica?.sequence, commands.last);
  }
});

/** Longer than the outages in these tests. */
const PATIENCE_MS = 5_000;

test('an outage of log and bus shorter than a request timeout changes no leader', () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const { b, bus, commands, events, pass, seen } = openPair({ seed });
    b.commandsPath.timeoutMs = PATIENCE_MS;
    for (const log of [commands, events]) log.beginOutage();
    for (const name of ['a', 'b']) bus.isolate(name);
    pass(1_900);
    // The log returns first. Its late response must not count as proof that no sequencer leads.
    for (const log of [commands, events]) log.endOutage();
    pass(heartbeatMs);
    for (const name of ['a', 'b']) bus.rejoin(name);
    pass(4 * TAKEOVER_MS);
    assert.ok(!seen.includes('b leads 2'), `seed ${seed}: ${seen}`);
  }
});

test('a slow log delays a takeover once', () => {
  const { a, b, pass, seen } = openPair();
  b.commandsPath.timeoutMs = PATIENCE_MS;
  b.commandsPath.delayMs = { leastMs: takeoverAfterMs / 2, mostMs: takeoverAfterMs / 2 };
  a.kill();
  pass(4 * TAKEOVER_MS);
  assert.deepEqual(seen, [
    'b starts takeover',
    'b yields: the log responds again',
    'b starts takeover',
    'b leads 2',
  ]);
});

test('a leader that exits during a log outage is replaced after it', () => {
  const { a, commands, pass, seen } = openPair();
  commands.beginOutage();
  pass(1_000);
  a.kill();
  pass(5_000);
  commands.endOutage();
  pass(2 * TAKEOVER_MS);
  assert.equal(seen.at(-1), 'b leads 2');
});

test('two sequencers with the same name follow and replace each other like any others', () => {
  const { a, pass, seen, send, standby } = openPair({ names: ['sequencer-1', 'sequencer-1'] });
  pass(20 * TAKEOVER_MS);
  send();
  pass(20 * TAKEOVER_MS);
  assert.deepEqual([seen, standby.state], [[], 'following']);
  a.kill();
  pass(TAKEOVER_MS);
  assert.deepEqual(seen, ['b starts takeover', 'b leads 2']);
});

/** Returns the pause recorded in each frame after `from`. */
function pausesAfter(commands: MemoryLog, from: number): readonly number[] {
  return Array.from({ length: commands.last - from }, (_, at) => {
    const sealed = openSealedFrame(commands.message(from + at + 1));
    return decodeCommandFrame(sealed?.frame ?? new Uint8Array()).pausedMs ?? 0;
  });
}

test('the first frame after a log outage has the pause', () => {
  const { commands, pass, send } = openPair();
  const before = commands.last;
  commands.isFull = true;
  send();
  pass(3_000);
  commands.isFull = false;
  pass(1_000);
  send();
  pass(100);
  const pauses = pausesAfter(commands, before);
  assert.ok(Math.max(...pauses) >= 2_500, `${pauses}`);
});

test("a leader's first frame has the time without a leader", () => {
  const { a, b, commands, pass, seen, send } = openPair();
  send();
  pass(100);
  const before = commands.last;
  a.kill();
  b.commandsPath.isCut = true;
  pass(3_000);
  b.commandsPath.isCut = false;
  pass(3 * TAKEOVER_MS);
  assert.ok(seen.includes('b leads 2'), `${seen}`);
  const [first] = pausesAfter(commands, before);
  assert.ok(first >= 2_900, `${first} ms`);
});
