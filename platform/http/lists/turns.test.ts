// Turns: one for each caller at a time, in the order of arrival, with bounded waiting.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { FakeClock } from '../../../infra/process/clock-for-test.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { type EndTurn, Turns } from './turns.ts';

function open({ runningMax = 2, waitingPerCallerMax = 2 } = {}) {
  const clock = new FakeClock();
  const turns = new Turns({ clock, runningMax, waitingPerCallerMax, waitMsMax: 1_000 });
  const started: string[] = [];
  const ends: Record<string, EndTurn> = {};
  const take = async (name: string, who = name) => {
    const end = await turns.take(who);
    if (end instanceof Refused) return end.key;
    started.push(name);
    ends[name] = end;
    return 'started';
  };
  const isRefused = async (taken: ReturnType<typeof take>) =>
    assert.equal(await taken, 'rate_limit_exceeded');
  return { clock, ends, isRefused, started, take, turns };
}

test('abuse 71: a caller with many requests has one turn, and others overtake it', async () => {
  const { ends, isRefused, started, take } = open();
  for (const name of ['a1', 'a2', 'a3']) void take(name, 'a');
  await isRefused(take('a4', 'a'));
  await take('b');
  assert.deepEqual(started, ['a1', 'b']);
  ends.b();
  await take('c');
  ends.a1();
  await turn();
  assert.deepEqual(started, ['a1', 'b', 'c', 'a2']);
});

test('queued callers are served in order of arrival', async () => {
  const { ends, started, take } = open({ runningMax: 1 });
  for (const name of ['a', 'b', 'c']) void take(name);
  await turn();
  ends.a();
  ends.a();
  await turn();
  assert.deepEqual(started, ['a', 'b'], 'a turn ends once');
  ends.b();
  await turn();
  assert.deepEqual(started, ['a', 'b', 'c']);
});

test('queue time is limited, and a timeout leaves nothing behind', async () => {
  const { clock, ends, isRefused, started, take } = open({ runningMax: 1 });
  await take('a');
  const late = take('b');
  clock.advance(1_000);
  await isRefused(late);
  ends.a();
  await take('c');
  assert.deepEqual([started, clock.pendingCount], [['a', 'c'], 0]);
});

test('without queueing a second turn is refused, and a new caller is queued', async () => {
  const { ends, isRefused, started, take } = open({ runningMax: 1, waitingPerCallerMax: 0 });
  await take('a');
  await isRefused(take('a2', 'a'));
  void take('b');
  await isRefused(take('b2', 'b'));
  ends.a();
  await turn();
  assert.deepEqual(started, ['a', 'b']);
});

test('a blocked caller is refused until the block expires', async () => {
  const { clock, isRefused, take, turns } = open();
  turns.block('a', 500);
  await isRefused(take('a'));
  await take('b');
  clock.advance(500);
  await take('a');
});
