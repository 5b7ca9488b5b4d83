// A seed of the simulator replays exactly, and different seeds differ. The schedules that search
// for faults are in simulator.slow.test.ts.

import assert from 'node:assert/strict';
import test from 'node:test';
import { runSchedule } from './schedule.ts';

test('a seed replays exactly, and another seed produces another schedule', async () => {
  const run = (seed: number) => runSchedule({ seed, isTraced: true });
  const [one, again, other] = [await run(3), await run(3), await run(4)];
  for (const { violations } of [one, other]) assert.deepEqual(violations, []);
  assert.ok(one.trace.length > 100);
  assert.deepEqual(one.trace, again.trace);
  assert.notDeepEqual(one.trace, other.trace);
});
