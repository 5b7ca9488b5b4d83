// Upkeep: the scheduled jobs that end, erase and delete rows when their time is over.

export { JOBS, type Job, type JobContext } from './jobs.ts';
