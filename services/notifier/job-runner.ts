// Runs the scheduled jobs on graphile-worker, which stores its queue in a separate schema in the
// registry's database, so only one notifier runs each job. All jobs also run once at the start.

import { Logger as JobLogger, parseCronItems, type Runner, run } from 'graphile-worker';
import { type DatabaseWatcher, isPassingFault, type Pool } from '../../infra/postgres/index.ts';
import { type Clock, type Logger, RetryLoop } from '../../infra/process/index.ts';
import type { Job, JobContext } from '../../platform/jobs/index.ts';
import { JOBS } from './jobs.ts';

export interface JobRunnerOptions {
  readonly clock: Clock;
  readonly pool: Pool;
  /** Schema of graphile-worker, which creates and migrates it. */
  readonly schema: string;
  readonly context: Omit<JobContext, 'nowMs' | 'pool'>;
  readonly log: Logger;
  readonly watcher: JobWatcher;
  readonly jobs?: readonly Job[];
  /** While true, jobs are queued. */
  isIntakeStopped(): boolean;
  onFault(reason: string, cause?: unknown): void;
}

export interface JobWatcher extends DatabaseWatcher {
  done(job: string, count: number, tookMs: number): void;
  failed(job: string, fault: unknown): void;
}

const RETRY_MS = 500;
const RETRY_MS_MAX = 10_000;
const ATTEMPTS_MAX = 5;
const POLL_MS = 10_000;
// NOTE: without batches, graphile-worker does not handle a failure to record the end of a job, and
// the process would exit. With them, the runner ends and is restarted here.
const RECORDS_IN_BATCHES = { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } };

/** running, paused by a switch, or down with PostgreSQL; stopped. */
export class JobRunner {
  readonly #options: JobRunnerOptions;
  readonly #retries: RetryLoop;
  readonly #ended: Promise<void>;
  #runner: Runner | undefined;
  /** True if a switch has stopped the runner. */
  #isHeld = false;

  constructor(options: JobRunnerOptions) {
    this.#options = options;
    const { clock, watcher } = options;
    this.#retries = new RetryLoop({
      clock,
      retryMs: RETRY_MS,
      retryMsMax: RETRY_MS_MAX,
      isRetryable: (fault) => fault instanceof RunnerEnded || isPassingFault(fault),
      onDown: (fault) => watcher.databaseDown(fault),
      onUp: () => watcher.databaseUp(),
    });
    this.#ended = this.#run().catch((fault: unknown) => this.#fail(fault));
  }

  /** Called when a switch has changed. The job in progress is completed first. */
  obeySwitches(): void {
    if (this.#options.isIntakeStopped()) this.#hold();
    else this.#retries.endPause();
  }

  /** Waits for the job in progress. */
  async stop(): Promise<void> {
    this.#retries.stop();
    await this.#runner?.stop().catch(() => {});
    await this.#ended;
  }

  async #run(): Promise<void> {
    while (!this.#retries.isStopped) {
      await this.#retries.run(async () => {
        if (this.#options.isIntakeStopped()) {
          await this.#retries.pause(RETRY_MS_MAX);
          return;
        }
        this.#isHeld = false;
        const runner = await this.#start();
        if (this.#retries.isStopped) await runner.stop().catch(() => {});
        else this.#retries.succeeded();
        // A switch might have changed while the runner started.
        if (this.#options.isIntakeStopped()) this.#hold();
        await runner.promise;
        // The runner ends automatically when PostgreSQL is down for too long.
        const isMeant = this.#retries.isStopped || this.#isHeld;
        if (!isMeant) throw new RunnerEnded('the job runner has ended');
      });
    }
  }

  #hold(): void {
    this.#isHeld = true;
    void this.#runner?.stop().catch(() => {});
  }

  async #start(): Promise<Runner> {
    const { jobs = JOBS, log, pool, schema } = this.#options;
    const runner = await run({
      pgPool: pool,
      schema,
      concurrency: 1,
      pollInterval: POLL_MS,
      noHandleSignals: true,
      logger: jobLogger(log),
      preset: RECORDS_IN_BATCHES,
      taskList: Object.fromEntries(jobs.map((job) => [job.name, () => this.#execute(job)])),
      parsedCronItems: parseCronItems(
        jobs.map(({ name, schedule }) => ({
          task: name,
          match: schedule,
          identifier: name,
          options: { jobKey: name, maxAttempts: ATTEMPTS_MAX },
        })),
      ),
    });
    this.#runner = runner;
    const options = { maxAttempts: ATTEMPTS_MAX };
    for (const { name } of jobs) await runner.addJob(name, {}, { ...options, jobKey: name });
    return runner;
  }

  async #execute(job: Job): Promise<void> {
    const { clock, context, pool, watcher } = this.#options;
    const startedMs = clock.elapsedMs();
    try {
      const count = await job.run({ ...context, pool, nowMs: clock.nowMs() });
      watcher.done(job.name, count, clock.elapsedMs() - startedMs);
    } catch (fault) {
      watcher.failed(job.name, fault);
      // The runner repeats the job later.
      throw fault;
    }
  }

  #fail(fault: unknown): void {
    if (this.#retries.isStopped) return;
    this.#retries.stop();
    this.#options.onFault(fault instanceof Error ? fault.message : String(fault), fault);
  }
}

class RunnerEnded extends Error {
  override readonly name = 'RunnerEnded';
}

/** Writes graphile-worker's lines to our log. The watcher reports job failures. */
function jobLogger(log: Logger): JobLogger {
  return new JobLogger((scope) => (level, message) => {
    const fields = { ...scope, detail: message };
    if (level === 'error') log.warn(fields, 'job runner failed');
    else if (level === 'warning') log.warn(fields, 'job runner warned');
    else log.debug(fields, 'job runner reported');
  });
}
