// The publisher's lease on a real server: one publisher holds it, another takes it over when it is
// released or not renewed, and a superseded holder detects that.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { feedSubjects } from '../../infra/live-feed/index.ts';
import { FakeClock } from '../../infra/process/clock-for-test.ts';
import { startNatsForTest } from '../../testing/nats/nats-for-test.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import { feedStateStream } from './nats-feed-store.ts';
import { ensureStream } from './nats-streams.ts';
import { type LeaseLost, PublisherLease } from './publisher-lease.ts';

test('one publisher holds the lease, and a standby takes over', async (context) => {
  const { connect } = await startNatsForTest(context, { nodes: 1 });
  const nats = await connect();
  const subjects = feedSubjects('rialto');
  await ensureStream(nats, feedStateStream(subjects, 1));
  const problems: unknown[] = [];
  const open = (instance: string) => {
    const [clock, lost] = [new FakeClock(), [] as LeaseLost[]];
    const onProblem = (problem: unknown) => problems.push(problem);
    const lease = new PublisherLease({ nats, subjects, clock, instance, onProblem });
    const acquired = lease.acquire((fault) => void lost.push(fault));
    context.after(() => lease.release());
    return { lease, clock, lost, acquired };
  };
  /** Lets time pass on these clocks until the condition is true. */
  const passUntil = (what: string, all: { clock: FakeClock }[], question: () => boolean) =>
    waitUntil({
      what,
      timeoutMs: 30_000,
      question: async () => {
        for (const { clock } of all) await clock.pass(500);
        return question();
      },
    });

  const first = open('a');
  assert.equal(await first.acquired, true, 'there was no holder');
  const second = open('b');
  for (let round = 0; round < 20; round++) {
    for (const { clock } of [first, second]) await clock.pass(500);
    await nats.client.flush();
  }
  assert.deepEqual([first.lease.isHeld, second.lease.isHeld], [true, false]);

  await first.lease.release();
  await passUntil('the standby takes a released lease', [second], () => second.lease.isHeld);

  // The holder hangs: its clock is stopped.
  const third = open('c');
  await passUntil('the standby takes an expired lease', [third], () => third.lease.isHeld);
  await passUntil('the old holder notices', [second], () => second.lost.length > 0);
  assert.match(second.lost[0].message, /publisher c has taken the lease/);
  assert.equal(second.lease.isHeld, false);

  const restarted = open('c');
  assert.equal(await restarted.acquired, true, 'its own lease, without a delay');
  const waiting = open('d');
  await waiting.lease.release();
  assert.equal(await waiting.acquired, false, 'stopped while it was a standby');
  assert.deepEqual(problems, []);
});
