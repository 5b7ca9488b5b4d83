// Invitations to sign up, for exchanges that are not open to the public. A code is accepted once;
// if the invited account is removed unverified, the code can be used again.

import { createHash, randomBytes } from 'node:crypto';
import type { UserId } from '../../../core/money/index.ts';
import type { Statements } from '../../../infra/postgres/index.ts';
import { normalEmail } from '../../accounts/index.ts';

export interface NewInvitation {
  /** The only address that can use it; any address if undefined. */
  readonly email?: string;
  readonly createdBy?: UserId;
  readonly lifeMs: number;
}

export interface Invited {
  readonly code: string;
  readonly email: string;
}

export const INVITATION_LIFE_MS = 7 * 86_400_000;
const CODE_BYTES = 15;

/** Returns the code, which is never stored. */
export async function createInvitation(
  statements: Statements,
  { createdBy, email, lifeMs }: NewInvitation,
): Promise<string> {
  const code = randomBytes(CODE_BYTES).toString('base64url');
  await statements.query(
    `insert into invitations (code_hash, email, created_by, expires_at)
     values ($1, $2, $3, now() + $4 * interval '1 ms')`,
    [hashOf(code), email === undefined ? null : normalEmail(email), createdBy ?? null, lifeMs],
  );
  return code;
}

/** Whether the address can use the invitation. Reveals nothing about accounts. */
export async function isInvited(
  statements: Statements,
  { code, email }: Invited,
): Promise<boolean> {
  const { rows } = await statements.query(
    `select from invitations where code_hash = $1 and ${IS_OPEN_FOR}
       and (used_by is null or used_by = (select id from users where lower(email) = $2))`,
    [hashOf(code), normalEmail(email)],
  );
  return rows.length === 1;
}

/**
 * Marks the invitation as used. Returns false if it is not open for this address, or already used
 * by another.
 */
export async function consumeInvitation(
  statements: Statements,
  { code, email, user }: Invited & { readonly user: UserId },
): Promise<boolean> {
  const { rowCount } = await statements.query(
    `update invitations set used_by = $3
     where code_hash = $1 and ${IS_OPEN_FOR} and (used_by is null or used_by = $3)`,
    [hashOf(code), normalEmail(email), user],
  );
  return rowCount === 1;
}

const IS_OPEN_FOR = 'expires_at > now() and (email is null or email = $2)';

function hashOf(code: string): Buffer {
  return createHash('sha256').update(code.trim()).digest();
}
