// A busy leader's heartbeats continue for as long as a frame is allowed to take, and no longer.

import assert from 'node:assert/strict';
import test from 'node:test';
import type { LeaderHeartbeat } from '../../infra/command-link/index.ts';
import { FakeClock } from '../../infra/process/clock-for-test.ts';
import { HeartbeatRepeater } from './heartbeat-repeater.ts';

const HEARTBEAT: LeaderHeartbeat = {
  instance: 'a',
  writer: 1,
  epoch: 1,
  state: 'leading',
  sequence: 7,
  commandsApplied: 9,
  unacknowledgedMs: 300,
  acknowledgedMs: 400,
  eventsSequence: 7,
  schemaVersion: 2,
  outputDigests: [],
  stateHash: '',
  stateHashSequence: 0,
};

function open() {
  const clock = new FakeClock(0);
  const sent: LeaderHeartbeat[] = [];
  const repeater = new HeartbeatRepeater({
    clock,
    heartbeatMs: 100,
    frameMsMax: 5_000,
    publish: (heartbeat) => sent.push(heartbeat),
  });
  return { clock, repeater, sent };
}

test('the heartbeats of a leader that is on time are sent once', () => {
  const { clock, repeater, sent } = open();
  for (let count = 0; count < 10; count++) {
    repeater.send(HEARTBEAT);
    clock.advance(100);
  }
  assert.deepEqual(sent, Array(10).fill(HEARTBEAT));
});

test('a busy leader is repeated as waiting, and its unanswered request does not age', () => {
  const { clock, repeater, sent } = open();
  repeater.send(HEARTBEAT);
  clock.advance(4_900);
  assert.ok(sent.length >= 30, String(sent.length));
  assert.deepEqual(sent.at(-1), { ...HEARTBEAT, clockMs: undefined, state: 'waiting' });
});

test('a leader that is busy for longer than a frame can take is no longer repeated', () => {
  const { clock, repeater, sent } = open();
  repeater.send(HEARTBEAT);
  clock.advance(5_200);
  const { length } = sent;
  clock.advance(60_000);
  assert.equal(sent.length, length);
  repeater.send(HEARTBEAT);
  clock.advance(1_000);
  assert.ok(sent.length > length + 5, 'it returns');
});

test('a leaving leader is repeated as leaving, and nothing follows a stop', () => {
  const { clock, repeater, sent } = open();
  repeater.send({ ...HEARTBEAT, state: 'leaving' });
  clock.advance(200);
  assert.deepEqual(new Set(sent.map(({ state }) => state)), new Set(['leaving']));
  repeater.stop();
  sent.splice(0);
  clock.advance(10_000);
  assert.deepEqual(sent, []);
});
