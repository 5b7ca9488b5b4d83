// When machines' clocks are set by an hour, frame time stays right, and a sequencer with a wrong
// clock leads only if no other one does.

import assert from 'node:assert/strict';
import test from 'node:test';
import { decodeCommandFrame } from '../../core/messages/index.ts';
import type { MarketId, UserId } from '../../core/money/index.ts';
import { COMMAND_CLIENT_DEFAULTS, CommandClient } from '../../infra/command-link/index.ts';
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

const START_MS = 1_700_000_000_000;
const HOUR_MS = 3_600_000;
const { heartbeatMs, takeoverAfterMs } = SEQUENCER_DEFAULTS;
const TAKEOVER_MS = 1.25 * takeoverAfterMs + 2 * heartbeatMs;
/** Covers message delays, and a millisecond for each rounding. */
const EXACT_MS = 30;

function open() {
  const numbers = new Random(7);
  const random = () => numbers.word() / 2 ** 32;
  const time = new VirtualTime({ startMs: START_MS, random: numbers, latenessMsMax: 0 });
  const delays = { random, delayMs: { leastMs: 1, mostMs: 1 }, lateMs: { leastMs: 1, mostMs: 1 } };
  const bus = new SimulatedBus(time, { ...delays, rates: {}, onFault: () => {} });
  const logs = { commands: new MemoryLog(time), events: new MemoryLog(time) };
  storeGenesis(logs.commands, { timeMs: START_MS });
  const around = { ...logs, snapshots: new MemorySnapshots(time), time, bus, random };
  const machine = (name: string) => new Machine(name, { ...around, onFault: () => {} });
  const seen: string[] = [];
  const pass = (forMs: number) => time.runUntil(time.nowMs() + forMs);
  const client = new CommandClient({
    ...COMMAND_CLIENT_DEFAULTS,
    ...machine('gateway').boot(),
    exchange: 'test',
    sender: 'sandbox',
    source: 41,
  });

  function start(name: string, skewMs = 0): { machine: Machine; sequencer: Sequencer } {
    const one = machine(name);
    one.setSkewMs(skewMs);
    const sequencer = new Sequencer({
      ...one.boot(),
      exchange: 'test',
      instance: name,
      writer: name.charCodeAt(0),
      authority: commandAuthority('development'),
      settings: SEQUENCER_DEFAULTS,
      watcher: {
        stateRestored: () => {},
        takeoverStarted: () => {},
        leadershipYielded: (reason) => seen.push(`${name} yields: ${reason}`),
        stoodStill: () => {},
        leaderElected: (epoch) => seen.push(`${name} leads ${epoch}`),
        readerStalled: () => {},
        clockJumped: (byMs) => seen.push(`${name} jumped ${byMs}`),
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
    return { machine: one, sequencer };
  }

  /** Sends a command, and returns how far its frame's time is ahead of the true time. */
  function frameAheadMs(): number {
    const before = logs.commands.last;
    const id = client.nextId();
    const user = { user: 1 as UserId, market: 0 as MarketId, byOperator: false };
    client.send({ kind: 'CancelAllOrders', ...id, ...user }, 10_000, () => {});
    pass(EXACT_MS);
    assert.equal(logs.commands.last, before + 1);
    return lastFrameMs() - time.nowMs();
  }

  function lastFrameMs(): number {
    const sealed = openSealedFrame(logs.commands.message(logs.commands.last)) ?? assert.fail();
    return decodeCommandFrame(sealed.frame).timeMs;
  }

  return { ...logs, bus, pass, seen, start, frameAheadMs, lastFrameMs, time };
}

function assertExact(aheadMs: number): void {
  assert.ok(Math.abs(aheadMs) <= 2 * EXACT_MS, `the frame is ${aheadMs} ms ahead`);
}

test('a clock that is an hour ahead for a second does not move frame time', () => {
  for (const setMs of [HOUR_MS, -HOUR_MS]) {
    const { frameAheadMs, pass, seen, start } = open();
    const { machine } = start('a');
    pass(TAKEOVER_MS);
    assertExact(frameAheadMs());
    machine.setSkewMs(setMs);
    pass(500);
    assertExact(frameAheadMs());
    pass(500);
    machine.setSkewMs(0);
    pass(500);
    assertExact(frameAheadMs());
    pass(500);
    assertExact(frameAheadMs());
    assert.deepEqual(seen, ['a leads 1', `a jumped ${setMs}`, `a jumped ${-setMs}`]);
  }
});

test('a standby with a wrong clock leaves the takeover to another standby', () => {
  const { frameAheadMs, pass, seen, start } = open();
  const a = start('a');
  pass(TAKEOVER_MS);
  // The takeover delay depends on the name: `p` tries before `o`.
  start('p', HOUR_MS);
  start('o');
  pass(TAKEOVER_MS);
  assertExact(frameAheadMs());
  a.machine.kill();
  pass(2 * TAKEOVER_MS);
  const declined = "p yields: this machine's clock is 3600 s ahead";
  assert.deepEqual(seen, ['a leads 1', declined, 'o leads 2']);
  assertExact(frameAheadMs());
});

test("a sequencer with a wrong clock that is alone leads with the log's time", () => {
  for (const skewMs of [HOUR_MS, -HOUR_MS]) {
    const { frameAheadMs, pass, seen, start } = open();
    const a = start('a');
    pass(TAKEOVER_MS);
    const b = start('b', skewMs);
    pass(TAKEOVER_MS);
    a.machine.kill();
    pass(2 * TAKEOVER_MS);
    const declined = `b yields: this machine's clock is ${skewMs / 1_000} s ahead`;
    assert.deepEqual(seen, ['a leads 1', declined, 'b leads 2']);
    assertExact(frameAheadMs());
    assert.ok(Math.abs(b.sequencer.clockAheadMs - skewMs) <= EXACT_MS);
  }
});

test('a wrong log clock does not move frame time', () => {
  const { commands, frameAheadMs, pass, start } = open();
  const a = start('a');
  pass(TAKEOVER_MS);
  commands.skewMs = HOUR_MS;
  start('b');
  pass(TAKEOVER_MS);
  a.machine.kill();
  pass(2 * TAKEOVER_MS);
  assertExact(frameAheadMs());
});

test('time advances if all clocks are behind the last frame', () => {
  const { frameAheadMs, commands, lastFrameMs, pass, start } = open();
  commands.skewMs = HOUR_MS;
  const a = start('a', HOUR_MS);
  pass(TAKEOVER_MS);
  commands.skewMs = 0;
  a.machine.kill();
  const b = start('b');
  pass(TAKEOVER_MS);
  frameAheadMs();
  const beforeMs = lastFrameMs();
  pass(1_000);
  frameAheadMs();
  const passedMs = lastFrameMs() - beforeMs;
  assert.ok(passedMs >= 1_020 && passedMs <= 1_030, `${passedMs} ms passed`);
  const aheadMs = b.sequencer.leader?.time.aheadMs() ?? 0;
  assert.ok(Math.abs(aheadMs - HOUR_MS) < 2_000, `${aheadMs}`);
});

test('frame time does not move at a takeover if both clocks are an hour ahead', () => {
  const { frameAheadMs, pass, seen, start } = open();
  const a = start('a');
  const b = start('b');
  pass(2 * TAKEOVER_MS);
  const [leader, standby] = a.sequencer.leader === undefined ? [b, a] : [a, b];
  for (const { machine } of [leader, standby]) machine.setSkewMs(HOUR_MS);
  pass(1_000);
  assertExact(frameAheadMs());
  leader.machine.kill();
  pass(2 * TAKEOVER_MS);
  assert.ok(seen.at(-1)?.endsWith('leads 2'), seen.join());
  const aheadMs = frameAheadMs();
  assert.ok(aheadMs >= 0 && aheadMs <= 1_000 + 2 * EXACT_MS, `${aheadMs} ms ahead`);
});
