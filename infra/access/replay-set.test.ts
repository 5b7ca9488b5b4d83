// A signature counts once until it expires, or for two seconds if it may repeat, across all
// gateways and restarts, and the set never exceeds its bound.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { KeyId } from '../../core/money/index.ts';
import { MemoryBus } from '../bus/bus-for-test.ts';
import { FakeClock } from '../process/clock-for-test.ts';
import { ReplaySet } from './replay-set.ts';

const NOW_S = 1_700_000_000;

function open({
  bus = new MemoryBus(),
  clock = new FakeClock(1_700_000_000_000),
  signaturesMax = 100,
} = {}) {
  const set = new ReplaySet({ bus, clock, signaturesMax, subject: 'test.access.signatures' });
  set.start();
  return { set, bus, clock };
}

function taken(number: number, { aheadS = 60, key = 1 } = {}) {
  const signature = Buffer.alloc(32);
  signature.writeUInt32BE(number, 0);
  return { key: key as KeyId, signature, expiresS: NOW_S + aheadS };
}

/** The messages that carry signatures of a turn. */
function published({ messages }: MemoryBus) {
  return messages.filter(({ subject }) => subject === 'test.access.signatures');
}

test('a signature is new once, for each key', () => {
  const { set } = open();
  assert.equal(set.take(taken(1)), true);
  assert.equal(set.take(taken(1)), false);
  assert.equal(set.take(taken(2)), true);
  assert.equal(set.take(taken(1, { key: 2 })), true);
  assert.equal(set.count, 3);
});

test('a repeatable signature counts for two seconds after it is first seen', () => {
  const { clock, set } = open();
  const order = { ...taken(1), mayRepeat: true };
  const takenAfterMs: [waitMs: number, isTaken: boolean][] = [
    [0, true],
    [0, true],
    [1_000, true],
    [1_000, true],
    [1, false],
    [50_000, false],
  ];
  for (const [waitMs, isTaken] of takenAfterMs) {
    clock.advance(waitMs);
    assert.equal(set.take(order), isTaken, `${clock.nowMs() - NOW_S * 1_000} ms after the first`);
  }
  assert.equal(set.count, 1);
});

test('a repeat on another gateway counts within the same two seconds', () => {
  const bus = new MemoryBus();
  const clock = new FakeClock(1_700_000_000_000);
  const [one, other] = [open({ bus, clock }).set, open({ bus, clock }).set];
  const order = { ...taken(1), mayRepeat: true };
  assert.equal(one.take(order), true);
  clock.advance(1_999);
  assert.equal(other.take(order), true);
  clock.advance(2);
  assert.equal(other.take(order), false);
});

test('a starting gateway gets the accepted signatures from another one', () => {
  const bus = new MemoryBus();
  const clock = new FakeClock(1_700_000_000_000);
  const running = open({ bus, clock }).set;
  running.take(taken(1));
  running.take({ ...taken(2, { aheadS: 3_600, key: 77 }), mayRepeat: true });
  clock.advance(0);
  const started = open({ bus, clock }).set;
  assert.equal(started.count, 2);
  assert.equal(started.take(taken(1)), false);
  const order = { ...taken(2, { aheadS: 3_600, key: 77 }), mayRepeat: true };
  assert.equal(started.take(order), false, 'a known order is not new to a restarted gateway');
  assert.equal(started.take(taken(3)), true);
});

test('a signature is dropped after the second in which it expires, not before', () => {
  const { clock, set } = open();
  set.take(taken(1, { aheadS: 2 }));
  clock.advance(2_999);
  assert.equal(set.take(taken(1, { aheadS: 2 })), false);
  clock.advance(1);
  set.take(taken(9));
  assert.equal(set.count, 1);
});

test('a full set drops the signatures that expire first', () => {
  const { set } = open({ signaturesMax: 3 });
  set.take(taken(1, { aheadS: 50 }));
  set.take(taken(2, { aheadS: 10 }));
  set.take(taken(3, { aheadS: 10 }));
  set.take(taken(4, { aheadS: 90 }));
  assert.equal(set.count, 3);
  assert.equal(set.forgottenEarly, 1);
  assert.equal(set.take(taken(1, { aheadS: 50 })), false);
  assert.equal(set.take(taken(3, { aheadS: 10 })), false);
  assert.equal(set.take(taken(2, { aheadS: 10 })), true);
});

test('one message has all signatures of a turn', () => {
  const bus = new MemoryBus();
  const clock = new FakeClock(1_700_000_000_000);
  const [one, other] = [open({ bus, clock }).set, open({ bus, clock }).set];
  for (let number = 1; number <= 50; number++) one.take(taken(number));
  assert.equal(published(bus).length, 0);
  clock.advance(0);
  assert.equal(published(bus).length, 1);
  assert.equal(other.count, 50);
  assert.equal(one.count, 50);
  for (let number = 1; number <= 50; number++) assert.equal(other.take(taken(number)), false);
  clock.advance(0);
  assert.equal(published(bus).length, 1);
});

test('a gateway ignores its own messages', () => {
  const { clock, set } = open({ signaturesMax: 1 });
  set.take(taken(1));
  set.take(taken(2));
  clock.advance(0);
  assert.deepEqual([set.count, set.forgottenEarly], [1, 1]);
  assert.equal(set.take(taken(2)), false);
});

test('a release without senders ignores the sender like an expired signature', () => {
  const { bus, clock, set } = open();
  set.take(taken(1));
  clock.advance(0);
  const [{ message }] = published(bus);
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
  const expiries = [8, 40].map((at) => view.getFloat64(at));
  assert.deepEqual([message.length, ...expiries], [64, 0, NOW_S + 60]);
});

test('received signatures are limited too, and malformed messages are ignored', () => {
  const bus = new MemoryBus();
  const { set } = open({ bus, signaturesMax: 10 });
  const message = new Uint8Array(32 * 40 + 5);
  const view = new DataView(message.buffer);
  for (let at = 0; at < 40; at++) {
    view.setFloat64(at * 32, 1);
    view.setFloat64(at * 32 + 8, [NOW_S + 5, NOW_S - 1, NOW_S + 9_999, Number.NaN][at % 4]);
    view.setUint32(at * 32 + 16, at);
  }
  bus.publish('test.access.signatures', message);
  assert.equal(set.count, 10);
  bus.publish('test.access.signatures', message.subarray(0, 31));
  assert.equal(set.count, 10);
  assert.equal(set.forgottenEarly, 0);
});

test('random sequences agree with a plain list', () => {
  const step = fc.record({ number: fc.nat(20), aheadS: fc.nat(5), waitMs: fc.nat(2_000) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
      const { clock, set } = open();
      const seen = new Map<string, number>();
      for (const { aheadS, number, waitMs } of steps) {
        clock.advance(waitMs);
        const expiresS = Math.floor(clock.nowMs() / 1_000) + aheadS;
        const name = `${number} ${expiresS}`;
        const one = { ...taken(number), expiresS };
        assert.equal(set.take(one), !seen.has(name));
        seen.set(name, expiresS);
        const nowS = Math.floor(clock.nowMs() / 1_000);
        const good = [...seen.values()].filter((second) => second >= nowS);
        assert.equal(set.count, good.length);
      }
    }),
  );
});
