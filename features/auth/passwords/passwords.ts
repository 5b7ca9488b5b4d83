// Users' passwords as sealed argon2id tags. Without the key file, a copy of this table does not
// allow guessing passwords.

import type { UserId } from '../../../core/money/index.ts';
import { idOf, type Statements } from '../../../infra/postgres/index.ts';
import type { Vault } from '../../../platform/vault/index.ts';
import type { PasswordTag } from './password-hasher.ts';

/** Returns undefined if the user has none, such as an unverified account or one without a login. */
export async function readPassword(
  statements: Statements,
  vault: Vault,
  user: UserId,
): Promise<PasswordTag | undefined> {
  const { rows } = await statements.query(
    'select salt, memory, passes, lanes, kek_id, sealed_tag from passwords where user_id = $1',
    [user],
  );
  if (rows.length === 0) return undefined;
  const [row] = rows;
  const parameters = {
    salt: row.salt as Buffer,
    memory: Number(row.memory),
    passes: Number(row.passes),
    lanes: Number(row.lanes),
  };
  const sealed = { kekId: idOf<number>(row.kek_id), sealed: row.sealed_tag as Buffer };
  return { ...parameters, tag: vault.open(passwordBound(user, parameters), sealed) };
}

/** Counts wrong old passwords sent by a session. */
export function oldPasswordCounter(user: UserId) {
  return { scope: 'factor', subject: `password ${user}` } as const;
}

/**
 * Replaces the user's password. The caller ends everything that depends on it with
 * `applySecurityChange`.
 */
export async function installPassword(
  statements: Statements,
  vault: Vault,
  user: UserId,
  password: PasswordTag,
): Promise<void> {
  const { lanes, memory, passes, salt, tag } = password;
  const { kekId, sealed } = vault.seal(passwordBound(user, password), tag);
  await statements.query(
    `insert into passwords (user_id, salt, memory, passes, lanes, kek_id, sealed_tag)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (user_id) do update set salt = excluded.salt, memory = excluded.memory,
       passes = excluded.passes, lanes = excluded.lanes, kek_id = excluded.kek_id,
       sealed_tag = excluded.sealed_tag, changed_at = now()`,
    [user, salt, memory, passes, lanes, kekId, sealed],
  );
}

/** Returns the text that a sealed tag is bound to: its user and parameters. */
export function passwordBound(
  user: UserId,
  { lanes, memory, passes, salt }: Omit<PasswordTag, 'tag'>,
): string {
  const saltText = Buffer.from(salt).toString('hex');
  return `password ${user} ${memory} ${passes} ${lanes} ${saltText}`;
}
