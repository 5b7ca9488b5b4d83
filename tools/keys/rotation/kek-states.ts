// States of key-encryption keys: added ──▶ active ──▶ retiring ──▶ retired. A key is added long
// enough before it seals for every process to load it, and retires only when no value needs it.

import { hasTokensOf, renewTokens } from '../../../features/accounts/index.ts';
import { type Connection, inTransaction, type Statements } from '../../../infra/postgres/index.ts';
import { KEK_POLL_MS, type Kek, readKeks, type Vault } from '../../../platform/vault/index.ts';
import { countSealed, type OnPage, type RewrapResult, rewrapAll } from './rewrap.ts';

export type RotationRefusal =
  | 'key_unknown'
  | 'key_not_in_file'
  | 'key_not_added'
  | 'key_added_just_now'
  | 'key_not_retiring'
  | 'key_replaced_just_now'
  | 'key_in_use';

/** By then every process has polled the table, even one that missed two polls. */
const SETTLED_MS = 3 * KEK_POLL_MS;

/** Records a key from the key file. Adding it again changes nothing. */
export async function addKek(
  statements: Statements,
  vault: Vault,
  id: number,
): Promise<'added' | RotationRefusal> {
  const fingerprint = vault.fingerprint(id);
  if (fingerprint === undefined) return 'key_not_in_file';
  await statements.query(
    `insert into key_encryption_keys (kek_id, fingerprint, state) values ($1, $2, 'added')
     on conflict do nothing`,
    [id, fingerprint],
  );
  return 'added';
}

/** Makes the key the one that seals; the previous one only opens. */
export function activateKek(
  connection: Connection,
  vault: Vault,
  { id, settledMs = SETTLED_MS }: { readonly id: number; readonly settledMs?: number },
): Promise<'activated' | RotationRefusal> {
  return inTransaction(connection, async () => {
    const kek = await lockKek(connection, id);
    if (kek === undefined) return 'key_unknown';
    if (kek.state === 'active') return 'activated';
    if (kek.state !== 'added') return 'key_not_added';
    if (vault.fingerprint(id) !== kek.fingerprint) return 'key_not_in_file';
    if (!(await isSettled(connection, kek, settledMs))) return 'key_added_just_now';
    await connection.query(
      `update key_encryption_keys set state = 'retiring', state_since = now()
       where state = 'active'`,
    );
    await moveTo(connection, id, 'active');
    return 'activated';
  });
}

/** Moves every value to the active key. Refused while a process might still seal with another. */
export async function rewrapToActiveKek(
  statements: Statements,
  vault: Vault,
  {
    onPage,
    settledMs = SETTLED_MS,
  }: { readonly onPage?: OnPage; readonly settledMs?: number } = {},
): Promise<RewrapResult | RotationRefusal> {
  for (const kek of await readKeks(statements)) {
    if (kek.state !== 'retiring') continue;
    if (!(await isSettled(statements, kek, settledMs))) return 'key_replaced_just_now';
  }
  const result = await rewrapAll(statements, vault, onPage);
  await renewTokens(statements, vault);
  return result;
}

/** Refused while a value is sealed with the key, or a process might still seal with it. */
export function retireKek(
  connection: Connection,
  { id, settledMs = SETTLED_MS }: { readonly id: number; readonly settledMs?: number },
): Promise<'retired' | RotationRefusal> {
  return inTransaction(connection, async () => {
    const kek = await lockKek(connection, id);
    if (kek === undefined) return 'key_unknown';
    if (kek.state === 'retired') return 'retired';
    if (kek.state !== 'retiring') return 'key_not_retiring';
    if (!(await isSettled(connection, kek, settledMs))) return 'key_replaced_just_now';
    const counts = await countSealed(connection);
    if ((counts.get(id) ?? 0) > 0) return 'key_in_use';
    if (await hasTokensOf(connection, id)) return 'key_in_use';
    await moveTo(connection, id, 'retired');
    return 'retired';
  });
}

async function lockKek(connection: Connection, id: number): Promise<Kek | undefined> {
  // One rotation at a time; processes can still read the table.
  await connection.query('lock table key_encryption_keys in share row exclusive mode');
  return (await readKeks(connection)).find((kek) => kek.id === id);
}

// Uses the clock of the database, which wrote the time.
async function isSettled(statements: Statements, kek: Kek, settledMs: number): Promise<boolean> {
  const { rows } = await statements.query(
    `select clock_timestamp() - $1::timestamptz >= $2 * interval '1 ms' as settled`,
    [kek.stateSince, settledMs],
  );
  return rows[0].settled;
}

async function moveTo(connection: Connection, id: number, state: Kek['state']): Promise<void> {
  await connection.query(
    'update key_encryption_keys set state = $2, state_since = now() where kek_id = $1',
    [id, state],
  );
}
