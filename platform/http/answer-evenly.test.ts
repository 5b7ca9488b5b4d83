// Answers and refusals leave at multiples of 100 ms.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '../../infra/process/clock-for-test.ts';
import { answerEvenly } from './answer-evenly.ts';

const cases: [workMs: number, leavesAtMs: number][] = [
  [0, 100],
  [1, 100],
  [99, 100],
  [100, 100],
  [101, 200],
  [250, 300],
];

for (const [workMs, leavesAtMs] of cases) {
  test(`work of ${workMs} ms is answered after ${leavesAtMs} ms`, async () => {
    const clock = new FakeClock(5_000);
    const { promise, resolve } = Promise.withResolvers<string>();
    let answeredMs = 0;
    const answered = answerEvenly(clock, () => promise).then((answer) => {
      answeredMs = clock.nowMs() - 5_000;
      return answer;
    });
    clock.advance(workMs);
    resolve('done');
    for (let atMs = workMs; atMs < 400 && answeredMs === 0; atMs++) {
      // Twice: the work settles, then a timer that is due immediately.
      await clock.pass(0);
      await clock.pass(0);
      if (answeredMs === 0) await clock.pass(1);
    }
    assert.equal(await answered, 'done');
    assert.equal(answeredMs, leavesAtMs);
  });
}

test('a refusal is delayed like a response', async () => {
  const clock = new FakeClock();
  let isSettled = false;
  const refused = answerEvenly(clock, () => Promise.reject(new Error('refused'))).finally(() => {
    isSettled = true;
  });
  const checked = assert.rejects(refused, /refused/);
  await clock.pass(0);
  await clock.pass(99);
  assert.equal(isSettled, false);
  await clock.pass(1);
  await checked;
});
