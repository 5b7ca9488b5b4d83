// All that topics may use. There is nothing else: no globals, no sockets.

import type { Catalogue } from '../../domain/catalogue/index.ts';
import type { Caller } from '../../domain/credentials/index.ts';
import type { Access } from '../../infra/access/index.ts';
import type { Bus, Nats } from '../../infra/bus/index.ts';
import type { CommandClient } from '../../infra/command-link/index.ts';
import type { FreshReads } from '../../infra/fresh-reads/index.ts';
import type { Pool } from '../../infra/postgres/index.ts';
import type { Clock, Logger, Metrics } from '../../infra/process/index.ts';

export interface Dependencies {
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly access: Access<Caller>;
  /** For headers, requests and streams; the bus is enough for everything else. */
  readonly nats: Nats;
  readonly bus: Bus;
  /** Streams and subjects begin with it. */
  readonly exchange: string;
  /** Assets and markets, in memory. */
  readonly catalogue: Catalogue;
  readonly commands: CommandClient;
  /** A command without an answer for so long has an unknown outcome. */
  readonly commandTimeoutMs: number;
  readonly fresh: FreshReads;
  /** The projected tables: ask `fresh` before reading what belongs to a user. */
  readonly projections: Pool;
}
