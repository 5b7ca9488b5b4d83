// Recovery codes for users who lost their second factor. Ten codes of 120 random bits, shown once
// and stored as hashes. Each code is accepted once; a new set deletes the old one.

import { createHash, randomBytes } from 'node:crypto';
import type { UserId } from '../../../core/money/index.ts';
import type { Statements } from '../../../infra/postgres/index.ts';

export const RECOVERY_CODES = 10;

const CODE_BYTES = 15;
/** 32 unambiguous characters, without I, O, 0 and 1. */
const CHARACTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const CODE = /^[A-HJ-NP-Z2-9]{24}$/;
const BITS_EACH = 5n;

/** Returns the codes to show, as six groups of four characters. */
export async function replaceRecoveryCodes(
  statements: Statements,
  user: UserId,
): Promise<readonly string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, drawCode);
  await statements.query('delete from recovery_codes where user_id = $1', [user]);
  await statements.query(
    'insert into recovery_codes (user_id, code_hash) select $1, unnest($2::bytea[])',
    [user, codes.map(hashOf)],
  );
  return codes;
}

/**
 * Returns false if it is wrong or used. Call it in the transaction of the action that it permits.
 */
export async function useRecoveryCode(
  statements: Statements,
  { code, user }: { readonly user: UserId; readonly code: string },
): Promise<boolean> {
  const { rowCount } = await statements.query(
    `update recovery_codes set used_at = now()
     where user_id = $1 and code_hash = $2 and used_at is null`,
    [user, hashOf(code)],
  );
  return rowCount === 1;
}

export async function deleteRecoveryCodes(statements: Statements, user: UserId): Promise<void> {
  await statements.query('delete from recovery_codes where user_id = $1', [user]);
}

/** Whether the text has the form of a recovery code, which differs from a one-time password. */
export function isRecoveryCode(text: string): boolean {
  return CODE.test(plain(text));
}

function drawCode(): string {
  let bits = BigInt(`0x${randomBytes(CODE_BYTES).toString('hex')}`);
  let code = '';
  for (let at = 0; at < 24; at++) {
    code += CHARACTERS[Number(bits & 31n)];
    bits >>= BITS_EACH;
  }
  return code.replace(/(?<=.)(?=(?:.{4})+$)/g, '-');
}

/** Users type codes in lower case, with spaces, or without the dashes. */
function plain(code: string): string {
  return code.toUpperCase().replace(/[\s-]/g, '');
}

function hashOf(code: string): Buffer {
  return createHash('sha256').update(plain(code)).digest();
}
