// Opens the vault of a process and keeps it current. The table key_encryption_keys says which key
// seals; the key file has the keys. A file that does not match the table is a configuration fault
// before anything is sealed. A running process keeps its keys instead and logs the difference.

import { idOf, type Statements } from '../../infra/postgres/index.ts';
import type { Clock, Logger, Timer } from '../../infra/process/index.ts';
import { KeyFileFault, type KeyFileSource, readKeyFile } from './key-file.ts';
import { fingerprintOf, Vault } from './vault.ts';

export type KekState = 'added' | 'active' | 'retiring' | 'retired';

/** A row of key_encryption_keys. */
export interface Kek {
  readonly id: number;
  readonly fingerprint: string;
  readonly state: KekState;
  readonly stateSince: Date;
}

export interface OpenVaultOptions {
  readonly config: {
    readonly accessKeyFile: KeyFileSource['accessKeyFile'];
    readonly accessKey: KeyFileSource['accessKey'];
    readonly mode: 'production' | 'development';
  };
  /** Connections to the registry's schema. */
  readonly registry: Statements;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface OpenedVault {
  readonly vault: Vault;
  /** Ends the polling. */
  stop(): void;
}

/** A process knows a new active key within this time. */
export const KEK_POLL_MS = 5_000;

/** Throws KeyFileFault if the file does not match the registry. The first start adds the key. */
export async function openVault(options: OpenVaultOptions): Promise<OpenedVault> {
  const { clock, config, log, registry } = options;
  const source = { ...config, isDevelopment: config.mode === 'development' };
  const keys = readKeyFile(source);
  const firstId = Math.min(...keys.keys());
  const keks = await readOrRecordFirst(registry, {
    id: firstId,
    fingerprint: fingerprintOf(keys.get(firstId)!),
  });
  const activeId = keks.find(({ state }) => state === 'active')!.id;
  if (!keys.has(activeId)) {
    throw new KeyFileFault(`the key file has no key ${activeId}, which the registry seals with`);
  }
  const vault = new Vault(keys, { activeId, reload: () => readKeyFile(source) });
  for (const kek of keks) checkFingerprint(vault, kek);

  let isStopped = false;
  let timer: Timer | undefined;
  plan();
  return {
    vault,
    stop() {
      isStopped = true;
      timer?.cancel();
    },
  };

  function plan(): void {
    if (!isStopped) timer = clock.after(KEK_POLL_MS, () => void poll().finally(plan));
  }

  async function poll(): Promise<void> {
    try {
      follow(vault, await readKeks(registry), log);
    } catch (err) {
      log.warn({ err }, 'key-encryption key read failed');
    }
  }
}

/** By number. */
export async function readKeks(statements: Statements): Promise<Kek[]> {
  const { rows } = await statements.query(
    'select kek_id, fingerprint, state, state_since from key_encryption_keys order by kek_id',
  );
  return rows.map(({ fingerprint, kek_id, state, state_since }) => ({
    id: idOf(kek_id),
    fingerprint,
    state,
    stateSince: state_since,
  }));
}

/** A key that the file lacks, or has wrongly, never seals: the process stays with its old key. */
function follow(vault: Vault, keks: readonly Kek[], log: Logger): void {
  for (const kek of keks.filter(({ state }) => state !== 'retired')) {
    try {
      checkFingerprint(vault, kek);
      if (vault.fingerprint(kek.id) === undefined) {
        log.error({ key: kek.id }, 'key file incomplete');
      } else if (kek.state === 'active' && kek.id !== vault.activeId) {
        vault.activate(kek.id);
        log.info({ key: kek.id }, 'key-encryption key activated');
      }
    } catch (err) {
      log.error({ err, key: kek.id }, 'key file rejected');
    }
  }
}

function checkFingerprint(vault: Vault, { fingerprint, id }: Kek): void {
  const found = vault.fingerprint(id);
  if (found === undefined || found === fingerprint) return;
  throw new KeyFileFault(
    `key ${id} of the key file is another key than that of the registry ` +
      `(fingerprint ${found}, expected ${fingerprint})`,
  );
}

// Several processes can start at the same time: the first one wins, and the others compare.
async function readOrRecordFirst(
  registry: Statements,
  { fingerprint, id }: Pick<Kek, 'id' | 'fingerprint'>,
): Promise<readonly Kek[]> {
  const found = await readKeks(registry);
  if (found.length > 0) return found;
  await registry.query(
    `insert into key_encryption_keys (kek_id, fingerprint, state) values ($1, $2, 'active')
     on conflict do nothing`,
    [id, fingerprint],
  );
  return readKeks(registry);
}
