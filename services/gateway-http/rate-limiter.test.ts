// Rate limits: allowed weights, reported values, and two gateways that share a count.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Bus } from '../../infra/bus/index.ts';
import type { Clock } from '../../infra/process/index.ts';
import { RATE_LIMITER_DEFAULTS, RateLimiter, type RateLimiterOptions } from './rate-limiter.ts';

const sizes = {
  address: { burst: 10, perSecond: 1 },
  user: { burst: 100, perSecond: 10 },
  cancel: { burst: 1_000, perSecond: 100 },
  failure: { burst: 2, perSecond: 1 },
};

function world() {
  let nowMs = 0;
  const tasks: { atMs: number; task: () => void }[] = [];
  const clock: Clock = {
    nowMs: () => nowMs,
    elapsedMs: () => nowMs,
    after(delayMs, task) {
      const planned = { atMs: nowMs + delayMs, task };
      tasks.push(planned);
      return { cancel: () => tasks.splice(tasks.indexOf(planned), 1) };
    },
    soon: (task) => clock.after(0, task),
  };
  const listeners: ((message: Uint8Array) => void)[] = [];
  const bus: Bus = {
    publish: (subject, message) => {
      assert.equal(subject, 'test.budgets');
      for (const listener of listeners) listener(message);
    },
    subscribe: (_subject, receive) => {
      const listener = (message: Uint8Array) => receive(message, 'test.budgets');
      listeners.push(listener);
      return { stop: () => listeners.splice(listeners.indexOf(listener), 1) };
    },
  };
  return { clock, bus, passMs };

  function passMs(ms: number): void {
    nowMs += ms;
    for (const due of tasks.filter(({ atMs }) => atMs <= nowMs)) {
      tasks.splice(tasks.indexOf(due), 1);
      due.task();
    }
  }
}

function open(instance: string, { bus, clock }: Pick<RateLimiterOptions, 'bus' | 'clock'>) {
  return new RateLimiter({
    ...RATE_LIMITER_DEFAULTS,
    sizes,
    bus,
    clock,
    exchange: 'test',
    instance,
  });
}

test('a burst is allowed, then requests at the refill rate', () => {
  const { passMs, ...ports } = world();
  const budgets = open('a', ports);
  for (let left = 9; left >= 0; left -= 1) {
    const verdict = budgets.take('address', '1.1.1.1', 1);
    assert.equal(verdict.isAllowed, true);
    assert.equal(verdict.remaining, left);
  }
  const refused = budgets.take('address', '1.1.1.1', 1);
  assert.deepEqual(refused, {
    isAllowed: false,
    limit: 10,
    remaining: 0,
    resetS: 10,
    retryAfterS: 1,
  });
  passMs(1_000);
  assert.equal(budgets.take('address', '1.1.1.1', 1).isAllowed, true);
  assert.equal(budgets.take('address', '1.1.1.1', 1).isAllowed, false);
  assert.equal(budgets.take('address', '2.2.2.2', 1).isAllowed, true, 'others are not affected');
});

test('a refused request costs nothing, and succeeds after retryAfterS', () => {
  const { passMs, ...ports } = world();
  const budgets = open('a', ports);
  budgets.take('user', '7', 95);
  const refused = budgets.take('user', '7', 20);
  assert.equal(refused.isAllowed, false);
  assert.equal(refused.retryAfterS, 2);
  passMs(2_000);
  assert.equal(budgets.take('user', '7', 20).isAllowed, true);
});

test('cancels have their own bucket', () => {
  const budgets = open('a', world());
  while (budgets.take('user', '7', 1).isAllowed);
  assert.equal(budgets.take('cancel', '7', 1).isAllowed, true);
});

test('a weight above the bucket size needs a full bucket, and leaves a debt', () => {
  const { passMs, ...ports } = world();
  const budgets = open('a', ports);
  assert.equal(budgets.take('user', '7', 150).isAllowed, true);
  assert.equal(budgets.take('user', '7', 1).isAllowed, false);
  passMs(5_100);
  assert.equal(budgets.take('user', '7', 1).isAllowed, true);
  assert.equal(budgets.take('user', '7', 150).isAllowed, false);
});

test('a failed authentication is charged even if the bucket is empty', () => {
  const { passMs, ...ports } = world();
  const budgets = open('a', ports);
  assert.equal(budgets.charge('address', '1.1.1.1', 5).isAllowed, true);
  assert.equal(budgets.charge('address', '1.1.1.1', 5).isAllowed, true);
  for (let at = 0; at < 100; at += 1) {
    assert.equal(budgets.charge('address', '1.1.1.1', 5).isAllowed, false);
  }
  passMs(11_000);
  assert.equal(budgets.take('address', '1.1.1.1', 1).isAllowed, true, 'a debt is limited');
});

test('two gateways share a count', () => {
  const { passMs, ...ports } = world();
  const [first, second] = [open('a', ports), open('b', ports)];
  for (let at = 0; at < 60; at += 1) first.take('user', '7', 1);
  passMs(100);
  assert.equal(second.take('user', '7', 0).remaining, 40);
  let taken = 0;
  while (second.take('user', '7', 1).isAllowed) taken += 1;
  assert.equal(taken, 40);
  passMs(100);
  assert.equal(first.take('user', '7', 3).isAllowed, false);
});

test('a refusal check uses nothing, and an unused bucket refuses nothing', () => {
  const { bus, clock, passMs } = world();
  const budgets = open('a', { bus, clock });
  assert.equal(budgets.refusalOf('failure', 'x', 1), undefined);
  for (const _ of [1, 2]) assert.equal(budgets.charge('failure', 'x', 1).isAllowed, true);
  for (const _ of [1, 2]) assert.equal(budgets.refusalOf('failure', 'x', 1)?.retryAfterS, 1);
  assert.equal(budgets.refusalOf('failure', 'y', 1), undefined);
  passMs(1_000);
  assert.equal(budgets.refusalOf('failure', 'x', 1), undefined);
});

test('the number of buckets is limited, and an empty one is dropped last', () => {
  const { bus, clock, passMs } = world();
  const budgets = new RateLimiter({
    ...RATE_LIMITER_DEFAULTS,
    sizes,
    bus,
    clock,
    exchange: 'test',
    instance: 'a',
    bucketsMax: 3,
  });
  while (budgets.take('address', 'greedy', 1).isAllowed);
  for (let at = 0; at < 20; at += 1) {
    budgets.take('address', `passer ${at}`, 1);
    passMs(1_100);
    const refill = Math.min(10, Math.floor(((at + 1) * 1_100) / 1_000));
    assert.ok(budgets.take('address', 'greedy', 0).remaining <= refill);
  }
});

test('an unreadable message from another gateway is ignored', () => {
  const { bus, ...ports } = world();
  const budgets = open('a', { bus, ...ports });
  for (const text of ['', 'null', '7', '{}', '{"used":null}', '{"used":{"user":7}}']) {
    bus.publish('test.budgets', Buffer.from(text));
  }
  const odd = {
    from: 'b',
    used: {
      user: [
        ['7', 'many'],
        [8, 5],
        ['7', null],
      ],
      another: [],
    },
  };
  bus.publish('test.budgets', Buffer.from(JSON.stringify(odd)));
  assert.equal(budgets.take('user', '7', 0).remaining, 100);
});
