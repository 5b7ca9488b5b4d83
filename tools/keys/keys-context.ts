// The connections and settings that a command of the keys tool works with.

import type { Bus } from '../../infra/bus/index.ts';
import type { Pool } from '../../infra/postgres/index.ts';
import type { Vault } from '../../platform/vault/index.ts';
import type { KeysConfig } from './keys-request.ts';

export interface Context {
  readonly config: KeysConfig;
  readonly pool: Pool;
  /** Opened only by the commands that need the key file. */
  openVault(): Promise<Vault>;
  /** Prints progress at once; results are returned. */
  print(line: string): void;
  /** Runs the work with a bus that reaches the gateways, if NATS is up. */
  withBus<Result>(work: (bus: Bus) => Promise<Result>): Promise<Result>;
}
