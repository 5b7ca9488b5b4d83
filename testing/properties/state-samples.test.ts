// Samples of the state: a restored replica with another memory layout hashes the same records, and
// a replica that differs in any record is detected.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  applyFrame,
  createExchange,
  type Exchange,
  restoreExchange,
  StateSampler,
  snapshotExchange,
} from '../../core/engine/index.ts';
import type { Lots, Ticks } from '../../core/money/index.ts';
import { chosenSeed, FLOW_NAMES, type FlowName, recordFrames } from '../flows/index.ts';
import { makeEngine } from './tested-exchange.ts';

const RUN_FRAMES = 16;
const COMMANDS = 2_500;

for (const flow of FLOW_NAMES) {
  test(`a restored replica samples the same records, under ${flow}`, () => {
    const property = fc.property(fc.nat(), fc.nat(), (seed, place) => {
      sampleAfterRestore(flow, seed, place);
    });
    const numRuns = flow === 'filling' ? 1 : 5;
    fc.assert(property, { numRuns, seed: chosenSeed() % 2 ** 31, endOnFailure: true });
  });
}

function sampleAfterRestore(flow: FlowName, seed: number, place: number): void {
  const frames = recordFrames({ flow, seed, commands: COMMANDS, apply: makeEngine().apply });
  const straight = createExchange();
  const sampler = new StateSampler({ runFrames: RUN_FRAMES });
  let restored: Exchange | undefined;
  const restoredSampler = new StateSampler({ runFrames: RUN_FRAMES });
  const stop = place % frames.length;
  let compared = 0;
  for (const [index, frame] of frames.entries()) {
    if (index === stop) {
      const hashKey = { low: seed | 0, high: 7 };
      restored = restoreExchange(snapshotExchange(straight), undefined, hashKey);
    }
    applyFrame(straight, frame);
    const hash = sampler.after(straight);
    if (restored === undefined) continue;
    applyFrame(restored, frame);
    const other = restoredSampler.after(restored);
    if (other === undefined) continue;
    assert.equal(other, hash, `frame ${frame.sequence} differs after a restore`);
    compared++;
  }
  assert.ok(compared > 0 || frames.length - stop < RUN_FRAMES);
}

/** One change for each kind of record. */
const CHANGES: Record<string, (exchange: Exchange) => void> = {
  'an available balance': ({ ledger }) => ledger.accounts.setAvailableAtoms(7, 1n),
  'a held balance': ({ ledger }) => ledger.accounts.setHeldAtoms(9, 1n << 40n),
  'a price': ({ books, users }) => books.orders.setPriceTicks(lastOrder(users), 1 as Ticks),
  'a remaining size': ({ books, users }) =>
    books.orders.setRemainingLots(lastOrder(users), 1 as Lots),
  'a fee tier': ({ users }) => users.setFees(2, 9, users.discountPpm(2)),
  'a group': ({ books }) => {
    books.groups[2] = 99;
  },
  'a count of stops': ({ users }) => users.setStopsOpen(2, 77),
  'a market': ({ markets }) => {
    markets[0].lastTicks = 3 as Ticks;
  },
  'a fee rate': ({ markets }) => {
    markets[0].takerPpmByTier[5] += 1;
  },
  'a limit': (exchange) => {
    exchange.limits = { ...exchange.limits, ordersPerUserMax: 201 };
  },
  'the count of trades': (exchange) => {
    exchange.tradesExecuted++;
  },
  'a channel': ({ channelSequences }) => {
    channelSequences[3] = 9;
  },
};

function lastOrder(users: Exchange['users']): number {
  for (let user = users.size; user > 0; user--) {
    if (users.firstOrder(user) !== 0) return users.firstOrder(user);
  }
  return assert.fail('an order is open');
}

test('a difference in any record is detected', () => {
  const engine = makeEngine();
  recordFrames({ flow: 'calm', seed: 5, commands: COMMANDS, apply: engine.apply });
  const bytes = engine.snapshot();
  const reference = restoreExchange(bytes);
  assert.ok(reference.ledger.accounts.size > 9 && reference.books.orders.size > 0);
  for (const [name, change] of Object.entries(CHANGES)) {
    const changed = restoreExchange(bytes);
    change(changed);
    assert.ok(framesUntilFound(restoreExchange(bytes), changed) < 500, name);
  }
  assert.equal(framesUntilFound(reference, restoreExchange(bytes)), 1_000, 'equal states');
});

/** Applies frames that change nothing. */
function framesUntilFound(one: Exchange, other: Exchange): number {
  const samplers = [one, other].map(() => new StateSampler({ runFrames: 64 }));
  for (let frame = 1; frame < 1_000; frame++) {
    one.sequence = other.sequence = frame;
    if (samplers[0].after(one) !== samplers[1].after(other)) return frame;
  }
  return 1_000;
}
