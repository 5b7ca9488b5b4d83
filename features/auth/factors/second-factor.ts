// Second factor: proves that a user has more than the password. Every action that needs one calls
// proveFactor in its own transaction, so a code is accepted once across all actions and gateways.
// Wrong codes are counted per user, and too many of them block the factor for a while.

import type { UserId } from '../../../core/money/index.ts';
import { idOf, type Statements } from '../../../infra/postgres/index.ts';
import type { Vault } from '../../../platform/vault/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { type Circumstances, enqueueMail } from '../../messages/index.ts';
import { Throttles } from '../throttles.ts';
import { isRecoveryCode, useRecoveryCode } from './recovery-codes.ts';
import { type SentCode, useTotp } from './totp.ts';

export interface Factors {
  readonly otp: boolean;
  readonly passkeys: number;
  readonly recoveryCodes: number;
}

export interface SessionOfUser {
  readonly user: UserId;
  readonly session: number;
  readonly nowMs: number;
}

export interface FactorProof extends SentCode {
  /**
   * Session of the action; 0 or undefined during a login. Users whose only factor is a passkey
   * prove it to the session, at most five minutes before the action.
   */
  readonly session?: number;
  /**
   * The action uses up a passkey's proof, so it is not valid for another action. Codes are always
   * valid for one action.
   */
  readonly isUsedUp?: boolean;
  /** For the email that a used recovery code causes. */
  readonly circumstances?: Circumstances;
}

/** none: the user has neither a one-time password nor a passkey. */
export type FactorResult = 'proven' | 'wrong' | 'blocked' | 'none';

/** otp_not_enabled: the user has no factor. */
export type FactorRefusal = 'otp_not_enabled' | 'factor_wrong' | 'factor_blocked';

const REFUSALS = {
  proven: undefined,
  wrong: 'factor_wrong',
  blocked: 'factor_blocked',
  none: 'otp_not_enabled',
} as const satisfies Record<FactorResult, FactorRefusal | undefined>;

/** How long a password or factor proven in a session is valid. */
export const STRONG_MS = 300_000;

const RECOVERY_HOLD_MS = 86_400_000;

/**
 * Accepts a one-time password, a recovery code or, for users with only passkeys, a passkey that the
 * session has just proven. Commit the transaction even if the result is `wrong`, because the
 * failure must count.
 */
export async function proveFactor(
  statements: Statements,
  vault: Vault,
  proof: FactorProof,
): Promise<FactorResult> {
  const { code, nowMs, user } = proof;
  // Serializes attempts of one user, so concurrent ones do not count as one. Changes of credentials
  // lock the same row first.
  await statements.query('select from users where id = $1 for no key update', [user]);
  const { otp, passkeys } = await factorsOf(statements, user);
  if (!otp && passkeys === 0) return 'none';

  const counter = { scope: 'factor', subject: `${user}`, nowMs } as const;
  // A recovery code cannot be guessed, so it is accepted even while the factor is blocked.
  if (isRecoveryCode(code) && (await useRecoveryCode(statements, proof))) {
    await applyRecovery(statements, vault, proof);
    await Throttles.clear(statements, vault, counter);
    return 'proven';
  }
  // A password alone never opens a session for users with passkeys, so a strong session has used
  // one. There is nothing to guess and so nothing to count.
  if (!otp) {
    const { session = 0 } = proof;
    const isStrong = await isStrongSession(statements, { user, session, nowMs });
    if (isStrong && proof.isUsedUp) await weakenSession(statements, session);
    return isStrong ? 'proven' : 'wrong';
  }
  if (!(await Throttles.check(statements, vault, counter))) return 'blocked';
  if (await useTotp(statements, vault, proof)) {
    await Throttles.succeed(statements, vault, counter);
    return 'proven';
  }
  // A client that sent no code has not guessed.
  if (code !== '') await Throttles.fail(statements, vault, counter);
  return 'wrong';
}

/** Like proveFactor, for actions that need a factor. */
export async function refuseFactor(
  statements: Statements,
  vault: Vault,
  proof: FactorProof,
): Promise<Refused<FactorRefusal> | undefined> {
  const key = REFUSALS[await proveFactor(statements, vault, proof)];
  return key === undefined ? undefined : new Refused(key);
}

/** Same for actions also open to users without a factor, who have nothing to prove. */
export async function refuseFactorIfAny(
  statements: Statements,
  vault: Vault,
  proof: FactorProof,
): Promise<Refused<Exclude<FactorRefusal, 'otp_not_enabled'>> | undefined> {
  const key = REFUSALS[await proveFactor(statements, vault, proof)];
  return key === undefined || key === 'otp_not_enabled' ? undefined : new Refused(key);
}

export async function factorsOf(statements: Statements, user: UserId): Promise<Factors> {
  const { rows } = await statements.query(
    `select
       exists (select from totp_secrets where user_id = $1 and state = 'active') as otp,
       (select count(*) from passkeys where user_id = $1 and revoked_at is null) as passkeys,
       (select count(*) from recovery_codes where user_id = $1 and used_at is null) as codes`,
    [user],
  );
  const [{ codes, otp, passkeys }] = rows;
  return { otp, passkeys: Number(passkeys), recoveryCodes: Number(codes) };
}

/** Whether the login session proved a password or factor within the last five minutes. */
export async function isStrongSession(
  statements: Statements,
  { nowMs, session, user }: SessionOfUser,
): Promise<boolean> {
  const { rows } = await statements.query(
    `select from sessions where id = $1 and user_id = $2 and kind = 'login'
       and revoked_at is null and strong_at > to_timestamp($3 / 1000.0)`,
    [session, user, nowMs - STRONG_MS],
  );
  return rows.length === 1;
}

/** Records in the session that its user has just proven a factor. */
export async function strengthenSession(
  statements: Statements,
  { nowMs, session, user }: SessionOfUser,
): Promise<void> {
  await statements.query(
    `update sessions set strong_at = to_timestamp($3 / 1000.0)
     where id = $1 and user_id = $2 and revoked_at is null`,
    [session, user, nowMs],
  );
}

async function weakenSession(statements: Statements, session: number): Promise<void> {
  await statements.query('update sessions set strong_at = null where id = $1', [session]);
}

// The sender might have found the code, so withdrawals are blocked for a day.
async function applyRecovery(
  statements: Statements,
  vault: Vault,
  { circumstances, nowMs, user }: FactorProof,
): Promise<void> {
  const { rows } = await statements.query(
    `update users set block_reason = 'recovery_code', withdrawal_blocked_until =
       greatest(to_timestamp($2 / 1000.0), withdrawal_blocked_until)
     where id = $1 returning id, email, coalesce(settings ->> 'language', 'en') as language`,
    [user, nowMs + RECOVERY_HOLD_MS],
  );
  const [{ email, id, language }] = rows;
  const unknown = { ip: '', country: '', device: '', freezeToken: '' };
  await enqueueMail(statements, vault, {
    user: idOf(id),
    to: email,
    language,
    kind: 'recovery_code_used',
    values: circumstances ?? { time: new Date(nowMs).toISOString(), ...unknown },
  });
}
