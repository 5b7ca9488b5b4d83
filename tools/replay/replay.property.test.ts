// A replay at any moment equals the engine's state at that moment: balances with their postings,
// orders, and the difference between two moments.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type AccountView, accountsOf, bookOf } from '../../core/engine/index.ts';
import type { Owner } from '../../core/messages/index.ts';
import type { AssetId, OrderNumber } from '../../core/money/index.ts';
import { type ReplaySource, startReplica } from '../../infra/replica/index.ts';
import { chosenSeed, type FlowName, Random } from '../../testing/flows/index.ts';
import { recordFlow } from './archive-recorder-for-test.ts';
import { balance } from './balance.ts';
import { diff } from './diff.ts';
import type { Moment } from './moments.ts';
import { Names } from './names.ts';
import { orderLife } from './order.ts';
import { openSource } from './source.ts';

const seed = chosenSeed();
const ROUNDS = 8;

/** The engine's state after each frame; the first entry is before the first frame. */
interface Seen {
  readonly timeMs: number;
  readonly accounts: readonly AccountView[];
  readonly orders: ReadonlyMap<number, string>;
}

for (const flow of ['calm', 'thin-pairs', 'adversarial'] satisfies FlowName[]) {
  describe(`under ${flow}, seed ${seed}`, () => {
    let folder = '';
    let source: ReplaySource;
    let random: Random;
    const seen: Seen[] = [{ timeMs: 0, accounts: [], orders: new Map() }];

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'rialto-property-'));
      random = new Random(seed);
      const plan = { folder, flow, seed, commands: 1_000 };
      await recordFlow({
        ...plan,
        framesPerSegment: 29,
        framesPerSnapshot: 17,
        onFrame: ({ exchange }) => {
          const names = new Names(exchange);
          const resting = exchange.markets.flatMap(({ id }) => {
            const { bids, asks, stops } = bookOf(exchange, id);
            const orders = [...bids, ...asks].flatMap((level) => level.orders).concat(stops);
            return orders.map(({ order, remainingLots }): [number, string] => [
              order,
              names.size(id, remainingLots),
            ]);
          });
          const orders = new Map(resting);
          seen.push({ timeMs: exchange.timeMs, accounts: accountsOf(exchange), orders });
        },
      });
      const onProblem = (problem: unknown) => assert.fail(String(problem));
      source = await openSource({ folder, usesSnapshots: true, onProblem });
    });

    after(() => rm(folder, { recursive: true, force: true }));

    /** Returns any frame at which a user has a balance. */
    function anyFrame(): number {
      const first = seen.findIndex(({ accounts }) => accounts.length > 0);
      return random.between(first, seen.length - 1);
    }

    test('a balance is the engine’s, and its postings lead to it', async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const sequence = anyFrame();
        const { accounts } = seen[sequence];
        const { owner, asset, availableAtoms, heldAtoms } = random.pick(accounts);
        const options = { owner, asset: String(asset), last: random.between(1, 30) };
        const found = await balance(source, { ...options, at: frame(sequence) });
        assert.deepEqual(
          [found.availableAtoms, found.heldAtoms, found.sequence],
          [availableAtoms, heldAtoms, sequence],
        );
        const all = await balance(source, { ...options, at: frame(sequence), last: Infinity });
        assert.ok(all.isComplete);
        let [available, held] = [0n, 0n];
        for (const line of all.postings) {
          available += line.availableChangeAtoms;
          held += line.heldChangeAtoms;
          assert.deepEqual([line.availableAtoms, line.heldAtoms], [available, held]);
        }
        assert.deepEqual([available, held], [availableAtoms, heldAtoms]);
        assert.deepEqual(found.postings, all.postings.slice(-options.last));
        assert.equal(found.isComplete, all.postings.length <= options.last);
      }
    });

    test('a balance at a time is that after the last frame of the time', async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const timeMs = seen[anyFrame()].timeMs + random.between(0, 200);
        const sequence = seen.findLastIndex((one) => one.timeMs <= timeMs);
        const { owner, asset, availableAtoms } = random.pick(seen[sequence].accounts);
        const at: Moment = { kind: 'time', timeMs };
        const found = await balance(source, { owner, asset: String(asset), at, last: 1 });
        assert.deepEqual([found.sequence, found.availableAtoms], [sequence, availableAtoms]);
      }
    });

    test('the life of an order ends as the engine says', async () => {
      const last = seen.length - 1;
      const placed = new Set(seen.flatMap(({ orders }) => [...orders.keys()]));
      for (let round = 0; round < ROUNDS; round++) {
        const order = random.pick([...placed]) as OrderNumber;
        const remaining = seen[last].orders.get(order);
        const life = await orderLife(source, { order, readsOn: random.chance(50) });
        assert.equal(life.state, remaining === undefined ? 'closed' : 'open');
        if (remaining !== undefined) assert.equal(life.remaining, remaining);
        assert.ok(life.lines.length >= (remaining === undefined ? 2 : 1));
        assert.equal(life.lines[0].event.kind, 'OrderPlaced');
      }
    });

    test('the difference between two moments is that of the engine', async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const [from, to] = [anyFrame(), anyFrame()].sort((one, other) => one - other);
        const moments = { from: frame(from), to: frame(to) };
        const found = await diff(source, { ...moments, limit: Infinity });
        assert.deepEqual(found.accounts.shown.length, changedAccounts(seen[from], seen[to]));
        const [before, now] = [seen[from].orders, seen[to].orders];
        const opened = [...now.keys()].filter((order) => !before.has(order));
        const closed = [...before.keys()].filter((order) => !now.has(order));
        assert.deepEqual(numbers(found.ordersOpened.shown), opened.sort(ascending));
        assert.deepEqual(numbers(found.ordersClosed.shown), closed.sort(ascending));
        assert.ok(found.ordersClosed.shown.every(({ note }) => note !== ''));
        assert.ok(found.ordersInBetween >= 0);
      }
    });

    test('a replica starts from the newest snapshot within reach', async () => {
      for (const atMost of [0, 16, 17, 33, 34, 60]) {
        const replica = await startReplica(source, atMost);
        assert.equal(replica.sequence, Math.floor(atMost / 17) * 17);
      }
    });
  });
}

function frame(sequence: number): Moment {
  return { kind: 'frame', sequence };
}

function changedAccounts(from: Seen, to: Seen): number {
  const nameOf = ({ owner, asset }: { owner: Owner; asset: AssetId }) => `${owner}/${asset}`;
  const before = new Map(from.accounts.map((account) => [nameOf(account), account]));
  return to.accounts.filter((account) => {
    const was = before.get(nameOf(account));
    const sameAvailable = account.availableAtoms === (was?.availableAtoms ?? 0n);
    return !sameAvailable || account.heldAtoms !== (was?.heldAtoms ?? 0n);
  }).length;
}

function numbers(orders: readonly { order: number }[]): number[] {
  return orders.map(({ order }) => order).sort(ascending);
}

function ascending(one: number, other: number): number {
  return one - other;
}
