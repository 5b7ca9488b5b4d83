// Scheduled jobs: their type, and work in batches.

export { deleting, inBatches, type Job, type JobContext, untilNothing } from './job.ts';
