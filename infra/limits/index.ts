// Limits that gateways set for their clients: budgets that refill over time, and counts by name.

export { Counts } from './counts.ts';
export { TokenBucket, type TokenBucketSize } from './token-bucket.ts';
