// Password login. Until the password is proven, known and unknown accounts get the same responses
// after the same work, and strangers cannot lock out a known device. The order of the checks is the
// design; see docs/operating/logins.md.

import {
  idOf,
  inTransaction,
  type Pool,
  type Statements,
  withConnection,
} from '../../../infra/postgres/index.ts';
import { normalEmail } from '../../accounts/index.ts';
import { enqueueMail } from '../../messages/index.ts';
import { circumstancesOf } from '../circumstances.ts';
import type { CodeForm } from '../codes.ts';
import { isRecoveryCode } from '../factors/recovery-codes.ts';
import { factorsOf, proveFactor } from '../factors/second-factor.ts';
import { flowOf } from '../flows.ts';
import {
  isBelowMinimum,
  type PasswordHasher,
  type PasswordTag,
} from '../passwords/password-hasher.ts';
import { installPassword, readPassword } from '../passwords/passwords.ts';
import type { IdentityClient } from '../person-context.ts';
import { applySecurityChange, CREDENTIAL_HOLD_MS } from '../security-changes.ts';
import type { Captcha } from '../sign-up/captcha.ts';
import { readWaitingPassword } from '../sign-up/sign-up.ts';
import { chargeAddress, countAddressFailure, type Throttled, Throttles } from '../throttles.ts';
import { type DeviceRow, findKnownDevice } from './devices.ts';
import { countPasswordKnown } from './logins.ts';
import {
  findLoginUser,
  isFromBlockedCountry,
  type LoginFactor,
  type LoginPorts,
  type LoginUser,
  lockLoginUser,
  type OpenedLogin,
  type OpenRefusal,
  openSession,
  type RefusedLogin,
  record,
  refuseState,
} from './open-session.ts';

export interface PasswordLoginPorts extends LoginPorts {
  readonly identity: LoginPorts['identity'] & {
    readonly hasher: Pick<PasswordHasher, 'verify' | 'hash'>;
    readonly captcha: Pick<Captcha, 'refuse' | 'failed'>;
  };
  readonly registry: Pool;
}

export interface PasswordLogin {
  readonly email: string;
  readonly password: string;
  /** One-time password or recovery code; '' if none was sent. */
  readonly code: string;
  /** '' if none was sent. */
  readonly captcha: string;
  readonly longTerm: boolean;
  readonly codeForm?: CodeForm | undefined;
  readonly client: IdentityClient;
}

export type LoginRefusal =
  | OpenRefusal
  | 'country_blocked'
  | 'rate_limit_exceeded'
  | 'login_blocked'
  | 'captcha_invalid'
  | 'credentials_wrong'
  | `credentials_wrong_${1 | 2 | 3}_left`
  | 'otp_wrong'
  | 'passkey_needed'
  | 'factor_blocked';

export interface PasswordLoginRefused extends RefusedLogin<LoginRefusal> {
  readonly retryAfterS?: number;
  /** Sessions that the proof has ended anyway; announce them after the commit. */
  readonly ended?: { readonly user: LoginUser['id']; readonly sessions: readonly number[] };
  /** Why the captcha is rejected. */
  readonly detail?: string;
}

/** State of an attempt when its password is hashed. */
interface Attempt {
  readonly login: PasswordLogin;
  readonly user: LoginUser | undefined;
  readonly tag: PasswordTag | undefined;
  /** Password of the client's own sign-up that is pending verification or never gets a code. */
  readonly waiting: PasswordTag | undefined;
  readonly device: number | undefined;
  readonly throttled: Throttled;
}

const PASSWORD_KNOWN_EVENTS = 3;

/** Throws HashQueueFull. */
export async function logIn(
  ports: PasswordLoginPorts,
  login: PasswordLogin,
): Promise<OpenedLogin | PasswordLoginRefused> {
  const { clock, identity, registry, vault } = ports;
  const { captcha, client, password } = login;
  const nowMs = clock.nowMs();
  if (isFromBlockedCountry(ports, client)) return refused('country_blocked');
  // A browser identified by its cookie has a separate budget, which others at the same address
  // cannot use up.
  const early =
    client.deviceToken === undefined ? undefined : await findPerson(ports, login, nowMs);
  const network = early?.known === undefined ? client.network : `device ${early.known.id}`;
  const budget = { network, attemptsMax: identity.login.attemptsPerAddressMax, nowMs };
  const retryAfterS = await chargeAddress(registry, vault, budget);
  if (retryAfterS > 0) return { ...refused('rate_limit_exceeded'), retryAfterS };

  const person = early ?? (await findPerson(ports, login, nowMs));
  const attempt = await readAttempt(ports, login, person, nowMs);
  const isKnownDevice = attempt.device !== undefined;
  if (!(await Throttles.check(registry, vault, attempt.throttled))) return refused('login_blocked');
  if (!isKnownDevice) {
    const detail = await identity.captcha.refuse(registry, { captcha, client, nowMs });
    if (detail !== undefined) return { ...refused('captcha_invalid'), detail };
  }

  const isRight = await identity.hasher.verify(password, attempt.tag, { isKnownDevice });
  // Hashed in every account state, even if the first password was right.
  const isWaiting =
    attempt.waiting !== undefined &&
    (await identity.hasher.verify(password, attempt.waiting, { isKnownDevice }));
  const renewed =
    isRight && attempt.tag !== undefined && isBelowMinimum(attempt.tag)
      ? await identity.hasher.hash(password, { isKnownDevice })
      : undefined;
  return withConnection(registry, (connection) =>
    inTransaction(connection, async () => {
      const user = await lockLoginUser(connection, attempt.user?.id ?? 0);
      // The password might have been replaced while this one was hashed.
      const isCurrent = user?.securityVersion === attempt.user?.securityVersion;
      if (!(isRight || isWaiting) || !isCurrent || user === undefined)
        return failPassword(connection, ports, attempt);
      if (!isRight) return refuseWaiting(connection, ports, { ...attempt, user });
      if (renewed !== undefined) await installPassword(connection, vault, user.id, renewed);
      return passPassword(connection, ports, { ...attempt, user });
    }),
  );
}

interface FoundPerson {
  readonly user: LoginUser | undefined;
  readonly known: DeviceRow | undefined;
}

/** Unknown accounts cost the same statements as known ones. */
async function findPerson(
  { registry }: PasswordLoginPorts,
  { client, email }: PasswordLogin,
  nowMs: number,
): Promise<FoundPerson> {
  const user = await findLoginUser(registry, email);
  const known = await findKnownDevice(registry, { user: user?.id ?? 0, client, nowMs });
  return { user, known };
}

/** Unknown accounts cost the same statements here too. */
async function readAttempt(
  { registry, vault }: PasswordLoginPorts,
  login: PasswordLogin,
  { known, user }: FoundPerson,
  nowMs: number,
): Promise<Attempt> {
  const { client, email } = login;
  const id = user?.id ?? (0 as LoginUser['id']);
  const waiting = await readWaitingPassword(registry, vault, id, flowOf(client));
  const tag = await readPassword(registry, vault, id);
  const throttled: Throttled =
    known === undefined
      ? { scope: 'account', subject: normalEmail(email), nowMs }
      : { scope: 'device', subject: `${known.id}`, nowMs };
  return { login, user, tag, waiting, device: known?.id, throttled };
}

async function failPassword(
  statements: Statements,
  ports: PasswordLoginPorts,
  { device, login, throttled, user }: Attempt,
): Promise<PasswordLoginRefused> {
  const { identity, vault } = ports;
  const { client, email } = login;
  const { nowMs } = throttled;
  const counted = await Throttles.fail(statements, vault, throttled);
  await countAddressFailure(statements, vault, { network: client.network, nowMs });
  identity.captcha.failed(nowMs);
  const outcome = counted === 'blocked' ? 'blocked' : 'password_wrong';
  await record(statements, ports, { user, email, client, outcome, device });
  if (counted === 'blocked' || counted.attemptsLeft === 0) return refused('login_blocked');
  switch (counted.attemptsLeft) {
    case 3:
      return refused('credentials_wrong_3_left');
    case 2:
      return refused('credentials_wrong_2_left');
    case 1:
      return refused('credentials_wrong_1_left');
    default:
      return refused('credentials_wrong');
  }
}

/**
 * The password is that of the client's own sign-up. The response is the same for new and existing
 * accounts; otherwise a sign-up and a login together would reveal which addresses have an account.
 */
async function refuseWaiting(
  statements: Statements,
  ports: PasswordLoginPorts,
  { device, login, throttled, user }: Attempt & { readonly user: LoginUser },
): Promise<PasswordLoginRefused> {
  const { client } = login;
  const isAdmitted = await Throttles.admit(statements, ports.vault, throttled);
  const outcome = isAdmitted ? 'email_not_verified' : 'blocked';
  await record(statements, ports, { user, client, outcome, device });
  return refused(isAdmitted ? 'email_not_verified' : 'login_blocked');
}

/** The password is correct: checks the account state, the factor and the location. */
async function passPassword(
  statements: Statements,
  ports: PasswordLoginPorts,
  attempt: Attempt & { readonly user: LoginUser },
): Promise<OpenedLogin | PasswordLoginRefused> {
  const { device, login, throttled, user } = attempt;
  const { client, codeForm, longTerm } = login;
  if (!(await Throttles.admit(statements, ports.vault, throttled))) {
    await record(statements, ports, { user, client, outcome: 'blocked', device });
    return refused('login_blocked');
  }
  const inWrongState = await refuseState(statements, ports, user, client);
  if (inWrongState !== undefined) return inWrongState;
  const factor = await requireFactor(statements, ports, attempt);
  if (typeof factor !== 'string') return factor;
  const { ended, securityVersion } =
    factor === 'recovery_code'
      ? await endOtherSessions(statements, user)
      : { ended: [], securityVersion: user.securityVersion };
  const proven = { user: user.id, client, longTerm, factor, codeForm };
  const opened = await openSession(statements, ports, { ...user, securityVersion }, proven);
  if (opened.kind !== 'opened') return { ...opened, ended: { user: user.id, sessions: ended } };
  await Throttles.succeed(statements, ports.vault, throttled);
  return { ...opened, ended: [...ended, ...opened.ended] };
}

/**
 * A recovery code replaces a factor that another person might have, so other sessions might be
 * theirs.
 */
async function endOtherSessions(
  statements: Statements,
  { id: user }: LoginUser,
): Promise<{ readonly ended: readonly number[]; readonly securityVersion: number }> {
  const { rows } = await statements.query(
    'select id from sessions where user_id = $1 and revoked_at is null',
    [user],
  );
  const reason = 'recovery_code';
  const change = { user, reason, holdMs: CREDENTIAL_HOLD_MS };
  const securityVersion = await applySecurityChange(statements, change);
  return { ended: rows.map(({ id }) => idOf(id)), securityVersion };
}

/** A user with a factor must prove it: a password alone never opens their session. */
async function requireFactor(
  statements: Statements,
  ports: PasswordLoginPorts,
  { device, login, throttled, user }: Attempt & { readonly user: LoginUser },
): Promise<LoginFactor | PasswordLoginRefused> {
  const { client, code } = login;
  const { otp, passkeys } = await factorsOf(statements, user.id);
  if (!otp && passkeys === 0) return 'password';
  if (code !== '') {
    const proof = await proveFactor(statements, ports.vault, {
      user: user.id,
      code,
      nowMs: throttled.nowMs,
      circumstances: circumstancesOf(ports, client, user.id),
    });
    if (proof === 'proven') return isRecoveryCode(code) ? 'recovery_code' : 'otp';
    if (proof === 'blocked') {
      await record(statements, ports, { user, client, outcome: 'blocked', device });
      return refused('factor_blocked');
    }
  }
  const outcome = code === '' ? 'factor_missing' : 'factor_wrong';
  await record(statements, ports, { user, client, outcome, device });
  await alertIfPasswordKnown(statements, ports, { user, client, nowMs: throttled.nowMs });
  return refused(otp ? 'otp_wrong' : 'passkey_needed');
}

async function alertIfPasswordKnown(
  statements: Statements,
  ports: PasswordLoginPorts,
  { client, nowMs, user }: { user: LoginUser; client: IdentityClient; nowMs: number },
): Promise<void> {
  const events = await countPasswordKnown(statements, { user: user.id, nowMs });
  if (events < PASSWORD_KNOWN_EVENTS) return;
  const day = new Date(nowMs).toISOString().slice(0, 10);
  await enqueueMail(statements, ports.vault, {
    user: user.id,
    to: user.email,
    language: user.language,
    kind: 'password_known',
    values: circumstancesOf(ports, client, user.id),
    dedupeKey: `password_known ${user.id} ${day}`,
  });
}

function refused<Refusal extends LoginRefusal>(refusal: Refusal): RefusedLogin<Refusal> {
  return { kind: 'refused', refusal };
}
