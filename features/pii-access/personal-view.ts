// Decides whether an operator sees personal values unmasked or masked. Every response to an
// operator with personal values calls `viewOf`, so no other module depends on the control mode.

import type { Statements } from '../../infra/postgres/index.ts';
import { actsAlone, type Operator, readKeyGrant } from '../approvals/index.ts';
import { maskBank } from './masked-values.ts';
import { maskEmail, maskText } from './masks.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Writers for personal values outside the user record. */
export interface PersonalView {
  readonly isClear: boolean;
  email(email: string): string;
  text(value: string): string;
  bank(account: Fields): Record<string, unknown>;
}

export const CLEAR: PersonalView = {
  isClear: true,
  email: (email) => email,
  text: (value) => value,
  bank: (account) => ({ ...account }),
};

export const MASKED: PersonalView = {
  isClear: false,
  email: maskEmail,
  text: maskText,
  bank: maskBank,
};

/**
 * In `solo` administrators see unmasked values; other operators only with a key that has that
 * grant.
 */
export async function viewOf(
  statements: Statements,
  { credential, role }: Pick<Operator, 'credential' | 'role'>,
): Promise<PersonalView> {
  if (await actsAlone(statements, { role })) return CLEAR;
  const grant = await readKeyGrant(statements, credential);
  return grant?.mayReadPersonal === true ? CLEAR : MASKED;
}
