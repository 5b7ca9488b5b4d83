// The cache of keys and sessions: bounds, one read for all waiters, changes during a read, and a
// database that is down.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { UserId } from '../../core/money/index.ts';
import { FakeClock } from '../process/clock-for-test.ts';
import { AccessFault, type Credential, CredentialCache } from './credential-cache.ts';

interface Thing extends Credential {
  readonly version: number;
}

/** A cache over objects in memory, whose reads end when the test says so. */
function open({ entriesMax = 3 } = {}) {
  const clock = new FakeClock(1_700_000_000_000);
  const things = new Map<string, Thing>();
  const reads: { names: readonly string[]; answer(): void; fail(fault: Error): void }[] = [];
  const failed: unknown[] = [];
  const again: [Thing, Thing | undefined][] = [];
  const cache = new CredentialCache<Thing>({
    clock,
    entriesMax,
    onReadFailed: (fault) => failed.push(fault),
    onReadAgain: (before, after) => again.push([before, after]),
    read(names) {
      const { promise, reject, resolve } = Promise.withResolvers<Map<string, Thing>>();
      // A read returns what existed when it began.
      const found = new Map([...things].filter(([name]) => names.includes(name)));
      reads.push({ names, answer: () => resolve(found), fail: reject });
      return promise;
    },
  });
  const add = (name: string, user = 1, version = 1) =>
    things.set(name, { id: things.size + 1, user: user as UserId, version });
  return { cache, clock, things, reads, failed, again, add, load };

  async function load(name: string): Promise<Thing | undefined> {
    const loading = cache.load(name);
    clock.advance(0);
    reads.at(-1)!.answer();
    return loading;
  }
}

test('a thousand callers that await one name, and others, share one read', async () => {
  const { add, cache, clock, reads } = open({ entriesMax: 2_000 });
  for (let number = 0; number < 500; number++) add(`name ${number}`);
  const loading = Array.from({ length: 1_000 }, (_, at) => cache.load(`name ${at % 500}`));
  clock.advance(0);
  assert.equal(reads.length, 1);
  assert.equal(reads[0].names.length, 500);
  reads[0].answer();
  const found = await Promise.all(loading);
  assert.ok(found.every((thing) => thing !== undefined));
  assert.equal(reads.length, 1);
});

test('one read runs at a time; later callers wait for the next one', async () => {
  const { add, cache, clock, reads } = open();
  add('a');
  add('b');
  const first = cache.load('a');
  clock.advance(0);
  const second = cache.load('b');
  clock.advance(0);
  assert.equal(reads.length, 1);
  reads[0].answer();
  await first;
  await turn();
  assert.equal(reads.length, 2);
  reads[1].answer();
  assert.equal((await second)?.id, 2);
});

test('least recently used entries are evicted first, and the limit is never exceeded', async () => {
  const { add, cache, load } = open({ entriesMax: 3 });
  for (const name of ['a', 'b', 'c', 'd']) add(name);
  for (const name of ['a', 'b', 'c']) await load(name);
  cache.get('a');
  await load('d');
  assert.equal(cache.size, 3);
  assert.equal(cache.get('b'), undefined);
  for (const name of ['a', 'c', 'd']) assert.ok(cache.get(name));
});

test('entries in constant use are kept, and the limit holds, whatever else is read', async () => {
  const { add, cache, load } = open({ entriesMax: 10 });
  add('wanted');
  await load('wanted');
  for (let number = 0; number < 200; number++) {
    add(`passing ${number}`);
    assert.ok(cache.get('wanted'));
    await load(`passing ${number}`);
    assert.ok(cache.size <= 10);
    if (number % 50 === 49) {
      cache.forget(0);
      await load('wanted');
    }
  }
});

test('an unknown name is remembered for five seconds', async () => {
  const { add, cache, clock, load } = open();
  assert.equal(await load('a'), undefined);
  add('a');
  clock.advance(4_999);
  assert.equal(cache.get('a'), null);
  clock.advance(1);
  assert.equal(cache.get('a'), undefined);
  assert.ok(await load('a'));
});

test('unknown names evict no entry, and their number is limited', async () => {
  const { add, cache, clock, load, reads } = open({ entriesMax: 3 });
  add('a');
  await load('a');
  const strangers = Array.from({ length: 10_000 }, (_, at) => cache.load(`stranger ${at}`));
  await assert.rejects(cache.load('one more'), AccessFault);
  clock.advance(0);
  for (let at = 1; at <= 10; at++) {
    assert.equal(reads.length, 1 + at);
    assert.equal(reads[at].names.length, 1_000);
    reads[at].answer();
    await turn();
  }
  await Promise.all(strangers);
  assert.equal(cache.get('stranger 0'), null);
  await load('the last');
  assert.equal(cache.get('stranger 0'), undefined);
  assert.equal(cache.get('the last'), null);
  assert.ok(cache.get('a'));
});

test('an entry that changed during its read is read again', async () => {
  const { add, cache, clock, reads } = open();
  add('a', 1, 1);
  const loading = cache.load('a');
  clock.advance(0);
  add('a', 1, 2);
  cache.forget(1 as UserId);
  reads[0].answer();
  await turn();
  assert.equal(reads.length, 2);
  reads[1].answer();
  assert.equal((await loading)?.version, 2);
  assert.equal(cache.get('a')?.version, 2);
});

test('changes to other users make no read uncertain, and every read ends', async () => {
  const { add, cache, clock, reads } = open();
  add('a', 1, 1);
  const loading = [cache.load('a'), cache.load('nobody')];
  clock.advance(0);
  for (let read = 0; read < 5; read++) {
    cache.forget(2 as UserId);
    reads.at(-1)!.answer();
    await turn();
    if (read === 0) assert.equal(cache.get('a')?.version, 1, 'certain immediately');
  }
  assert.deepEqual(
    reads.map(({ names }) => names.length),
    [2, 1, 1, 1, 1],
    'only the unknown name is read again, and not again and again',
  );
  assert.deepEqual(
    (await Promise.all(loading)).map((thing) => thing?.id),
    [1, undefined],
  );
  assert.equal(cache.get('nobody'), undefined, 'an uncertain result is not remembered');
});

test('a refresh ends although users change, and keeps entries read after a change', async () => {
  const { add, again, cache, load, reads } = open();
  add('a', 1, 1);
  add('b', 2, 1);
  await load('a');
  await load('b');
  const refreshing = cache.refresh();
  const old = reads.at(-1)!;
  add('a', 1, 2);
  cache.forget(1 as UserId);
  await load('a');
  old.answer();
  await refreshing;
  assert.equal(reads.length, 4, 'no repetition');
  assert.equal(cache.get('a')?.version, 2);
  assert.equal(cache.get('b')?.version, 1);
  assert.deepEqual(
    again.map(([, after]) => after?.user),
    [2],
  );
});

test('a change to one user touches no entry of another user', async () => {
  const { cache, load, things } = open({ entriesMax: 100 });
  let looks = 0;
  for (let id = 1; id <= 100; id++) {
    const thing = {
      id,
      version: 1,
      get user() {
        looks += 1;
        return id as UserId;
      },
    };
    things.set(`name ${id}`, thing);
    await load(`name ${id}`);
  }
  looks = 0;
  cache.forget(1_000 as UserId);
  assert.equal(looks, 0);
  cache.forget(7 as UserId);
  assert.ok(looks < 5, `${looks}`);
  assert.equal(cache.size, 99);
});

test("one user's entries are forgotten and others are kept; 0 forgets all", async () => {
  const { add, cache, load } = open();
  add('a', 1);
  add('b', 2);
  await load('a');
  await load('b');
  cache.forget(1 as UserId);
  assert.equal(cache.get('a'), undefined);
  assert.ok(cache.get('b'));
  cache.forget(0);
  assert.equal(cache.size, 0);
});

test('a read that fails or never ends is a fault, and entries are kept', async () => {
  const { add, cache, clock, failed, load, reads } = open();
  add('a');
  await load('a');
  const failing = cache.load('b');
  clock.advance(0);
  reads[1].fail(new Error('away'));
  await assert.rejects(failing, AccessFault);
  await turn();
  const hanging = cache.load('b');
  clock.advance(0);
  clock.advance(3_000);
  await assert.rejects(hanging, AccessFault);
  const refreshing = cache.refresh();
  reads.at(-1)!.fail(new Error('away'));
  await refreshing;
  assert.equal(failed.length, 3);
  assert.ok(cache.get('a'));
});

test('a refresh replaces changed entries, drops deleted ones, and reports both', async () => {
  const { add, again, cache, load, reads, things } = open();
  add('a', 1, 1);
  add('b');
  await load('a');
  await load('b');
  add('a', 1, 2);
  things.delete('b');
  const refreshing = cache.refresh();
  reads.at(-1)!.answer();
  await refreshing;
  assert.equal(cache.get('a')?.version, 2);
  assert.equal(cache.get('b'), undefined);
  assert.deepEqual(
    again.map(([before, after]) => [before.version, after?.version]),
    [
      [1, 2],
      [1, undefined],
    ],
  );
});

test('uses are written once, retried after a failure, and include removed entries', async () => {
  const { add, cache, load } = open({ entriesMax: 1 });
  add('a');
  add('b');
  await load('a');
  cache.use('a', 100);
  await load('b');
  cache.use('b', 200);
  const away = () => Promise.reject(new Error('away'));
  await assert.rejects(cache.writeUses(away));
  const written: unknown[] = [];
  const write = async (uses: readonly unknown[]) => void written.push(...uses);
  await cache.writeUses(write);
  await cache.writeUses(write);
  assert.deepEqual(written, [
    { id: 1, usedAtMs: 100 },
    { id: 2, usedAtMs: 200 },
  ]);
});
