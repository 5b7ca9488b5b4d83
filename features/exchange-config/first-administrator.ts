// First administrator. While the exchange has none, a server prints a one-time token when it
// starts, and a sign-up with that token creates one. There is no default password.

import { createHash, randomBytes } from 'node:crypto';
import type { UserId } from '../../core/money/index.ts';
import { type Connection, inTransaction, type Statements } from '../../infra/postgres/index.ts';
import type { Vault } from '../../platform/vault/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { createUser } from '../accounts/index.ts';
import { appendAudit } from '../audit/index.ts';
import { installPassword, type PasswordTag } from '../auth/index.ts';

export interface FirstAdministrator {
  readonly email: string;
  readonly password: PasswordTag;
  readonly token: string;
  /** Client address, for the audit log. */
  readonly address: string;
  readonly nowMs: number;
}

const TOKEN_BYTES = 32;
/** Each server prints one; older ones stop working. */
const TOKENS_MAX = 16;

/** Returns a new token, or undefined if the exchange has an administrator. */
export async function issueSetupToken(connection: Connection): Promise<string | undefined> {
  return inTransaction(connection, async () => {
    await lockSetup(connection);
    const { rows } = await connection.query(`select from users where role = 'admin' limit 1`);
    if (rows.length > 0) return undefined;
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    await addSetupToken(connection, token);
    await connection.query(
      `delete from setup_tokens where token_hash not in (
         select token_hash from setup_tokens order by created_at desc, token_hash limit $1)`,
      [TOKENS_MAX],
    );
    return token;
  });
}

/** Creates the administrator, or rejects. A database trigger then deletes all tokens. */
export async function createFirstAdministrator(
  connection: Connection,
  vault: Vault,
  { address, email, nowMs, password, token }: FirstAdministrator,
): Promise<UserId | Refused<'setup_token_invalid' | 'email_invalid' | 'setup_email_taken'>> {
  return inTransaction(connection, async () => {
    await lockSetup(connection);
    if (!(await isSetupToken(connection, token))) return new Refused('setup_token_invalid');
    const made = await createUser(connection, { email, role: 'admin' });
    if (made === 'email_not_valid') return new Refused('email_invalid');
    if (typeof made === 'string') return new Refused('setup_email_taken');
    await installPassword(connection, vault, made.id, password);
    await appendAudit(connection, vault, {
      actor: { user: made.id, credential: 'set-up token', address },
      act: 'setup.first_administrator',
      object: `user ${made.id}`,
      subject: made.id,
      after: { role: 'admin' },
      personal: { email: made.email },
      nowMs,
    });
    return made.id;
  });
}

/** Rejects strangers before a password is hashed; the sign-up checks it again. */
export async function isSetupToken(statements: Statements, token: string): Promise<boolean> {
  const { rows } = await statements.query('select from setup_tokens where token_hash = $1', [
    hashOf(token),
  ]);
  return rows.length > 0;
}

/** Also used by tests that sign up where administrators exist. */
export async function addSetupToken(connection: Pick<Connection, 'query'>, token: string) {
  await connection.query('insert into setup_tokens (token_hash) values ($1)', [hashOf(token)]);
}

async function lockSetup(connection: Connection): Promise<void> {
  await connection.query('select from exchange_control for update');
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
