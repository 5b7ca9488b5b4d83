// Adding and removing second factors. The first factor needs a session that has proven a password
// within five minutes; every later change needs an existing factor. Each change ends the other
// sessions and sends a mail; all but the first hold withdrawals for a day. Run each one in a
// transaction and commit refusals too: they count wrong codes. The session is checked in it.

import type { UserId } from '../../core/money/index.ts';
import type { Statements } from '../../infra/postgres/index.ts';
import { type Circumstances, enqueueMail, type FactorName } from '../mail/index.ts';
import type { Vault } from '../vault/index.ts';
import { type HolderRefusal, lockHolder } from './account-acts.ts';
import { addPasskey, type PasskeyAnswer, type PasskeyRow, revokePasskey } from './passkeys.ts';
import { deleteRecoveryCodes, replaceRecoveryCodes } from './recovery-codes.ts';
import { factorsOf, isStrongSession, proveFactor } from './second-factor.ts';
import { applySecurityChange, CREDENTIAL_HOLD_MS } from './security-changes.ts';
import { activateTotp, removeTotp, requestTotp, type TotpRefusal } from './totp.ts';

/** The person who changes their factors, in their login session. */
export interface FactorActor {
  readonly user: UserId;
  readonly session: number;
  readonly nowMs: number;
  readonly circumstances: Circumstances;
}

export type FactorRefusal =
  | HolderRefusal
  | TotpRefusal
  | 'factor_blocked'
  | 'last_password_too_old'
  | 'passkey_not_accepted'
  | 'passkey_not_found'
  | 'passkeys_too_many';

export interface FactorAdded {
  /** To show once; absent if the user has a set already. */
  readonly recoveryCodes?: readonly string[];
}

/** `otpCode` is '' without one; it proves the existing factor. */
export interface ProvenBy {
  readonly otpCode: string;
}

/** A secret for an app that authenticates nobody before its first code is sent. */
export async function requestOtp(
  statements: Statements,
  vault: Vault,
  actor: FactorActor,
): Promise<{ readonly secret: string } | FactorRefusal> {
  const ended = await refuseEnded(statements, actor);
  if (ended !== undefined) return ended;
  const factors = await factorsOf(statements, actor.user);
  if (factors.otp) return 'otp_already_enabled';
  if (factors.passkeys === 0 && !(await isStrongSession(statements, actor))) {
    return 'last_password_too_old';
  }
  return requestTotp(statements, vault, actor);
}

export async function enableOtp(
  statements: Statements,
  vault: Vault,
  { code, otpCode, ...actor }: FactorActor & ProvenBy & { readonly code: string },
): Promise<FactorAdded | FactorRefusal> {
  const { nowMs, user } = actor;
  const isFirst = await mayAdd(statements, vault, { ...actor, otpCode });
  if (typeof isFirst === 'string') return isFirst;
  const activated = await activateTotp(statements, vault, { user, code, nowMs });
  if (activated !== 'activated') return activated;
  return added(statements, vault, actor, { factor: 'otp', isFirst });
}

/** `code` is a one-time password or a recovery code. */
export async function disableOtp(
  statements: Statements,
  vault: Vault,
  { code, ...actor }: FactorActor & { readonly code: string },
): Promise<'removed' | FactorRefusal> {
  const ended = await refuseEnded(statements, actor);
  if (ended !== undefined) return ended;
  const { otp } = await factorsOf(statements, actor.user);
  if (!otp) return 'otp_not_requested';
  const refusal = await refuseUnproven(statements, vault, { ...actor, otpCode: code });
  if (refusal !== undefined) return refusal;
  await removeTotp(statements, actor.user);
  await removed(statements, vault, actor, 'otp');
  return 'removed';
}

export async function enablePasskey(
  statements: Statements,
  vault: Vault,
  {
    name,
    otpCode,
    answer,
    ...actor
  }: FactorActor & ProvenBy & { readonly name: string; readonly answer: PasskeyAnswer },
): Promise<(FactorAdded & { readonly passkey: PasskeyRow }) | FactorRefusal> {
  const isFirst = await mayAdd(statements, vault, { ...actor, otpCode });
  if (typeof isFirst === 'string') return isFirst;
  const passkey = await addPasskey(statements, { ...answer, user: actor.user, name });
  if (typeof passkey === 'string') return passkey;
  const { recoveryCodes } = await added(statements, vault, actor, { factor: 'passkey', isFirst });
  return recoveryCodes === undefined ? { passkey } : { passkey, recoveryCodes };
}

export async function disablePasskey(
  statements: Statements,
  vault: Vault,
  { id, otpCode, ...actor }: FactorActor & ProvenBy & { readonly id: number },
): Promise<'removed' | FactorRefusal> {
  const refusal = await refuseUnproven(statements, vault, { ...actor, otpCode });
  if (refusal !== undefined) return refusal;
  if (!(await revokePasskey(statements, { id, user: actor.user }))) return 'passkey_not_found';
  await removed(statements, vault, actor, 'passkey');
  return 'removed';
}

/** A new set; the old one is dead. */
export async function renewRecoveryCodes(
  statements: Statements,
  vault: Vault,
  { otpCode, ...actor }: FactorActor & ProvenBy,
): Promise<readonly string[] | FactorRefusal> {
  const refusal = await refuseUnproven(statements, vault, { ...actor, otpCode });
  if (refusal !== undefined) return refusal;
  const codes = await replaceRecoveryCodes(statements, actor.user);
  await sendMail(statements, vault, actor, { kind: 'factor_added', factor: 'recovery_codes' });
  return codes;
}

/** Whether it is the first factor; or why the actor may not add one. */
async function mayAdd(
  statements: Statements,
  vault: Vault,
  actor: FactorActor & ProvenBy,
): Promise<boolean | FactorRefusal> {
  const ended = await refuseEnded(statements, actor);
  if (ended !== undefined) return ended;
  const result = await proveFactor(statements, vault, { ...actor, code: actor.otpCode });
  if (result !== 'none') return refusalOf(result, actor) ?? false;
  return (await isStrongSession(statements, actor)) ? true : 'last_password_too_old';
}

async function refuseUnproven(
  statements: Statements,
  vault: Vault,
  actor: FactorActor & ProvenBy,
): Promise<FactorRefusal | undefined> {
  const ended = await refuseEnded(statements, actor);
  if (ended !== undefined) return ended;
  const result = await proveFactor(statements, vault, { ...actor, code: actor.otpCode });
  return result === 'none' ? 'otp_not_requested' : refusalOf(result, actor);
}

/** A session that ended while the request was on its way changes nothing. */
async function refuseEnded(
  statements: Statements,
  { session, user }: FactorActor,
): Promise<HolderRefusal | undefined> {
  const holder = await lockHolder(statements, { user, flow: { session } });
  return typeof holder === 'string' ? holder : undefined;
}

// Without a code the user is expected to prove a passkey: it is missing or too old, not wrong.
function refusalOf(
  result: 'proven' | 'wrong' | 'blocked',
  { otpCode }: ProvenBy,
): FactorRefusal | undefined {
  if (result === 'proven') return undefined;
  if (result === 'blocked') return 'factor_blocked';
  return otpCode === '' ? 'last_password_too_old' : 'factor_wrong';
}

async function added(
  statements: Statements,
  vault: Vault,
  actor: FactorActor,
  { factor, isFirst }: { readonly factor: FactorName; readonly isFirst: boolean },
): Promise<FactorAdded> {
  const { session: keepSession, user } = actor;
  const holdMs = isFirst ? 0 : CREDENTIAL_HOLD_MS;
  await applySecurityChange(statements, { user, reason: 'factor_added', holdMs, keepSession });
  await sendMail(statements, vault, actor, { kind: 'factor_added', factor });
  return isFirst ? { recoveryCodes: await replaceRecoveryCodes(statements, user) } : {};
}

async function removed(
  statements: Statements,
  vault: Vault,
  actor: FactorActor,
  factor: FactorName,
): Promise<void> {
  const { session: keepSession, user } = actor;
  const left = await factorsOf(statements, user);
  if (!left.otp && left.passkeys === 0) await deleteRecoveryCodes(statements, user);
  const holdMs = CREDENTIAL_HOLD_MS;
  await applySecurityChange(statements, { user, reason: 'factor_removed', holdMs, keepSession });
  await sendMail(statements, vault, actor, { kind: 'factor_removed', factor });
}

async function sendMail(
  statements: Statements,
  vault: Vault,
  { circumstances, user }: FactorActor,
  { factor, kind }: { readonly kind: 'factor_added' | 'factor_removed'; factor: FactorName },
): Promise<void> {
  const { rows } = await statements.query(
    `select email, coalesce(settings ->> 'language', 'en') as language from users where id = $1`,
    [user],
  );
  const [{ email, language }] = rows;
  const values = { ...circumstances, factor };
  await enqueueMail(statements, vault, { user, to: email, language, kind, values });
}
