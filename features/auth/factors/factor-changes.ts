// Adds and removes second factors. The first factor needs a session that proved a password within
// five minutes; every later change needs an existing factor. Each change ends the other sessions
// and sends an email; all but the first block withdrawals for a day. Run each in a transaction,
// which also checks the session, and commit rejections too, because they count wrong codes.

import type { Statements } from '../../../infra/postgres/index.ts';
import type { Vault } from '../../../platform/vault/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { enqueueMail, type FactorName } from '../../messages/index.ts';
import {
  factorProof,
  type HolderRefusal,
  lockHolder,
  type PersonContext,
} from '../person-context.ts';
import { applySecurityChange, CREDENTIAL_HOLD_MS } from '../security-changes.ts';
import { addPasskey, type PasskeyAnswer, type PasskeyRow, revokePasskey } from './passkeys.ts';
import { deleteRecoveryCodes, replaceRecoveryCodes } from './recovery-codes.ts';
import {
  type FactorRefusal,
  factorsOf,
  isStrongSession,
  refuseFactor,
  type SessionOfUser,
} from './second-factor.ts';
import { activateTotp, removeTotp, requestTotp, type TotpRefusal } from './totp.ts';

export type FactorChangeRefusal =
  | HolderRefusal
  | TotpRefusal
  | Exclude<FactorRefusal, 'otp_not_enabled'>
  | 'last_password_too_old'
  | 'passkey_not_accepted'
  | 'passkey_not_found'
  | 'passkeys_too_many';

export interface FactorAdded {
  /** Shown once; absent if the user already has a set. */
  readonly recoveryCodes?: readonly string[];
}

/** `otpCode` proves the existing factor; '' without one. */
export interface ProvenBy {
  readonly otpCode: string;
}

/** Creates a secret for an app. It authenticates nothing until its first code is sent. */
export async function requestOtp(
  statements: Statements,
  vault: Vault,
  person: PersonContext,
): Promise<{ readonly secret: string } | Refused<FactorChangeRefusal>> {
  const ended = await refuseEnded(statements, person);
  if (ended !== undefined) return ended;
  const factors = await factorsOf(statements, person.user);
  if (factors.otp) return new Refused('otp_already_enabled');
  if (factors.passkeys === 0 && !(await isStrongSession(statements, sessionOf(person)))) {
    return new Refused('last_password_too_old');
  }
  return requestTotp(statements, vault, person);
}

export async function enableOtp(
  statements: Statements,
  vault: Vault,
  { code, otpCode, ...person }: PersonContext & ProvenBy & { readonly code: string },
): Promise<FactorAdded | Refused<FactorChangeRefusal>> {
  const { nowMs, user } = person;
  const isFirst = await mayAdd(statements, vault, { ...person, otpCode });
  if (isFirst instanceof Refused) return isFirst;
  const activated = await activateTotp(statements, vault, { user, code, nowMs });
  if (activated instanceof Refused) return activated;
  return added(statements, vault, person, { factor: 'otp', isFirst });
}

/** `code` is a one-time password or a recovery code. */
export async function disableOtp(
  statements: Statements,
  vault: Vault,
  { code, ...person }: PersonContext & { readonly code: string },
): Promise<'removed' | Refused<FactorChangeRefusal>> {
  const ended = await refuseEnded(statements, person);
  if (ended !== undefined) return ended;
  const { otp } = await factorsOf(statements, person.user);
  if (!otp) return new Refused('otp_not_requested');
  const refusal = await refuseUnproven(statements, vault, { ...person, otpCode: code });
  if (refusal !== undefined) return refusal;
  await removeTotp(statements, person.user);
  await removed(statements, vault, person, 'otp');
  return 'removed';
}

export async function enablePasskey(
  statements: Statements,
  vault: Vault,
  {
    name,
    otpCode,
    answer,
    ...person
  }: PersonContext & ProvenBy & { readonly name: string; readonly answer: PasskeyAnswer },
): Promise<(FactorAdded & { readonly passkey: PasskeyRow }) | Refused<FactorChangeRefusal>> {
  const isFirst = await mayAdd(statements, vault, { ...person, otpCode });
  if (isFirst instanceof Refused) return isFirst;
  const passkey = await addPasskey(statements, { ...answer, user: person.user, name });
  if (passkey instanceof Refused) return passkey;
  const { recoveryCodes } = await added(statements, vault, person, { factor: 'passkey', isFirst });
  return recoveryCodes === undefined ? { passkey } : { passkey, recoveryCodes };
}

export async function disablePasskey(
  statements: Statements,
  vault: Vault,
  { id, otpCode, ...person }: PersonContext & ProvenBy & { readonly id: number },
): Promise<'removed' | Refused<FactorChangeRefusal>> {
  const refusal = await refuseUnproven(statements, vault, { ...person, otpCode });
  if (refusal !== undefined) return refusal;
  if (!(await revokePasskey(statements, { id, user: person.user }))) {
    return new Refused('passkey_not_found');
  }
  await removed(statements, vault, person, 'passkey');
  return 'removed';
}

/** Creates a new set and invalidates the old one. */
export async function renewRecoveryCodes(
  statements: Statements,
  vault: Vault,
  { otpCode, ...person }: PersonContext & ProvenBy,
): Promise<readonly string[] | Refused<FactorChangeRefusal>> {
  const refusal = await refuseUnproven(statements, vault, { ...person, otpCode });
  if (refusal !== undefined) return refusal;
  const codes = await replaceRecoveryCodes(statements, person.user);
  await sendMail(statements, vault, person, { kind: 'factor_added', factor: 'recovery_codes' });
  return codes;
}

/** Returns whether it is the first factor, or why the user cannot add one. */
async function mayAdd(
  statements: Statements,
  vault: Vault,
  person: PersonContext & ProvenBy,
): Promise<boolean | Refused<FactorChangeRefusal>> {
  const refusal = await refuseProof(statements, vault, person);
  if (refusal === undefined) return false;
  if (refusal.key !== 'otp_not_enabled') return new Refused(refusal.key);
  const isStrong = await isStrongSession(statements, sessionOf(person));
  return isStrong ? true : new Refused('last_password_too_old');
}

async function refuseUnproven(
  statements: Statements,
  vault: Vault,
  person: PersonContext & ProvenBy,
): Promise<Refused<FactorChangeRefusal> | undefined> {
  const refusal = await refuseProof(statements, vault, person);
  if (refusal === undefined) return undefined;
  return new Refused(refusal.key === 'otp_not_enabled' ? 'otp_not_requested' : refusal.key);
}

async function refuseProof(
  statements: Statements,
  vault: Vault,
  person: PersonContext & ProvenBy,
): Promise<Refused<FactorChangeRefusal | FactorRefusal> | undefined> {
  const ended = await refuseEnded(statements, person);
  if (ended !== undefined) return ended;
  const refusal = await refuseFactor(statements, vault, factorProof(person, person.otpCode));
  // Without a code the user is expected to prove a passkey, so it is missing or too old, not wrong.
  const isPasskeyOld = refusal?.key === 'factor_wrong' && person.otpCode === '';
  return isPasskeyOld ? new Refused('last_password_too_old') : refusal;
}

/** A session that ended during the request must not change anything. */
async function refuseEnded(
  statements: Statements,
  person: PersonContext,
): Promise<Refused<HolderRefusal> | undefined> {
  const holder = await lockHolder(statements, person);
  return holder instanceof Refused ? holder : undefined;
}

function sessionOf({ flow, nowMs, user }: PersonContext): SessionOfUser {
  return { user, session: flow.session, nowMs };
}

async function added(
  statements: Statements,
  vault: Vault,
  person: PersonContext,
  { factor, isFirst }: { readonly factor: FactorName; readonly isFirst: boolean },
): Promise<FactorAdded> {
  const { flow, user } = person;
  const keepSession = flow.session;
  const holdMs = isFirst ? 0 : CREDENTIAL_HOLD_MS;
  await applySecurityChange(statements, { user, reason: 'factor_added', holdMs, keepSession });
  await sendMail(statements, vault, person, { kind: 'factor_added', factor });
  return isFirst ? { recoveryCodes: await replaceRecoveryCodes(statements, user) } : {};
}

async function removed(
  statements: Statements,
  vault: Vault,
  person: PersonContext,
  factor: FactorName,
): Promise<void> {
  const { flow, user } = person;
  const keepSession = flow.session;
  const left = await factorsOf(statements, user);
  if (!left.otp && left.passkeys === 0) await deleteRecoveryCodes(statements, user);
  const holdMs = CREDENTIAL_HOLD_MS;
  await applySecurityChange(statements, { user, reason: 'factor_removed', holdMs, keepSession });
  await sendMail(statements, vault, person, { kind: 'factor_removed', factor });
}

async function sendMail(
  statements: Statements,
  vault: Vault,
  { circumstances, user }: PersonContext,
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
