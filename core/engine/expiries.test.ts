// Orders come due by time, then by number, whatever was added and closed before.

import assert from 'node:assert/strict';
import test from 'node:test';
import { Random } from '../../testing/flows/random.ts';
import type { OrderNumber, TimeMs } from '../money/index.ts';
import { Expiries } from './expiries.ts';

const SEED = 7;
const MARKETS = 3;

test('random expiries come due in the order of a sorted list', () => {
  const random = new Random(SEED);
  const expiries = new Expiries();
  let open: { expiresMs: TimeMs; number: OrderNumber; slot: number; market: number }[] = [];
  const freeSlots: number[] = [];
  let nowMs = 0;
  let taken = 0;
  for (let number = 1; number <= 20_000; number++) {
    const slot = freeSlots.pop() ?? open.length + 1;
    const expiresMs = (nowMs + random.between(1, 500)) as TimeMs;
    const market = random.between(1, MARKETS);
    const entry = { expiresMs, number: number as OrderNumber, slot, market };
    expiries.add(entry);
    open.push(entry);
    if (random.chance(60)) {
      const [closed] = open.splice(random.below(open.length), 1);
      expiries.remove(closed.slot);
      freeSlots.push(closed.slot);
    }
    if (!random.chance(5)) continue;
    nowMs += random.between(0, 60);
    for (let due = 1; due <= MARKETS; due++) {
      const expected = open
        .filter((one) => one.market === due && one.expiresMs <= nowMs)
        .sort((one, other) => one.expiresMs - other.expiresMs || one.number - other.number);
      for (const { slot: next } of expected) {
        assert.equal(expiries.takeDue(due, nowMs as TimeMs), next);
        expiries.remove(next);
        freeSlots.push(next);
        taken++;
      }
      assert.equal(expiries.takeDue(due, nowMs as TimeMs), undefined);
      assert.ok(expiries.nextMs(due) > nowMs);
      open = open.filter((one) => !expected.includes(one));
    }
  }
  assert.ok(taken > 1_000);
});
