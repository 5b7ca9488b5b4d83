// The simulator itself: a seed replays exactly, different seeds differ, trouble of every kind comes
// up, and the exchange stands it.

import assert from 'node:assert/strict';
import test from 'node:test';
import { runSchedule } from './schedule.ts';

const SCHEDULES = 50;

const EXPECTED = [
  'takeovers',
  'snapshots',
  'ended_fenced',
  'ended_left',
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

test('a seed replays exactly, another seed is another story', () => {
  const [one, again, other] = [3, 3, 4].map((seed) => runSchedule({ seed, isTraced: true }));
  assert.ok(one.trace.length > 100);
  assert.deepEqual(one.trace, again.trace);
  assert.notDeepEqual(one.trace, other.trace);
});

test('nothing is lost, repeated or told wrongly in any schedule', () => {
  const counts = new Map<string, number>();
  let answered = 0;
  for (let seed = 1; seed <= SCHEDULES; seed++) {
    const result = runSchedule({ seed, isTraced: false });
    assert.deepEqual(result.violations, [], `seed ${seed}: npm run simulate -- --seed ${seed}`);
    answered += result.answered;
    for (const [kind, count] of result.counts) counts.set(kind, (counts.get(kind) ?? 0) + count);
  }
  assert.ok(answered > 50 * SCHEDULES, `only ${answered} commands were answered`);
  const missing = EXPECTED.filter((kind) => !counts.has(kind));
  assert.deepEqual(missing, [], 'trouble of every kind comes up');
});
