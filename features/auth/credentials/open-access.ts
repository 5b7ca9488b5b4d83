// Opens Access for a service from its settings, the registry's pool and the bus. It starts
// listening; the service must stop it before closing the pool.

import { Access, accessTelemetry } from '../../../infra/access/index.ts';
import type { Bus } from '../../../infra/bus/index.ts';
import type { Pool } from '../../../infra/postgres/index.ts';
import {
  type Clock,
  createMetrics,
  type Logger,
  type Metrics,
} from '../../../infra/process/index.ts';
import type { Vault } from '../../../platform/vault/index.ts';
import type { Caller } from './caller.ts';
import { createCredentialStore } from './credential-store.ts';
import { SessionTokens } from './session-token.ts';

export interface OpenAccessOptions {
  readonly config: {
    readonly accessEntriesMax: number;
    readonly accessSignaturesMax: number;
    readonly expiresAheadSMax: number;
    readonly exchange: string;
  };
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Logger;
  /** Connections to the registry's schema. */
  readonly pool: Pool;
  readonly vault: Vault;
  /** Switches that end sessions. */
  readonly switches: { hasEnded(caller: Caller): boolean };
  /** Discarded if not given. */
  readonly metrics?: Metrics;
}

export function openAccess(options: OpenAccessOptions): Access<Caller> {
  const { bus, clock, config, log, metrics = createMetrics(), pool, switches, vault } = options;
  const { accessEntriesMax: entriesMax, accessSignaturesMax: signaturesMax, exchange } = config;
  const store = createCredentialStore({
    registry: pool,
    vault,
    onBrokenSeal: (key) => log.error({ key }, 'key seal broken'),
  });
  const watcher = accessTelemetry(log, metrics);
  const tokens = new SessionTokens(vault, clock);
  const isOwnToken = (token: string) => tokens.isOwn(token);
  const hasEnded = (caller: Caller) => switches.hasEnded(caller);
  const { expiresAheadSMax } = config;
  const limits = { entriesMax, signaturesMax, expiresAheadSMax };
  const own = { ...limits, bus, clock, exchange, store, watcher };
  const access = new Access({ ...own, isOwnToken, hasEnded });
  access.start();
  return access;
}
