// The same as simulator.test.ts, with many more schedules.

import assert from 'node:assert/strict';
import test from 'node:test';
import { runSchedule } from './schedule.ts';

const SCHEDULES = 1_500;
/** Behind the seeds that the fast test has. */
const FIRST_SEED = 51;

test('nothing is lost, repeated or told wrongly in many schedules', (t) => {
  let answered = 0;
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SCHEDULES; seed++) {
    const result = runSchedule({ seed, isTraced: false });
    assert.deepEqual(result.violations, [], `seed ${seed}: npm run simulate -- --seed ${seed}`);
    answered += result.answered;
  }
  t.diagnostic(`${answered} commands were answered in ${SCHEDULES} schedules`);
});
