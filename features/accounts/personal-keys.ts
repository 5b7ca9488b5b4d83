// Each user's key, which seals their personal values in several tables. A user without such values
// has none. Destroying the key makes the values unreadable in every copy and backup, and nothing
// can be sealed again.

import type { UserId } from '../../core/money/index.ts';
import { idOf, type Statements } from '../../infra/postgres/index.ts';
import { openWith, sealWith, type Vault } from '../../platform/vault/index.ts';

export type PersonalRefusal = 'personal_data_erased';

/** Seals and opens one user's values, each bound to a text that names its row. */
export interface PersonalKey {
  seal(bound: string, value: unknown): Buffer;
  open(bound: string, sealed: Uint8Array): unknown;
}

/** Creates a key, unless the user has one or was erased. */
export async function createPersonalKey(
  statements: Statements,
  vault: Vault,
  user: UserId,
): Promise<void> {
  const { kekId, sealed } = vault.createDataKey(personalKeyBound(user));
  await statements.query(
    `insert into personal_keys (user_id, kek_id, sealed) values ($1, $2, $3)
     on conflict (user_id) do nothing`,
    [user, kekId, sealed],
  );
}

/**
 * For writing a user's values in a transaction: an erasure waits for its end, and an earlier
 * erasure is visible.
 */
export async function lockPersonalKey(
  statements: Statements,
  vault: Vault,
  user: UserId,
): Promise<PersonalKey | PersonalRefusal> {
  await createPersonalKey(statements, vault, user);
  const { rows } = await statements.query(
    `select kek_id, sealed from personal_keys where user_id = $1 and sealed is not null for share`,
    [user],
  );
  return rows.length === 0 ? 'personal_data_erased' : keyOf(vault, user, rows[0]);
}

/** For reading a user's values. Returns undefined if there is no key, so nothing can be read. */
export async function findPersonalKey(
  statements: Statements,
  vault: Vault,
  user: UserId,
): Promise<PersonalKey | undefined> {
  const { rows } = await statements.query(
    'select kek_id, sealed from personal_keys where user_id = $1 and sealed is not null',
    [user],
  );
  return rows.map((row) => keyOf(vault, user, row))[0];
}

/** Permanent. The values can no longer be read from any copy that lacks the key. */
export async function destroyPersonalKey(statements: Statements, user: UserId): Promise<void> {
  await statements.query(
    `insert into personal_keys (user_id, destroyed_at) values ($1, now())
     on conflict (user_id) do update set kek_id = null, sealed = null, destroyed_at = now()
     where personal_keys.destroyed_at is null`,
    [user],
  );
  await statements.query('delete from personal_data where user_id = $1', [user]);
}

/** Returns the text that a user's key is bound to. */
export function personalKeyBound(user: UserId): string {
  return `personal key ${user}`;
}

/** A row with kek_id and sealed. */
// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
export function keyOf(vault: Vault, user: UserId, row: any): PersonalKey {
  const sealedKey = { kekId: idOf<number>(row.kek_id), sealed: row.sealed };
  const key = vault.openDataKey(personalKeyBound(user), sealedKey);
  return {
    seal: (bound, value) => sealWith(key, bound, JSON.stringify(value)),
    open: (bound, sealed) => JSON.parse(openWith(key, bound, sealed).toString()),
  };
}
