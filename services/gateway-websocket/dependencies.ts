// Everything that topics can use. There are no globals, and topics must never see sockets.

import type { Caller } from '../../features/auth/index.ts';
import type { SwitchBoard } from '../../features/kill-switches/index.ts';
import type { Catalogue } from '../../features/listings/index.ts';
import type { Access } from '../../infra/access/index.ts';
import type { Bus, Nats } from '../../infra/bus/index.ts';
import type { CommandClient } from '../../infra/command-link/index.ts';
import type { FreshReads } from '../../infra/fresh-reads/index.ts';
import type { Pool } from '../../infra/postgres/index.ts';
import type { Clock, Logger, Metrics } from '../../infra/process/index.ts';
import type { SwitchThreadConfig } from './private/switch-messages.ts';

export interface Dependencies {
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly access: Access<Caller>;
  /** Kill switches that this gateway applies. */
  readonly switches: SwitchBoard;
  /** For headers, requests and streams; use the bus for everything else. */
  readonly nats: Nats;
  readonly bus: Bus;
  /** Prefix for streams and subjects. */
  readonly exchange: string;
  /** Assets and markets, in memory. */
  readonly catalogue: Catalogue;
  readonly commands: CommandClient;
  /** A command without a response within this time has an unknown outcome. */
  readonly commandTimeoutMs: number;
  readonly fresh: FreshReads;
  /** Projected tables. Wait for `fresh` before reading a user's data. */
  readonly projections: Pool;
  readonly switchThread: SwitchThreadConfig;
}
