// Last steps of every login: the account must be usable, the location must not be suspicious, and
// the session begins. Password and passkey logins both end here, so neither can skip a rule.

import type { UserId } from '../../../core/money/index.ts';
import { idOf, type Statements } from '../../../infra/postgres/index.ts';
import { normalEmail, type UserState } from '../../accounts/index.ts';
import { areLoginsStopped } from '../../kill-switches/index.ts';
import { enqueueMail, hasMailBudget, recordSuppressedMail } from '../../messages/index.ts';
import { type CircumstancesSource, circumstancesOf } from '../circumstances.ts';
import { type CodeForm, issueCode } from '../codes.ts';
import {
  issueSession,
  LONG_SESSION_LIFE_MS,
  OPERATOR_SESSION_IDLE_S,
  OPERATOR_SESSION_LIFE_MS,
  SESSION_LIFE_MS,
} from '../credentials/issue-sessions.ts';
import { newFlow } from '../flows.ts';
import { type IdentityClient, shortUserAgent } from '../person-context.ts';
import { Throttles } from '../throttles.ts';
import { type DeviceRow, findKnownDevice, pastLogins, rememberDevice } from './devices.ts';
import { type LoginOutcome, recordLogin } from './logins.ts';

/** Subset of a gateway's dependencies. */
export interface LoginPorts extends CircumstancesSource {
  readonly identity: CircumstancesSource['identity'] & { readonly login: LoginSettings };
  readonly exchange: { readonly name: string };
}

export interface LoginSettings {
  /** Two letters each, in upper case. */
  readonly blockedCountries: ReadonlySet<string>;
  /** Maximum attempts per address within two minutes. */
  readonly attemptsPerAddressMax: number;
  /** Whether an operator can use the role from this address. */
  isOperatorAddress(address: string): boolean;
  /** A password alone does not grant an operator the role. */
  readonly operatorsNeedFactor: boolean;
}

export type LoginFactor = 'password' | 'otp' | 'recovery_code' | 'passkey';

export interface ProvenLogin {
  readonly user: UserId;
  readonly client: IdentityClient;
  readonly longTerm: boolean;
  readonly factor: LoginFactor;
  /** Form of the code that confirms a suspicious login; defaults to a link. */
  readonly codeForm?: CodeForm | undefined;
}

export interface OpenedLogin {
  readonly kind: 'opened';
  readonly user: UserId;
  readonly token: string;
  readonly lifeMs: number;
  /** For a browser's cookie. */
  readonly deviceToken: string | undefined;
  /** Sessions ended because the user has too many; announce them after the commit. */
  readonly ended: readonly number[];
}

export type OpenRefusal =
  | 'email_not_verified'
  | 'user_not_verified'
  | 'user_not_activated'
  | 'login_suspicious'
  | 'logins_stopped';

export interface RefusedLogin<Refusal> {
  readonly kind: 'refused';
  readonly refusal: Refusal;
  /** For the cookie that binds a short code to this browser. */
  readonly flowToken?: string | undefined;
}

export interface LoginUser {
  readonly id: UserId;
  readonly email: string;
  readonly state: UserState;
  readonly level: number;
  readonly role: string | null;
  readonly language: string;
  readonly securityVersion: number;
}

const CONFIRM_LOGIN = 'confirm_login';
const QUIET_MS = 30 * 86_400_000;

/**
 * Opens a session for a user who has proven everything. Call it in the transaction of the proof,
 * and commit a rejection too. The gateway's `answerLogin` turns the result into a response.
 */
export async function finishLogin(
  statements: Statements,
  ports: LoginPorts,
  login: ProvenLogin,
): Promise<OpenedLogin | RefusedLogin<OpenRefusal>> {
  const user = await lockLoginUser(statements, login.user);
  if (user === undefined) return { kind: 'refused', refusal: 'user_not_activated' };
  const refused = await refuseState(statements, ports, user, login.client);
  return refused ?? openSession(statements, ports, user, login);
}

/** Waits for other logins and changes of the same user. */
export async function lockLoginUser(
  statements: Statements,
  user: UserId | 0,
): Promise<LoginUser | undefined> {
  const { rows } = await statements.query(`${LOGIN_USER} where id = $1 for no key update`, [user]);
  return rows.map(loginUserOf)[0];
}

export async function findLoginUser(
  statements: Statements,
  email: string,
): Promise<LoginUser | undefined> {
  const { rows } = await statements.query(`${LOGIN_USER} where lower(email) = $1`, [
    normalEmail(email),
  ]);
  return rows.map(loginUserOf)[0];
}

/** Records the rejection. Call it only after a correct password or passkey. */
export async function refuseState(
  statements: Statements,
  ports: LoginPorts,
  user: LoginUser,
  client: IdentityClient,
): Promise<RefusedLogin<OpenRefusal> | undefined> {
  const [refusal, outcome] = stateRefusal(user) ?? [];
  if (refusal === undefined || outcome === undefined) return undefined;
  await record(statements, ports, { user, client, outcome });
  return { kind: 'refused', refusal };
}

/** The user must be locked, active and authenticated. */
export async function openSession(
  statements: Statements,
  ports: LoginPorts,
  user: LoginUser,
  login: ProvenLogin,
): Promise<OpenedLogin | RefusedLogin<'login_suspicious' | 'logins_stopped'>> {
  const { client, factor, longTerm } = login;
  const { clock, exchange, identity, vault } = ports;
  const nowMs = clock.nowMs();
  const { operatorsNeedFactor } = identity.login;
  const mayOperate =
    user.role !== null &&
    identity.login.isOperatorAddress(client.address) &&
    (factor !== 'password' || !operatorsNeedFactor);
  if (!mayOperate && (await areLoginsStopped(statements))) {
    return { kind: 'refused', refusal: 'logins_stopped' };
  }
  const country = identity.countries.countryOf(client.address);
  const known = await findKnownDevice(statements, { user: user.id, client, nowMs });
  if (await isSuspicious(statements, { user: user.id, known, country, nowMs })) {
    return requestLoginConfirmation(statements, ports, user, login);
  }
  const seen = { user: user.id, client, country, nowMs };
  const { device, token: deviceToken } = await rememberDevice(statements, seen);
  // A revoked device, for example after a reset, keeps its ID but not its block.
  await Throttles.clear(statements, vault, { scope: 'device', subject: `${device}` });
  const loginId = await record(statements, ports, { user, client, outcome: 'success', device });
  const isOperator = user.role !== null;
  const lifeMs = isOperator
    ? OPERATOR_SESSION_LIFE_MS
    : longTerm
      ? LONG_SESSION_LIFE_MS
      : SESSION_LIFE_MS;
  const { ended, token } = await issueSession(statements, vault, {
    user: user.id,
    email: user.email,
    role: user.role,
    scopes: user.role !== null && mayOperate ? ['user', user.role] : ['user'],
    language: user.language,
    kind: 'login',
    device,
    login: loginId,
    ip: client.address,
    userAgent: shortUserAgent(client),
    lifeMs,
    idleSeconds: isOperator ? OPERATOR_SESSION_IDLE_S : undefined,
    strongAt: new Date(nowMs),
    securityVersion: user.securityVersion,
    nowMs,
    exchangeName: exchange.name,
  });
  if (known === undefined) {
    await enqueueMail(statements, vault, {
      user: user.id,
      to: user.email,
      language: user.language,
      kind: 'new_device',
      values: circumstancesOf(ports, client, user.id),
    });
  }
  return { kind: 'opened', user: user.id, token, lifeMs, deviceToken, ended };
}

/** Appends an attempt to the login history. */
export function record(
  statements: Statements,
  { clock, identity, vault }: LoginPorts,
  attempt: {
    readonly user: LoginUser | undefined;
    /** As typed; defaults to the user's address. */
    readonly email?: string;
    readonly client: IdentityClient;
    readonly outcome: LoginOutcome;
    readonly device?: number | undefined;
  },
): Promise<number> {
  const { client, device = null, outcome, user } = attempt;
  return recordLogin(statements, vault, {
    user: user?.id ?? null,
    email: attempt.email ?? user?.email ?? '',
    outcome,
    client,
    country: identity.countries.countryOf(client.address),
    device,
    nowMs: clock.nowMs(),
  });
}

/** Sign-up and login are rejected from blocked countries. */
export function isFromBlockedCountry(
  { identity }: Pick<LoginPorts, 'identity'>,
  { address }: Pick<IdentityClient, 'address'>,
): boolean {
  return identity.login.blockedCountries.has(identity.countries.countryOf(address));
}

/** Location of a suspicious login; confirming it makes the location known. */
export interface SuspiciousPlace {
  readonly network: string;
  readonly country: string;
  readonly userAgent: string;
}

async function isSuspicious(
  statements: Statements,
  place: {
    readonly user: UserId;
    readonly known: DeviceRow | undefined;
    readonly country: string;
    readonly nowMs: number;
  },
): Promise<boolean> {
  const { country, known, nowMs, user } = place;
  const { countries, lastMs } = await pastLogins(statements, user);
  const isNewCountry = country !== '' && countries.size > 0 && !countries.has(country);
  const isAfterQuiet = known === undefined && lastMs > 0 && nowMs - lastMs > QUIET_MS;
  return isNewCountry || isAfterQuiet;
}

/**
 * Sends one code at a time and few per day, because each login would otherwise allow five more
 * guesses.
 */
async function requestLoginConfirmation(
  statements: Statements,
  ports: LoginPorts,
  user: LoginUser,
  { client, codeForm = 'v2' }: ProvenLogin,
): Promise<RefusedLogin<'login_suspicious'>> {
  const { vault } = ports;
  const answer = { kind: 'refused', refusal: 'login_suspicious' } as const;
  await record(statements, ports, { user, client, outcome: 'suspicious' });
  if (await hasLiveCode(statements, user.id)) return answer;
  const mail = { user: user.id, to: user.email, language: user.language } as const;
  const kind = 'suspicious_login';
  if (!(await hasMailBudget(statements, vault, { to: user.email, kind }))) {
    await recordSuppressedMail(statements, vault, { ...mail, kind });
    return answer;
  }
  const { flow, flowToken } = newFlow(client);
  const circumstances = circumstancesOf(ports, client, user.id);
  const place: SuspiciousPlace = {
    network: client.network,
    country: circumstances.country,
    userAgent: shortUserAgent(client),
  };
  const code = await issueCode(statements, vault, {
    user: user.id,
    purpose: CONFIRM_LOGIN,
    form: codeForm,
    flow,
    payload: JSON.stringify(place),
  });
  const values = { ...circumstances, code, form: codeForm };
  await enqueueMail(statements, vault, { ...mail, kind, values });
  return { ...answer, flowToken };
}

/** A code with no tries left also lives until it expires. */
async function hasLiveCode(statements: Statements, user: UserId): Promise<boolean> {
  const { rows } = await statements.query(
    `select from codes
     where user_id = $1 and purpose = $2 and used_at is null and expires_at > now()`,
    [user, CONFIRM_LOGIN],
  );
  return rows.length > 0;
}

function stateRefusal({
  level,
  state,
}: LoginUser): readonly [OpenRefusal, LoginOutcome] | undefined {
  if (state === 'unverified') return ['email_not_verified', 'email_not_verified'];
  if (state !== 'active') return ['user_not_activated', 'not_activated'];
  return level === 0 ? ['user_not_verified', 'not_verified'] : undefined;
}

const LOGIN_USER = `
  select id, email, state, verification_level, role, security_version,
    coalesce(settings ->> 'language', 'en') as language
  from users`;

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
function loginUserOf(row: any): LoginUser {
  return {
    id: idOf(row.id),
    email: row.email,
    state: row.state,
    level: Number(row.verification_level),
    role: row.role,
    language: row.language,
    securityVersion: Number(row.security_version),
  };
}
