// Tests that the order memory is bounded and never contains an amended order, whichever gateway
// amended it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OrderState } from '../../core/market-data/index.ts';
import type { OrderNumber } from '../../core/money/index.ts';
import type { Bus } from '../../infra/bus/index.ts';
import { OrderMemory } from './order-memory.ts';

/** Delivers synchronously to every subscriber. */
function makeBus(): Bus {
  const receivers = new Map<string, Set<(message: Uint8Array, subject: string) => void>>();
  return {
    publish: (subject, message) => {
      for (const receive of receivers.get(subject) ?? []) receive(message, subject);
    },
    subscribe: (subject, receive) => {
      const all = receivers.get(subject) ?? new Set();
      receivers.set(subject, all.add(receive));
      return { stop: () => all.delete(receive) };
    },
  };
}

const order = (number: number, more: object = {}) => ({ order: number, ...more }) as OrderState;
const at = (number: number) => number as OrderNumber;

test('the oldest order is dropped first', () => {
  const memory = new OrderMemory({ bus: makeBus(), exchange: 'x', ordersMax: 2 });
  for (const number of [1, 2, 3]) memory.keep(order(number));
  assert.equal(memory.size, 2);
  assert.equal(memory.get(at(1)), undefined);
  assert.equal(memory.get(at(3))?.order, 3);
});

test('a closed order is not kept', () => {
  const memory = new OrderMemory({ bus: makeBus(), exchange: 'x', ordersMax: 2 });
  memory.keep(order(1, { closeReason: 'filled' }));
  memory.keep(order(2));
  memory.drop(at(2));
  assert.equal(memory.size, 0);
});

test('an order amended at one gateway is dropped at all gateways', () => {
  const bus = makeBus();
  const [one, other] = [1, 2].map(() => new OrderMemory({ bus, exchange: 'x', ordersMax: 9 }));
  one.keep(order(1));
  one.keep(order(2));
  other.willBeAmended(at(1));
  assert.equal(one.get(at(1)), undefined);
  assert.equal(one.get(at(2))?.order, 2);
});

test('a response after the amendment does not restore the order', () => {
  const bus = makeBus();
  const [one, other] = [1, 2].map(() => new OrderMemory({ bus, exchange: 'x', ordersMax: 9 }));
  other.willBeAmended(at(1));
  one.keep(order(1));
  assert.equal(one.get(at(1)), undefined);
});

test('a lost connection clears the memory', () => {
  const memory = new OrderMemory({ bus: makeBus(), exchange: 'x', ordersMax: 2 });
  memory.keep(order(1));
  memory.clear();
  assert.equal(memory.get(at(1)), undefined);
});
