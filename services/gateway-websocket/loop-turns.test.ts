// Long work is divided among event loop turns and among clients.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LoopTurns } from './loop-turns.ts';

function world() {
  const tasks: (() => void)[] = [];
  const soon = (task: () => void) => {
    tasks.push(task);
    return { cancel() {} };
  };
  const turns = new LoopTurns({ clock: { soon }, weightPerTurn: 100 });
  const done: Record<string, number> = {};
  let batches = 0;
  const run = (client: string, count: number, weight = 1) => {
    done[client] ??= 0;
    return turns.run({
      client,
      steps: (function* () {
        for (let step = 0; step < count; step += 1) {
          done[client] += 1;
          yield weight;
        }
      })(),
      batch(task) {
        batches += 1;
        task();
      },
    });
  };
  const turn = () => {
    for (const task of tasks.splice(0)) task();
  };
  return { run, turn, done, turns, tasks, batches: () => batches };
}

test('short work is done immediately, in one batch', () => {
  const { batches, done, run } = world();
  assert.equal(run('ann', 20), undefined);
  assert.deepEqual([done, batches()], [{ ann: 20 }, 1]);
});

test('abuse 76: a wave of work is limited in each turn, across all clients', async () => {
  const { done, run, tasks, turn } = world();
  const waiting = ['ann', 'bob', 'carol'].map((client) => run(client, 80));
  assert.deepEqual(done, { ann: 80, bob: 20, carol: 0 });
  turn();
  assert.deepEqual(done, { ann: 80, bob: 70, carol: 50 });
  turn();
  assert.deepEqual(done, { ann: 80, bob: 80, carol: 80 });
  await Promise.all(waiting);
  turn();
  assert.equal(tasks.length, 0, 'nothing runs without work');
});

test('abuse 76: a client with much work does not delay other clients', async () => {
  const { done, run, turn } = world();
  const flood = Array.from({ length: 20 }, () => run('flood', 100));
  const honest = run('honest', 10);
  turn();
  assert.deepEqual(done, { flood: 100 + 90, honest: 10 });
  await honest;
  for (let count = 0; count < 20; count += 1) turn();
  await Promise.all(flood);
  assert.equal(done.flood, 2_000);
});

test('heavy steps count by their weight', () => {
  const { done, run } = world();
  assert.ok(run('ann', 20, 10) instanceof Promise);
  assert.deepEqual(done, { ann: 10 });
});

test('a fault ends only its own work', async () => {
  const { done, run, turn, turns } = world();
  void run('flood', 100);
  const steps = (function* () {
    yield 1;
    throw new Error('a bug');
  })();
  const failing = turns.run({ client: 'ann', steps, batch: (task) => task() });
  const other = run('ann', 5);
  turn();
  await assert.rejects(failing!, /a bug/);
  await other;
  assert.equal(done.ann, 5);
});
