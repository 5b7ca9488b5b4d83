// Valid requests for the health routes: a stopped process, and a backup.

import type { Statements } from '../../infra/postgres/index.ts';

interface HealthWorld {
  readonly registry: Statements;
}

export const healthSamples = {
  dismissProcess: async ({ registry }: HealthWorld) => {
    const instance = 'gateway-http-9';
    await registry.query(
      `insert into processes
         (instance, service, host, pid, version, commit, started_at, heard_at, state)
       values ($1, 'gateway-http', 'host', 1, '0.1.0', 'c', now(), now(), 'down')
       on conflict do nothing`,
      [instance],
    );
    return { query: { instance } };
  },
  reportBackup: () => ({
    body: {
      kind: 'database',
      ended_at: '2026-01-02T03:04:05.000Z',
      verified: true,
      bytes: 1_000,
      place: 'bucket/2026-01-02',
    },
  }),
} as const;
