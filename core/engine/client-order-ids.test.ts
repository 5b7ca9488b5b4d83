// Client order ids compared with two plain lists: ids of open orders, which always stay, and ids
// of closed orders, of which the oldest of a user is forgotten beyond the user's share, and the
// oldest of all when the window is full.

import assert from 'node:assert/strict';
import test from 'node:test';
import { chosenSeed, Random } from '../../testing/flows/index.ts';
import type { OrderNumber, TimeMs } from '../money/index.ts';
import { NO_HASH_KEY, NONE } from '../structures/index.ts';
import { ClientOrderIds, MALFORMED } from './client-order-ids.ts';

interface Id {
  readonly user: number;
  readonly text: string;
  readonly order: number;
}

function recordAt(ids: ClientOrderIds, entry: number): Id {
  return { user: ids.user(entry), text: ids.text(entry), order: ids.order(entry) };
}

function rememberedOf(ids: ClientOrderIds): Id[] {
  const found: Id[] = [];
  for (let entry = ids.firstRemembered; entry !== NONE; entry = ids.nextRemembered(entry)) {
    found.push(recordAt(ids, entry));
  }
  return found;
}

function newIds(ordersMax: number, window: number, share = window): ClientOrderIds {
  const windows = { clientOrderIdWindow: window, clientOrderIdsPerUserMax: share };
  return new ClientOrderIds({ usersMax: 3, ordersMax, ...windows }, NO_HASH_KEY);
}

function add(ids: ClientOrderIds, user: number, text: string, order: number): number {
  assert.equal(ids.find(user, text), NONE);
  return ids.add(user, text, order as OrderNumber);
}

function close(ids: ClientOrderIds, entry: number, seconds = 0): void {
  ids.remember(entry, (seconds * 1_000) as TimeMs);
}

function keyOf({ user, text }: Pick<Id, 'user' | 'text'>): string {
  return `${user} ${text}`;
}

/** The ids that stay remembered after one more order of the user has closed. */
function afterClosing(closed: readonly Id[], id: Id, window: number, share: number): Id[] {
  const all = [...closed, id];
  const ofUser = all.filter(({ user }) => user === id.user);
  const kept = ofUser.length > share ? all.filter((one) => one !== ofUser[0]) : all;
  return kept.slice(-window);
}

for (const [ordersMax, window, share] of [
  [1, 1, 1],
  [5, 1, 1],
  [3, 10, 10],
  [3, 10, 1],
  [60, 40, 7],
  [60, 40, 20],
]) {
  const sizes = `${ordersMax} open orders, a window of ${window} and a share of ${share}`;
  test(`${sizes}: the oldest closed is forgotten`, () => {
    const random = new Random(chosenSeed());
    const ids = newIds(ordersMax, window, share);
    const open = new Map<string, Id & { entry: number }>();
    let closed: Id[] = [];
    for (let order = 1; order <= 3_000; order++) {
      const user = random.between(1, 3);
      const text = `id-${random.below(ordersMax + window * 2)}`;
      const known =
        open.get(keyOf({ user, text })) ??
        closed.find((one) => one.user === user && one.text === text);
      const found = ids.find(user, text);
      assert.equal(found === NONE ? undefined : ids.order(found), known?.order);
      if (known === undefined && open.size < ordersMax) {
        const entry = ids.add(user, text, order as OrderNumber);
        open.set(keyOf({ user, text }), { user, text, order, entry });
      } else if (open.size > 0) {
        const [name, { entry, ...id }] = random.pick([...open]);
        close(ids, entry);
        open.delete(name);
        closed = afterClosing(closed, id, window, share);
      }
      assert.equal(ids.remembered, closed.length);
      assert.deepEqual(ids.firstRemembered === NONE, closed.length === 0);
      if (order % 50 === 0) assert.deepEqual(rememberedOf(ids), closed);
    }
    assert.deepEqual(rememberedOf(ids), closed);
    for (const { entry, ...id } of open.values()) assert.deepEqual(recordAt(ids, entry), id);
  });
}

test('the id of a closed order is found until the window is full of later ones', () => {
  const ids = newIds(1, 2);
  for (const [order, text] of ['first', 'second', 'third'].entries()) {
    close(ids, add(ids, 1, text, order));
    if (order === 0) assert.notEqual(ids.find(1, 'first'), NONE);
  }
  assert.equal(ids.find(1, 'first'), NONE);
  assert.notEqual(ids.find(1, 'second'), NONE);
});

test('a user who closes many orders displaces only their own IDs', () => {
  const ids = newIds(1, 100, 10);
  close(ids, add(ids, 1, 'of-another', 1));
  for (let order = 2; order <= 1_000; order++) close(ids, add(ids, 2, `flood-${order}`, order));
  assert.notEqual(ids.find(1, 'of-another'), NONE);
  assert.equal(ids.rememberedOf(2), 10);
  assert.equal(ids.remembered, 11);
});

test("a smaller share immediately forgets each user's oldest IDs beyond it", () => {
  const ids = newIds(1, 100, 10);
  for (let order = 1; order <= 12; order++) {
    close(ids, add(ids, 1 + (order % 2), `id-${order}`, order));
  }
  ids.setPerUserMax(2);
  assert.deepEqual(
    rememberedOf(ids).map(({ text }) => text),
    ['id-9', 'id-10', 'id-11', 'id-12'],
  );
});

test('the oldest ID is forgotten if it is old, otherwise one of the user with most IDs', () => {
  const ids = newIds(1, 3);
  ids.isFair = true;
  close(ids, add(ids, 1, 'of-another', 1), 1_000);
  for (let order = 2; order <= 5; order++) close(ids, add(ids, 2, `id-${order}`, order), 1_599);
  assert.deepEqual(
    rememberedOf(ids).map(({ text }) => text),
    ['of-another', 'id-4', 'id-5'],
  );
  close(ids, add(ids, 2, 'id-6', 6), 1_600);
  assert.deepEqual(
    rememberedOf(ids).map(({ text }) => text),
    ['id-4', 'id-5', 'id-6'],
  );
});

test('equal texts of two users, and texts with a common prefix, are different IDs', () => {
  const ids = newIds(4, 1);
  const longest = '~'.repeat(36);
  add(ids, 1, longest, 1);
  add(ids, 2, longest, 2);
  add(ids, 1, longest.slice(1), 3);
  assert.equal(ids.order(ids.find(1, longest)), 1);
  assert.equal(ids.order(ids.find(2, longest)), 2);
  assert.equal(ids.order(ids.find(1, longest.slice(1))), 3);
  assert.equal(ids.find(2, longest.slice(1)), NONE);
});

test('the empty text is never found', () => {
  const ids = newIds(2, 1);
  add(ids, 1, 'abcdefgh', 1);
  assert.equal(ids.find(1, ''), NONE);
});

test('a text that is too long or not printable is malformed and cannot be added', () => {
  const ids = newIds(1, 1);
  for (const text of ['~'.repeat(37), 'two words', 'caf\u00e9']) {
    assert.equal(ids.find(1, text), MALFORMED);
    assert.throws(() => ids.add(1, text, 1 as OrderNumber), /well-formed/);
  }
  assert.notEqual(add(ids, 1, '~'.repeat(36), 1), NONE);
});

test('all IDs are found after growth, and there is room for more users and IDs', () => {
  const ids = newIds(2, 2);
  const entries = [1, 2].map((order) => add(ids, order, `id${order}`, order));
  close(ids, entries[0]);
  const windows = { clientOrderIdWindow: 9, clientOrderIdsPerUserMax: 9 };
  ids.grow({ usersMax: 30, ordersMax: 20, ...windows });
  ids.setPerUserMax(9);
  for (let order = 3; order <= 21; order++) add(ids, 30, `id${order}`, order);
  for (let order = 22; order <= 29; order++) close(ids, add(ids, 30, `id${order}`, order));
  assert.deepEqual([ids.rememberedOf(1), ids.rememberedOf(30), ids.remembered], [1, 8, 9]);
  assert.deepEqual(recordAt(ids, ids.find(1, 'id1')), { user: 1, text: 'id1', order: 1 });
  assert.deepEqual(recordAt(ids, ids.find(2, 'id2')), { user: 2, text: 'id2', order: 2 });
  assert.throws(() => add(ids, 30, 'id30', 30), /stays within its capacity/);
});
