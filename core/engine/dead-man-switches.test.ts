// Dead man's switches: which are due, in what order and how many per call, compared with a list
// that is sorted every time.

import assert from 'node:assert/strict';
import test from 'node:test';
import { chosenSeed, Random } from '../../testing/flows/index.ts';
import type { KeyId, TimeMs, UserId } from '../money/index.ts';
import { type DeadManSwitch, DeadManSwitches } from './dead-man-switches.ts';

const SPARES_NONE = () => false;

function armedAt(deadlineMs: number, user: number, key: number): DeadManSwitch {
  return { deadlineMs: deadlineMs as TimeMs, user: user as UserId, key: key as KeyId };
}

function words(switches: readonly DeadManSwitch[]): string[] {
  return switches.map(({ deadlineMs, user, key }) => `${deadlineMs} of ${user}, key ${key}`);
}

test('switches are due starting at their deadline, by deadline, then user, then key', () => {
  const switches = new DeadManSwitches();
  const last = armedAt(60, 1, 0);
  for (const armed of [last, armedAt(50, 2, 0), armedAt(40, 3, 2 ** 32 - 1), armedAt(50, 1, 7)]) {
    switches.arm(armed);
  }
  switches.arm(armedAt(50, 1, 4));
  assert.deepEqual(words(switches.due(39 as TimeMs, 9, SPARES_NONE)), []);
  assert.deepEqual(words(switches.due(50 as TimeMs, 9, SPARES_NONE)), [
    '40 of 3, key 4294967295',
    '50 of 1, key 4',
    '50 of 1, key 7',
    '50 of 2, key 0',
  ]);
});

test('at most countMax switches are returned; the others stay due', () => {
  const switches = new DeadManSwitches();
  for (const user of [3, 1, 2]) switches.arm(armedAt(10, user, 0));
  const fired: number[] = [];
  for (let frame = 0; frame < 3; frame++) {
    for (const { user, key } of switches.due(10 as TimeMs, 2, SPARES_NONE)) {
      switches.disarm(user, key);
      fired.push(user);
    }
    assert.equal(switches.size, [1, 0, 0][frame]);
  }
  assert.deepEqual(fired, [1, 2, 3]);
});

test('arming again moves the deadline in either direction and adds no second switch', () => {
  const switches = new DeadManSwitches();
  switches.arm(armedAt(100, 1, 0));
  switches.arm(armedAt(200, 1, 0));
  assert.equal(switches.size, 1);
  assert.deepEqual(words(switches.due(199 as TimeMs, 9, SPARES_NONE)), []);
  switches.arm(armedAt(50, 1, 0));
  assert.deepEqual(words(switches.due(50 as TimeMs, 9, SPARES_NONE)), ['50 of 1, key 0']);
});

test('switches of different users and keys are independent', () => {
  const switches = new DeadManSwitches();
  switches.arm(armedAt(1, 1, 11));
  assert.equal(switches.has(11 as UserId, 1 as KeyId), false);
  switches.disarm(11 as UserId, 1 as KeyId);
  assert.equal(switches.has(1 as UserId, 11 as KeyId), true);
});

test('any history fires the same switches as a sorted list', () => {
  const random = new Random(chosenSeed());
  const switches = new DeadManSwitches();
  let model: DeadManSwitch[] = [];
  const without = ({ user, key }: Pick<DeadManSwitch, 'user' | 'key'>) =>
    model.filter((one) => one.user !== user || one.key !== key);
  let nowMs = 0;
  for (let turn = 0; turn < 3_000; turn++) {
    const armed = armedAt(nowMs + random.between(1, 40), random.between(1, 8), random.below(3));
    if (random.chance(60)) {
      switches.arm(armed);
      model = [...without(armed), armed];
    } else if (random.chance(40)) {
      switches.disarm(armed.user, armed.key);
      model = without(armed);
    } else {
      nowMs += random.below(30);
      model.sort(
        (one, other) =>
          one.deadlineMs - other.deadlineMs || one.user - other.user || one.key - other.key,
      );
      const most = random.between(1, 4);
      const expected = model.filter(({ deadlineMs }) => deadlineMs <= nowMs).slice(0, most);
      const due = switches.due(nowMs as TimeMs, most, SPARES_NONE);
      assert.deepEqual(words(due), words(expected));
      for (const fired of due) {
        switches.disarm(fired.user, fired.key);
        model = without(fired);
      }
    }
    assert.equal(switches.size, model.length);
    assert.equal(switches.has(armed.user, armed.key), model.length > without(armed).length);
  }
});
