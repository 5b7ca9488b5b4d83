// Sign-up: requested → unverified → active. Every request writes one code and one email and gets
// the same response, so it never reveals which addresses have an account. A password is stored in
// the code sent with it, and verifying the code installs that password. Passwords of strangers who
// used the address earlier are discarded.

import type { UserId } from '../../../core/money/index.ts';
import {
  type Connection,
  idOf,
  inTransaction,
  type Statements,
} from '../../../infra/postgres/index.ts';
import type { Vault } from '../../../platform/vault/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import {
  createUser,
  findUserByEmail,
  replaceSettings,
  type UserRow,
} from '../../accounts/index.ts';
import {
  type Circumstances,
  enqueueMail,
  hasMailBudget,
  recordSuppressedMail,
} from '../../messages/index.ts';
import {
  type CodeForm,
  codeBound,
  type Flow,
  issueCode,
  type PublicCodeRefusal,
  usePublicCode,
} from '../codes.ts';
import { type PasswordTag, passwordTagOf, passwordTagText } from '../passwords/password-hasher.ts';
import { installPassword } from '../passwords/passwords.ts';
import { Throttles, unlessRowDenied } from '../throttles.ts';
import { consumeInvitation, isInvited } from './invitations.ts';

/** Returns the details of the request for the email to this user. */
export type DescribeCircumstances = (user: UserId | undefined) => Circumstances;

export interface MailedCodeRequest {
  readonly email: string;
  readonly form: CodeForm;
  readonly flow: Flow;
  readonly circumstances: DescribeCircumstances;
}

/** Applies a referral code in the transaction that activates the account. Ignores a wrong code. */
export type ApplyReferral = (
  connection: Connection,
  asked: { readonly user: UserId; readonly code: string },
) => Promise<void>;

export interface SignUpRequest extends MailedCodeRequest {
  readonly password: PasswordTag;
  /** Language of emails until the new user chooses another one. */
  readonly language: string;
  /** Present if sign-up is by invitation. */
  readonly invitation?: string;
  /** Referral code. Stored with the password, and applied if that password is installed. */
  readonly referral?: string | undefined;
  /** Development only: the account is active without an email. */
  readonly isVerifiedAtOnce?: boolean;
  readonly applyReferral?: ApplyReferral;
}

export interface Verification {
  /** Absent if the client sent only the code. */
  readonly email?: string | undefined;
  readonly code: string;
  readonly flow: Flow;
  readonly nowMs: number;
  readonly circumstances: DescribeCircumstances;
  readonly applyReferral?: ApplyReferral;
}

export interface VerifiedEmail {
  readonly user: UserId;
  /** False if the owner must set a password with a reset. */
  readonly hasPassword: boolean;
}

export type SignUpRefusal = 'email_invalid' | 'invitation_invalid';
export type VerificationRefusal = PublicCodeRefusal | 'email_already_verified';

const PURPOSE = 'verify_email';

/** Returns undefined, except for a rejection that reveals nothing about accounts. */
export function signUp(
  connection: Connection,
  vault: Vault,
  request: SignUpRequest,
): Promise<Refused<SignUpRefusal> | undefined> {
  return unlessRowDenied(() => tryToSignUp(connection, vault, request), undefined);
}

async function tryToSignUp(
  connection: Connection,
  vault: Vault,
  request: SignUpRequest,
): Promise<Refused<SignUpRefusal> | undefined> {
  const { email, invitation: code } = request;
  if (code !== undefined && !(await isInvited(connection, { code, email }))) {
    return new Refused('invitation_invalid');
  }
  const user = await findOrCreate(connection, request);
  if (user === undefined) return new Refused('email_invalid');
  return inTransaction(connection, async () => {
    // A concurrent verification does no harm: a code of an active account changes nothing.
    const isUnverified = user.state === 'unverified';
    if (code !== undefined) {
      const isOpen = await consumeInvitation(connection, { code, email, user: user.id });
      if (!isOpen) return new Refused('invitation_invalid');
    }
    if (isUnverified && request.isVerifiedAtOnce === true) {
      await activateUser(connection, vault, { user: user.id, password: request.password });
      const { applyReferral, referral } = request;
      if (referral) await applyReferral?.(connection, { user: user.id, code: referral });
      return undefined;
    }
    await sendCode(connection, vault, { request, user, isUnverified });
    return undefined;
  });
}

/**
 * Sends a new code for the pending password. Only the flow that signed up can resend it; otherwise
 * the owner of an address could request the code for a stranger's password.
 */
export async function resendVerification(
  connection: Connection,
  vault: Vault,
  { circumstances, email, flow, form }: MailedCodeRequest,
): Promise<void> {
  await inTransaction(connection, async () => {
    const user = await findUserByEmail(connection, email);
    const payload = user && (await waitingPayload(connection, vault, user.id, flow));
    // A sign-up with an existing account's address has the same budget and writes the same rows.
    const kind = user?.state === 'unverified' ? 'verify_email' : 'already_registered';
    const mail = { to: user?.email ?? '', kind } as const;
    if (
      user === undefined ||
      payload === undefined ||
      !(await hasMailBudget(connection, vault, mail))
    ) {
      const unsent = { user: null, kind: PURPOSE, language: 'en' } as const;
      await recordSuppressedMail(connection, vault, unsent);
      return;
    }
    const code = await issueCode(connection, vault, {
      user: user.id,
      purpose: PURPOSE,
      form,
      flow,
      payload,
    });
    await mailCode(connection, vault, { user, code, form, circumstances });
  });
}

/**
 * Activates the account and installs the password stored in the code. If several people signed up
 * with the address, only the flow that sent the password installs it, because the owner might
 * follow the link of a stranger's sign-up. Otherwise the account has no password until the owner
 * resets it.
 */
export async function verifyEmail(
  connection: Connection,
  vault: Vault,
  { applyReferral, circumstances, code, email, flow, nowMs }: Verification,
): Promise<VerifiedEmail | Refused<VerificationRefusal>> {
  return inTransaction(connection, async () => {
    const used = await useVerificationCode(connection, vault, { code, email, flow, nowMs });
    if (used instanceof Refused) return used;
    const { isSameFlow, payload, user } = used;
    if (!(await lockUnverified(connection, user))) return new Refused('email_already_verified');
    const hasPassword = isSameFlow || !isContested(payload);
    const password = hasPassword ? passwordTagOf(payload) : undefined;
    const known = await activateUser(connection, vault, { user, password });
    const referral = hasPassword ? referralOf(payload) : '';
    if (referral !== '') await applyReferral?.(connection, { user, code: referral });
    await enqueueMail(connection, vault, {
      user,
      to: known.email,
      language: known.language,
      kind: 'welcome',
      values: circumstances(user),
    });
    return { user, hasPassword };
  });
}

/**
 * Returns the pending password that the flow signed up with. The login checks it to respond that
 * the address must be verified. Sign-ups with an existing account's address have one too.
 */
export async function readWaitingPassword(
  statements: Statements,
  vault: Vault,
  user: UserId,
  flow: Flow,
): Promise<PasswordTag | undefined> {
  const payload = await waitingPayload(statements, vault, user, flow);
  return payload === undefined ? undefined : passwordTagOf(payload);
}

// Runs outside the transaction, so a second request for the same new address fails here, not
// halfway.
async function findOrCreate(
  statements: Statements,
  { email, language }: SignUpRequest,
): Promise<UserRow | undefined> {
  const known = await findUserByEmail(statements, email);
  if (known !== undefined) {
    // A known address costs a write too; otherwise its response would be faster.
    await statements.query('update users set state_since = state_since where id = $1', [known.id]);
    return known;
  }
  const made = await createUser(statements, { email, state: 'unverified' });
  if (made === 'email_taken') return findUserByEmail(statements, email);
  if (typeof made === 'string') return undefined;
  if (language === languageOf(made)) return made;
  await replaceSettings(statements, made.id, { language });
  return { ...made, settings: { ...made.settings, language } };
}

async function sendCode(
  statements: Statements,
  vault: Vault,
  sent: { readonly request: SignUpRequest; readonly user: UserRow; readonly isUnverified: boolean },
): Promise<void> {
  const { isUnverified, request, user } = sent;
  const { circumstances, flow, form } = request;
  const mail = { user: user.id, to: user.email, language: languageOf(user) };
  const kind = isUnverified ? 'verify_email' : 'already_registered';
  // If no email is sent, the code of an earlier one stays valid.
  if (!(await hasMailBudget(statements, vault, { to: user.email, kind }))) {
    await recordSuppressedMail(statements, vault, { ...mail, kind });
    return;
  }
  const payload = await waitingText(statements, vault, user.id, request);
  // The code of a verified account is never sent, and it would change nothing; see verifyEmail.
  const code = await issueCode(statements, vault, {
    user: user.id,
    purpose: PURPOSE,
    form,
    flow,
    payload,
  });
  await mailCode(statements, vault, { user, code, form, circumstances });
}

/** The owner of an account is notified of the sign-up, but gets no code. */
async function mailCode(
  statements: Statements,
  vault: Vault,
  sent: Pick<MailedCodeRequest, 'circumstances' | 'form'> & { user: UserRow; code: string },
): Promise<void> {
  const { circumstances, code, form, user } = sent;
  const mail = { user: user.id, to: user.email, language: languageOf(user) };
  if (user.state === 'unverified') {
    const values = { ...circumstances(undefined), code, form };
    await enqueueMail(statements, vault, { ...mail, kind: 'verify_email', values });
  } else {
    const values = circumstances(user.id);
    await enqueueMail(statements, vault, { ...mail, kind: 'already_registered', values });
  }
}

async function useVerificationCode(
  statements: Statements,
  vault: Vault,
  { code, email, flow, nowMs }: Omit<Verification, 'circumstances'>,
) {
  const asked = { purpose: PURPOSE, code, flow, nowMs } as const;
  if (email === undefined) return usePublicCode(statements, vault, asked);
  const user = (await findUserByEmail(statements, email))?.id ?? 0;
  return usePublicCode(statements, vault, { ...asked, user });
}

/** unverified ──▶ active. Runs in the caller's transaction. */
export async function activateUser(
  statements: Statements,
  vault: Vault,
  { password, user }: { readonly user: UserId; readonly password: PasswordTag | undefined },
): Promise<{ readonly email: string; readonly language: string }> {
  if (password !== undefined) await installPassword(statements, vault, user, password);
  const { rows } = await statements.query(
    // The version invalidates logins whose password is being hashed now.
    `update users set state = 'active', state_since = now(), updated_at = now(),
       security_version = security_version + 1
     where id = $1 returning email, coalesce(settings ->> 'language', 'en') as language`,
    [user],
  );
  const [{ email, language }] = rows;
  // Strangers might have blocked the address with wrong passwords.
  await Throttles.clear(statements, vault, { scope: 'account', subject: email });
  return { email, language };
}

async function lockUnverified(statements: Statements, user: UserId): Promise<boolean> {
  const { rows } = await statements.query(
    "select state = 'unverified' as is_unverified from users where id = $1 for no key update",
    [user],
  );
  return rows[0]?.is_unverified === true;
}

/**
 * Returns the pending password and referral code, and whether another flow signed up with the
 * address earlier.
 */
async function waitingText(
  statements: Statements,
  vault: Vault,
  user: UserId,
  { flow, password, referral = '' }: SignUpRequest,
): Promise<string> {
  const before = await waitingPayload(statements, vault, user);
  const own = await waitingPayload(statements, vault, user, flow);
  const contested = before !== undefined && (own === undefined || isContested(own));
  return JSON.stringify({ ...JSON.parse(passwordTagText(password)), contested, referral });
}

/** Codes of sign-ups before the first release with referral have none. */
function referralOf(payload: string): string {
  return JSON.parse(payload).referral ?? '';
}

function isContested(payload: string): boolean {
  return JSON.parse(payload).contested === true;
}

/** With a flow, returns undefined if another one signed up. */
async function waitingPayload(
  statements: Statements,
  vault: Vault,
  user: UserId,
  flow?: Flow,
): Promise<string | undefined> {
  const { rows } = await statements.query(
    `select kek_id, sealed_payload from codes
     where user_id = $1 and purpose = $2 and sealed_payload is not null and used_at is null
       and ($3 or flow_hash = $4
         or (flow_hash is null and $4::bytea is null and network = $5))`,
    [user, PURPOSE, flow === undefined, flow?.cookieHash ?? null, flow?.network ?? ''],
  );
  if (rows.length === 0) return undefined;
  const [{ kek_id, sealed_payload }] = rows;
  const sealed = { kekId: idOf<number>(kek_id), sealed: sealed_payload as Buffer };
  return vault.open(codeBound(user, PURPOSE), sealed).toString();
}

export function languageOf({ settings }: UserRow): string {
  return typeof settings.language === 'string' ? settings.language : 'en';
}
