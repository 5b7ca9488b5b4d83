// Order records: packed terms, reused slots, and no data left over from the slot's previous order.

import assert from 'node:assert/strict';
import test from 'node:test';
import { chosenSeed, Random } from '../../testing/flows/index.ts';
import { SELF_TRADE_MODES, TIMES_IN_FORCE } from '../messages/index.ts';
import type { Lots, OrderNumber, Ticks } from '../money/index.ts';
import { NONE } from '../structures/index.ts';
import { INCOMING, Orders, packTerms, READY, RESTING, WAITING } from './orders.ts';

const number = (value: number) => value as OrderNumber;

test('packed terms read back, in every combination and state', () => {
  const orders = new Orders(1);
  let combinations = 0;
  for (let bits = 0; bits < 64; bits++) {
    for (const timeInForce of TIMES_IN_FORCE.keys()) {
      for (const selfTrade of SELF_TRADE_MODES.keys()) {
        const flags = [1, 2, 4, 8, 16, 32].map((bit) => (bits & bit) !== 0);
        const [sells, isMarket, postOnly, quick, takesProfit, expires] = flags;
        const flagged = { sells, isMarket, postOnly, quick, takesProfit, expires };
        const terms = { ...flagged, timeInForce, selfTrade };
        const slot = orders.add(number(1), 1, 1, packTerms(terms));
        for (const state of [INCOMING, RESTING, WAITING, READY]) {
          orders.setState(slot, state);
          const unpacked = {
            sells: orders.sells(slot),
            isMarket: orders.isMarket(slot),
            postOnly: orders.isPostOnly(slot),
            quick: orders.isQuick(slot),
            takesProfit: orders.takesProfit(slot),
            expires: orders.expires(slot),
            timeInForce: orders.timeInForce(slot),
            selfTrade: orders.selfTrade(slot),
          };
          assert.deepEqual(unpacked, terms);
          assert.equal(orders.state(slot), state);
          assert.equal(orders.terms(slot), packTerms(terms), 'terms exclude the state');
        }
        orders.remove(slot);
        combinations++;
      }
    }
  }
  assert.equal(combinations, 768);
});

test('numbers up to the largest safe integer are stored exactly', () => {
  const orders = new Orders(2);
  const largest = Number.MAX_SAFE_INTEGER;
  const slot = orders.add(number(largest), 4_096, 2 ** 31 - 1, 0);
  orders.setPriceTicks(slot, largest as Ticks);
  orders.setSizeLots(slot, largest as Lots);
  orders.setRemainingLots(slot, (largest - 1) as Lots);
  orders.setStopTicks(slot, (largest - 2) as Ticks);
  assert.equal(orders.find(number(largest)), slot);
  assert.equal(orders.find(number(largest - 1)), NONE);
  assert.deepEqual(
    [orders.number(slot), orders.priceTicks(slot), orders.sizeLots(slot)],
    [largest, largest, largest],
  );
  assert.deepEqual(
    [orders.remainingLots(slot), orders.stopTicks(slot)],
    [largest - 1, largest - 2],
  );
  assert.deepEqual([orders.market(slot), orders.user(slot)], [4_096, 2 ** 31 - 1]);
});

test('slots are reused, and a removed order is not found', () => {
  const random = new Random(chosenSeed());
  const orders = new Orders(50);
  const slots = new Map<number, number>();
  for (let next = 1; next <= 5_000; next++) {
    const isFull = slots.size === 50;
    if (!isFull && random.chance(60)) {
      const slot = orders.add(number(next), 1, next, 0);
      assert.ok(slot >= 1 && slot <= 50, 'no slot beyond the capacity');
      assert.ok(![...slots.values()].includes(slot), 'no slot twice');
      const links = [orders.before(slot), orders.behind(slot), orders.level(slot)];
      assert.deepEqual([...links, orders.state(slot)], [NONE, NONE, NONE, INCOMING]);
      slots.set(next, slot);
      // Links as a queue would leave them.
      orders.setBefore(slot, 9);
      orders.setBehind(slot, 9);
      orders.setState(slot, READY);
    } else if (slots.size > 0) {
      const [removed, slot] = random.pick([...slots]);
      orders.remove(slot);
      slots.delete(removed);
      assert.equal(orders.find(number(removed)), NONE);
    }
    assert.equal(orders.size, slots.size);
    for (const [held, slot] of slots) assert.equal(orders.find(number(held)), slot);
  }
});

test('adding an order beyond the capacity throws', () => {
  const orders = new Orders(2);
  orders.add(number(1), 1, 1, 0);
  orders.add(number(2), 1, 1, 0);
  assert.throws(() => orders.add(number(3), 1, 1, 0), /stays within its capacity/);
});

test('an order in a queue cannot be removed', () => {
  const orders = new Orders(1);
  const slot = orders.add(number(1), 1, 1, 0);
  orders.setLevel(slot, 1);
  assert.throws(() => orders.remove(slot), /leaves its queue before it is removed/);
});
