// Scheduled jobs: their type, and work in batches.

export { DAY_MS, deleting, inBatches, type Job, type JobContext, untilNothing } from './job.ts';
