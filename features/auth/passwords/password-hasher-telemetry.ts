// Password hasher metrics: queue length, rejections and duration.

import type { Metrics } from '../../../infra/process/index.ts';
import type { HasherWatcher } from './password-hasher.ts';

const BUCKETS_MS = [10, 20, 30, 40, 50, 75, 100, 200, 500];

export function passwordHasherTelemetry(metrics: Metrics): HasherWatcher {
  const waiting = metrics.gauge({
    name: 'rialto_password_hashes_waiting',
    help: 'Passwords queued for a thread',
  });
  const refused = metrics.counter({
    name: 'rialto_password_hashes_refused_total',
    help: 'Passwords rejected because the queue was full or too slow',
  });
  const duration = metrics.histogram({
    name: 'rialto_password_hash_ms',
    help: 'Time per hash in milliseconds, without queueing',
    buckets: BUCKETS_MS,
  });
  return {
    queued: (count) => waiting.set(count),
    refused: () => refused.inc(),
    hashed: (durationMs) => duration.observe(durationMs),
  };
}
