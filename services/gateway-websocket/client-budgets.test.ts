// Client budgets refill, can be exceeded once, and are dropped when full.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '../../infra/process/clock-for-test.ts';
import { ClientBudgets } from './client-budgets.ts';
import { callerOf } from './socket-for-test.ts';

function world() {
  const clock = new FakeClock();
  const size = { burst: 10, perSecond: 5 };
  const budgets = new ClientBudgets({
    clock,
    sizes: { messages: size, bytes: { burst: 100, perSecond: 10 }, channels: size },
  });
  return { clock, budgets };
}

test('messages and bytes are both charged, and refill', () => {
  const { budgets, clock } = world();
  const budget = budgets.of('a', undefined);
  assert.deepEqual([budget.takeMessage(99), budget.takeMessage(51)], [true, true]);
  assert.equal(budget.takeMessage(1), false, '50 bytes are owed');
  clock.advance(5_000);
  assert.equal(budget.takeMessage(1), false);
  clock.advance(1_000);
  assert.equal(budget.takeMessage(1), true);
});

test('a single large request is accepted; a series of them is not', () => {
  const { budgets, clock } = world();
  const budget = budgets.of('a', undefined);
  assert.deepEqual([budget.takeChannels(30), budget.takeChannels(1)], [true, false]);
  clock.advance(4_000);
  assert.equal(budget.takeChannels(1), false);
  clock.advance(1_000);
  assert.equal(budget.takeChannels(30), true);
});

test('a client that reconnects has the same budget until it is full again', () => {
  const { budgets, clock } = world();
  budgets.of('a', undefined).takeChannels(20);
  budgets.forgetFull();
  assert.equal(budgets.of('a', undefined).takeChannels(1), false);
  assert.equal(budgets.of('b', undefined).takeChannels(1), true);
  assert.equal(budgets.of('a', callerOf(7)).takeChannels(1), true, 'a user has a separate budget');
  assert.equal(budgets.of('b', callerOf(7)).takeChannels(20), true);
  assert.equal(budgets.of('c', callerOf(7)).takeChannels(1), false, 'from any address');
  clock.advance(10_000);
  budgets.forgetFull();
  assert.equal(budgets.size, 0);
});
