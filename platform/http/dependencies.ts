// Everything that handlers may use. There is nothing else: no globals, no request object.

import type { ActTable } from '../../features/approvals/index.ts';
import type { AuthDependencies, Caller, CredentialChangeFeed } from '../../features/auth/index.ts';
import type { HealthMemory } from '../../features/health/index.ts';
import type { SwitchBoard } from '../../features/kill-switches/index.ts';
import type { Catalogue } from '../../features/listings/index.ts';
import type { CandleMemory } from '../../features/market-data/index.ts';
import type { AddressIssuer } from '../../features/payments/index.ts';
import type { OrderMemory } from '../../features/trading/index.ts';
import type { Access } from '../../infra/access/index.ts';
import type { Bus } from '../../infra/bus/index.ts';
import type { FreshReads } from '../../infra/fresh-reads/index.ts';
import type { LiveFeed } from '../../infra/live-feed/index.ts';
import type { Pool } from '../../infra/postgres/index.ts';
import type { Clock, Logger } from '../../infra/process/index.ts';
import type { OutboxOutcomes } from '../outbox/index.ts';
import type { Vault } from '../vault/index.ts';
import type { Commands } from './commands.ts';

export interface Dependencies {
  readonly clock: Clock;
  readonly log: Logger;
  readonly access: Access<Caller>;
  /** Announce changes of users, keys and sessions here, after their commit. */
  readonly changes: CredentialChangeFeed;
  /** The kill switches that this gateway applies; announce changes of them here. */
  readonly switches: SwitchBoard;
  /** Seals secrets and personal data. */
  readonly vault: Vault;
  readonly bus: Bus;
  /** Assets, markets, coins, pairs, tiers and the kit, in memory. */
  readonly catalogue: Catalogue;
  /** Public data, in memory. */
  readonly feed: LiveFeed;
  /** Recent candles in memory, older ones from the tables. */
  readonly candles: CandleMemory;
  readonly commands: Commands;
  /** Every action of operators that can wait for approval, by name. */
  readonly acts: ActTable;
  readonly fresh: FreshReads;
  /** Open orders that were placed through this gateway. */
  readonly orders: OrderMemory;
  /** The last report of the monitor. */
  readonly health: HealthMemory;
  /** The projected tables. Call `fresh` before reading a user's rows. */
  readonly projections: Pool;
  /** The registry: users, keys, transfer requests. */
  readonly registry: Pool;
  /** The outcomes of commands in the outbox. */
  readonly outcomes: OutboxOutcomes;
  /** Where deposit addresses come from. */
  readonly addresses: AddressIssuer;
  /** Where support messages go; undefined: they are refused. */
  readonly supportEmail: string | undefined;
  readonly exchange: ExchangeIdentity;
  /** For the identity module, and the addresses of operators for all. */
  readonly identity: AuthDependencies;
}

/** The public identity of the exchange, and the names of its schemas. */
export interface ExchangeIdentity {
  readonly name: string;
  readonly version: string;
  /** The URL at which clients reach it: `https://api.example.com`. */
  readonly publicUrl: string;
  /** Its trades are invented. */
  readonly isDemo: boolean;
  /** The prefix of streams and subjects. */
  readonly exchange: string;
  readonly projectionSchema: string;
  readonly registrySchema: string;
  readonly isDevelopment: boolean;
}
