// Operator changes to a user's credentials, in the transaction of the action: remove all factors,
// or replace or verify the email address. The user did not prove them, so withdrawals are blocked
// longer than after a user's own change.

import type { UserId } from '../../core/money/index.ts';
import type { Connection, Statements } from '../../infra/postgres/index.ts';
import type { Vault } from '../../platform/vault/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { isEmailAddress, normalEmail } from '../accounts/index.ts';
import { type Circumstances, enqueueMail, type FactorName } from '../messages/index.ts';
import { writeEmail } from './change-email.ts';
import { freezeToken } from './circumstances.ts';
import { deleteRecoveryCodes } from './factors/recovery-codes.ts';
import { factorsOf } from './factors/second-factor.ts';
import { removeTotp } from './factors/totp.ts';
import { applySecurityChange } from './security-changes.ts';
import { activateUser } from './sign-up/sign-up.ts';

export interface OperatorChange {
  readonly user: UserId;
  readonly email: string;
  readonly language: string;
  readonly nowMs: number;
}

const OPERATOR_HOLD_MS = 72 * 3_600_000;
/** The owner of the old address might read the email late. */
const EMAIL_FREEZE_MS = 7 * 86_400_000;

/** Returns false if the user has no factor. */
export async function resetFactors(
  statements: Statements,
  vault: Vault,
  change: OperatorChange,
): Promise<boolean> {
  const { email: to, language, user } = change;
  const { otp, passkeys } = await factorsOf(statements, user);
  if (!otp && passkeys === 0) return false;
  await removeTotp(statements, user);
  await statements.query(
    'update passkeys set revoked_at = now() where user_id = $1 and revoked_at is null',
    [user],
  );
  await deleteRecoveryCodes(statements, user);
  await endAccess(statements, user, 'factor_reset_by_operator');
  const factor: FactorName = otp ? 'otp' : 'passkey';
  const values = { ...operatorCircumstances(vault, change), factor };
  await enqueueMail(statements, vault, { user, to, language, kind: 'factor_removed', values });
  return true;
}

/** `email` is the current address, which gets the email about the change. */
export async function replaceEmail(
  connection: Connection,
  vault: Vault,
  change: OperatorChange,
  wanted: string,
): Promise<Refused<'email_invalid' | 'email_unchanged' | 'email_taken'> | undefined> {
  const { email: to, language, nowMs, user } = change;
  const email = normalEmail(wanted);
  if (!isEmailAddress(email)) return new Refused('email_invalid');
  if (email === to) return new Refused('email_unchanged');
  if (!(await writeEmail(connection, user, email))) return new Refused('email_taken');
  await endAccess(connection, user, 'email_changed_by_operator');
  const token = freezeToken(vault, user, nowMs, EMAIL_FREEZE_MS);
  const values = { ...operatorCircumstances(vault, change), freezeToken: token };
  await enqueueMail(connection, vault, { user, to, language, kind: 'email_changed', values });
  return undefined;
}

/**
 * unverified ──▶ active without a code. Installs no password, because a stranger might have signed
 * up. The owner of the address sets one with a reset.
 */
export async function vouchForEmail(
  statements: Statements,
  vault: Vault,
  change: OperatorChange,
): Promise<void> {
  const { email: to, language, user } = change;
  await activateUser(statements, vault, { user, password: undefined });
  const values = operatorCircumstances(vault, change);
  await enqueueMail(statements, vault, { user, to, language, kind: 'welcome', values });
}

/** Hides the operator's location and device from users. */
export function operatorCircumstances(
  vault: Vault,
  { nowMs, user }: Pick<OperatorChange, 'user' | 'nowMs'>,
): Circumstances {
  return {
    time: new Date(nowMs).toISOString(),
    ip: '',
    country: '',
    device: '',
    freezeToken: freezeToken(vault, user, nowMs),
  };
}

async function endAccess(statements: Statements, user: UserId, reason: string): Promise<void> {
  await applySecurityChange(statements, {
    user,
    reason,
    holdMs: OPERATOR_HOLD_MS,
    endsDevices: true,
    suspendsKeys: true,
  });
}
