// Password hasher metrics: queue length, rejections and duration.

import type { Metrics } from '../../../infra/process/index.ts';
import type { HasherWatcher } from './password-hasher.ts';

const BUCKETS_MS = [10, 20, 30, 40, 50, 75, 100, 200, 500];

export function passwordHasherTelemetry(metrics: Metrics): HasherWatcher {
  const waiting = metrics.gauge({
    name: 'rialto_password_hashes_waiting',
    help: 'Passwords that wait for a thread',
  });
  const refused = metrics.counter({
    name: 'rialto_password_hashes_refused_total',
    help: 'Passwords that were not hashed because too many waited',
  });
  const duration = metrics.histogram({
    name: 'rialto_password_hash_ms',
    help: 'The time of one hash in milliseconds, without its wait',
    buckets: BUCKETS_MS,
  });
  return {
    queued: (count) => waiting.set(count),
    refused: () => refused.inc(),
    hashed: (durationMs) => duration.observe(durationMs),
  };
}
