// The job runner on a real PostgreSQL: jobs run at the start, run again after a failure, survive a
// PostgreSQL restart, and log in our format.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openPool } from '../../infra/postgres/index.ts';
import { createLogger, systemClock } from '../../infra/process/index.ts';
import type { Job } from '../../platform/jobs/index.ts';
import { Vault } from '../../platform/vault/index.ts';
import {
  type PostgresForTest,
  startPostgresForTest,
} from '../../testing/projections/postgres-for-test.ts';
import { until } from '../../tools/services/wait-until.ts';
import { JobRunner } from './job-runner.ts';
import { JOBS } from './jobs.ts';

const vault = new Vault(new Map([[1, Buffer.alloc(32, 9)]]));

async function start(context: TestContext, postgres: PostgresForTest, jobs: readonly Job[]) {
  const pool = openPool({ ...postgres.connection('public'), connectionsMax: 4 });
  const events: string[] = [];
  let lines = '';
  let isStopped = false;
  const runner = new JobRunner({
    clock: systemClock,
    pool,
    schema: 'jobs',
    context: { vault, retentionMs: 0, batch: 10, projectionSchema: 'rialto' },
    jobs,
    isIntakeStopped: () => isStopped,
    log: createLogger({
      service: 'notifier',
      instance: 'test',
      level: 'trace',
      to: { write: (line) => void (lines += line) },
    }),
    watcher: {
      done: (job, count) => events.push(`${job} done ${count}`),
      failed: (job, fault) => events.push(`${job} failed: ${(fault as Error).message}`),
      databaseDown: () => events.push('database down'),
      databaseUp: () => events.push('database up'),
    },
    onFault: (reason) => assert.fail(reason),
  });
  context.after(async () => {
    await runner.stop();
    await pool.end();
  });
  const setStopped = (to: boolean) => {
    isStopped = to;
    runner.obeySwitches();
  };
  return { pool, events, lines: () => lines, runner, setStopped };
}

/** Never due by its schedule during a test. */
const job = (name: string, run: Job['run']): Job => ({ name, schedule: '0 0 29 2 *', run });

test('each job runs at the start, and a failed one runs again', async (context) => {
  const postgres = await startPostgresForTest(context);
  let tries = 0;
  const flaky = job('flaky', async () => {
    tries += 1;
    if (tries === 1) throw new Error('not yet');
    return 7;
  });
  const jobs = [job('easy', async () => 3), flaky];
  const { events, lines } = await start(context, postgres, jobs);
  await until('the failed job has run again', () => events.includes('flaky done 7'));
  assert.deepEqual(events.toSorted(), ['easy done 3', 'flaky done 7', 'flaky failed: not yet']);
  for (const line of lines().trim().split('\n')) {
    const { level, msg, service } = JSON.parse(line);
    assert.equal(service, 'notifier');
    assert.match(`${level}: ${msg}`, /^(?:debug: job runner reported|warn: job runner failed)$/);
  }
});

test('no job runs while intake is stopped; afterwards all run again', async (context) => {
  const postgres = await startPostgresForTest(context);
  const { events, pool, setStopped } = await start(context, postgres, [job('easy', async () => 3)]);
  await until('the job has run', () => events.length === 1);
  setStopped(true);
  // Its runner holds one of its connections to listen for jobs.
  await until('the runner has ended', () => pool.totalCount === pool.idleCount);
  await pool.query("select jobs.add_job('easy', '{}')");
  await pool.query('select pg_sleep(1)');
  assert.equal(events.length, 1);
  setStopped(false);
  await until('the job has run again', () => events.length >= 2);
  assert.ok(events.every((event) => event === 'easy done 3'));
});

test('jobs continue after a PostgreSQL restart', async (context) => {
  const postgres = await startPostgresForTest(context);
  let isDown = false;
  const outage = job('outage', async () => {
    if (!isDown) {
      isDown = true;
      await postgres.server.kill('SIGKILL');
    }
    return 1;
  });
  const { events } = await start(context, postgres, [outage]);
  await until('the job has run', () => events.includes('outage done 1'));
  await postgres.server.start();
  await until('the job has run again', () => events.filter((one) => /done/.test(one)).length === 2);
  assert.ok(events.includes('database up'));
});

test('every schedule is one that graphile-worker accepts', async () => {
  const { parseCronItems } = await import('graphile-worker');
  const items = JOBS.map(({ name, schedule }) => ({ task: name, match: schedule }));
  assert.equal(parseCronItems(items).length, JOBS.length);
});
