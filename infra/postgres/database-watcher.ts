// Outages of PostgreSQL, as the loops of a process report them: one log line for each change, and a
// metric if the process has one.

import type { Logger, Metrics } from '../process/index.ts';

export interface DatabaseWatcher {
  /** PostgreSQL failed; the loop retries. */
  databaseDown(fault: unknown): void;
  databaseUp(): void;
}

/** `name` is the metric's full name. */
export function databaseTelemetry(
  log: Logger,
  counted?: { readonly metrics: Metrics; readonly name: string },
): DatabaseWatcher {
  const help = 'How often PostgreSQL became unavailable';
  const outages = counted?.metrics.counter({ name: counted.name, help });
  return {
    databaseDown(err) {
      outages?.inc();
      log.warn({ err }, 'database unavailable');
    },
    databaseUp: () => log.info('database available'),
  };
}
