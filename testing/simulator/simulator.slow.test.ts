// Many schedules of the simulator: every kind of fault occurs, and the exchange survives them.

import assert from 'node:assert/strict';
import test from 'node:test';
import { runSchedule } from './schedule.ts';

/** Enough schedules for every kind of fault to occur. */
const FIRST_SCHEDULES = 50;
const MORE_SCHEDULES = 150;

const EXPECTED = [
  'takeovers',
  'snapshots',
  'ended_fenced',
  'ended_stopped',
  'ambushes',
  'crashes',
  'power_cuts',
  'pauses',
  'cuts_from_logs',
  'cuts_from_one_log',
  'isolations',
  'one_way_cuts',
  'outages',
  'hand_overs',
  'poison_met',
  'oblivions',
  'echoes',
  'storms',
  'snapshotter_crashes',
  'client_crashes',
  'skews',
  'skews_of_hours',
  'one_way_cuts_from_logs',
  'full_disks',
  'rules_raised',
  'trades_by_next_rules',
  'careless_found',
  'live_switches',
  'uncrossings_of_many_frames',
  'crashes_while_uncrossing',
  'slow_frames',
  'disk_full',
  'append_lost',
  'append_late',
  'append_twice',
  'answer_lost',
  'answer_late',
  'connection_reset',
  'delivery_lost',
  'delivery_late',
  'delivery_twice',
  'delivery_torn',
  'delivery_stalled',
  'extent_stale',
  'extent_unavailable',
  'read_unavailable',
  'message_lost',
  'message_late',
  'message_twice',
  'snapshot_unavailable',
];

test('no command is lost, repeated or answered wrongly, and every fault kind occurs', async () => {
  const counts = new Map<string, number>();
  let answered = 0;
  for (let seed = 1; seed <= FIRST_SCHEDULES; seed++) {
    const result = await runSchedule({ seed, isTraced: false });
    assert.deepEqual(result.violations, [], `seed ${seed}: npm run simulate -- --seed ${seed}`);
    answered += result.answered;
    for (const [kind, count] of result.counts) counts.set(kind, (counts.get(kind) ?? 0) + count);
  }
  assert.ok(answered > 50 * FIRST_SCHEDULES, `only ${answered} commands were answered`);
  const missing = EXPECTED.filter((kind) => !counts.has(kind));
  assert.deepEqual(missing, [], 'every kind of fault occurs');
});

test('no command is lost, repeated or answered wrongly in many more schedules', async (t) => {
  let answered = 0;
  for (let seed = FIRST_SCHEDULES + 1; seed <= FIRST_SCHEDULES + MORE_SCHEDULES; seed++) {
    const result = await runSchedule({ seed, isTraced: false });
    assert.deepEqual(result.violations, [], `seed ${seed}: npm run simulate -- --seed ${seed}`);
    answered += result.answered;
  }
  t.diagnostic(`${answered} commands were answered in ${MORE_SCHEDULES} schedules`);
});
