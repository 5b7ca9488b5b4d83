// Access as a service opens it: from its settings, with the registry's pool and the bus. Listens
// from then on; whoever opens it stops it, before the pool.

import type { Bus } from '../bus/index.ts';
import type { Pool } from '../postgres/index.ts';
import {
  type Clock,
  createMetrics,
  type Log,
  type Metrics,
  type Secret,
} from '../process/index.ts';
import { Access } from './access.ts';
import { watchAccess } from './access-events.ts';
import { readAccessKey } from './access-settings.ts';
import { Seal } from './seal.ts';

export interface OpenAccessOptions {
  readonly config: {
    readonly accessKeyFile: string | undefined;
    readonly accessKey: Secret | undefined;
    readonly accessEntriesMax: number;
    readonly accessSignaturesMax: number;
    readonly mode: 'production' | 'development';
    readonly exchange: string;
  };
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Log;
  /** Of the registry's schema. */
  readonly pool: Pool;
  /** Where its counts go; nowhere unless told. */
  readonly metrics?: Metrics;
}

/** Throws an AccessKeyFault when there is no access key. */
export function openAccess(options: OpenAccessOptions): Access {
  const { bus, clock, config, log, metrics = createMetrics(), pool } = options;
  const { accessEntriesMax: entriesMax, accessSignaturesMax: signaturesMax, exchange } = config;
  const isDevelopment = config.mode === 'development';
  const access = new Access({
    bus,
    clock,
    exchange,
    entriesMax,
    signaturesMax,
    registry: pool,
    seal: new Seal(readAccessKey({ ...config, isDevelopment })),
    watcher: watchAccess(log, metrics),
  });
  access.start();
  return access;
}
