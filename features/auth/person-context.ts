// Users' actions on their own account, each in one transaction: lock the account, check the
// session, check the action, then prove the second factor and the emailed code. A rejection counts
// a try of the wrong proof and uses up no right one; the caller commits it.

import type { UserId } from '../../core/money/index.ts';
import type { Connection, Statements } from '../../infra/postgres/index.ts';
import type { Vault } from '../../platform/vault/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { sessionHasEnded } from '../kill-switches/index.ts';
import type { Circumstances } from '../messages/index.ts';
import {
  type CodePurpose,
  type CodeRefusal,
  type Flow,
  type UsedCode,
  useCodeOfUser,
} from './codes.ts';
import { type FactorProof, type FactorRefusal, refuseFactor } from './factors/second-factor.ts';
import { chargeMails } from './throttles.ts';

/** User changing their account in a login session, and the client. */
export interface PersonContext {
  readonly user: UserId;
  /** Flow in which the codes were requested; its session is the acting one. */
  readonly flow: Flow;
  readonly circumstances: Circumstances;
  readonly nowMs: number;
}

export interface Proofs {
  /** '' if the user has none, or proved a passkey to the session. */
  readonly otpCode: string;
  readonly emailCode: string;
}

/** Account of the acting user, locked until the transaction ends. */
export interface AccountHolder {
  readonly user: UserId;
  readonly email: string;
  readonly language: string;
  readonly role: string | null;
  /** Whether the session can use the role. */
  readonly mayUseRole: boolean;
}

export type HolderRefusal = 'session_of_person_needed';
export type ActRefusal = HolderRefusal | FactorRefusal | CodeRefusal;

/** Counts an email that the change sends, so a stolen session cannot flood users or the queue. */
export async function refuseMails(
  statements: Statements,
  vault: Vault,
  person: Pick<PersonContext, 'user' | 'nowMs'>,
): Promise<Refused<'rate_limit_exceeded'> | undefined> {
  const retryAfterS = await chargeMails(statements, vault, person);
  return retryAfterS > 0 ? new Refused('rate_limit_exceeded', {}, retryAfterS) : undefined;
}

/**
 * Locks the account. Rejects unless the session is the live login of a user: sub-accounts and
 * guests cannot change credentials.
 */
export async function lockHolder(
  statements: Statements,
  { flow, user }: Pick<PersonContext, 'user'> & { readonly flow: Pick<Flow, 'session'> },
): Promise<AccountHolder | Refused<HolderRefusal>> {
  const locked = await statements.query(
    `select email, role, coalesce(settings ->> 'language', 'en') as language
     from users where id = $1 and state = 'active' and kind = 'person' for no key update`,
    [user],
  );
  if (locked.rows.length === 0) return new Refused('session_of_person_needed');
  // Read after the lock, so a change that ended the session is already committed.
  const { rows } = await statements.query(
    `select s.scopes from sessions s join users u on u.id = s.user_id
     where s.id = $1 and s.user_id = $2 and s.kind = 'login' and s.revoked_at is null
       and s.expires_at > now() and s.security_version = u.security_version
       and not ${sessionHasEnded('s')}`,
    [flow.session, user],
  );
  if (rows.length === 0) return new Refused('session_of_person_needed');
  const [{ email, language, role }] = locked.rows;
  const mayUseRole = role !== null && rows[0].scopes.includes(role);
  return { user, email, language, role, mayUseRole };
}

/** Returns the factor code that the user sent. */
export function factorProof(
  { circumstances, flow, nowMs, user }: PersonContext,
  code: string,
): FactorProof {
  return { user, code, nowMs, session: flow.session, circumstances };
}

/** Proves the second factor and the code that confirms an action. */
export function proveBoth(
  connection: Connection,
  vault: Vault,
  person: PersonContext,
  { emailCode, otpCode }: Proofs,
): Promise<Refused<FactorRefusal | CodeRefusal> | undefined> {
  const codes = [{ purpose: 'confirm_action', code: emailCode }] as const;
  return proveAct(connection, vault, person, { otpCode, codes });
}

export interface SentProofs {
  /** Undefined if the change needs no factor. */
  readonly otpCode?: string;
  readonly codes: readonly { readonly purpose: CodePurpose; readonly code: string }[];
  /** Receives the accepted codes in order. */
  readonly onUsed?: (used: UsedCode) => void;
}

/** Uses all proofs or none of them. */
export async function proveAct(
  connection: Connection,
  vault: Vault,
  person: PersonContext,
  { codes, onUsed, otpCode }: SentProofs,
): Promise<Refused<FactorRefusal | CodeRefusal> | undefined> {
  const { flow, user } = person;
  const proofs: (() => Promise<Refused<FactorRefusal | CodeRefusal> | undefined>)[] = codes.map(
    ({ code, purpose }) =>
      async () => {
        const used = await useCodeOfUser(connection, vault, { user, purpose, code, flow });
        if (used instanceof Refused) return used;
        onUsed?.(used);
        return undefined;
      },
  );
  if (otpCode !== undefined) {
    proofs.unshift(() => refuseFactor(connection, vault, factorProof(person, otpCode)));
  }
  await connection.query('savepoint proofs');
  const results: (Refused<FactorRefusal | CodeRefusal> | undefined)[] = [];
  for (const prove of proofs) results.push(await prove());
  const refusal = results.find((result) => result !== undefined);
  if (refusal === undefined) return undefined;
  // A wrong proof does not use up a right one: only the tries of the wrong ones are counted.
  await connection.query('rollback to savepoint proofs');
  for (const [at, prove] of proofs.entries()) if (results[at] !== undefined) void (await prove());
  return refusal;
}

/** The part of the gateway's client context that authentication rules use. */
export interface IdentityClient {
  /** Client address as reported by trusted proxies. */
  readonly address: string;
  /** Client address, or the /64 network for IPv6. */
  readonly network: string;
  readonly userAgent: string;
  /** Cookie that identifies a browser across logins. */
  readonly deviceToken?: string | undefined;
  /** Cookie that identifies the flow of a short code. */
  readonly flowToken?: string | undefined;
  /** Whether it keeps cookies, like the exchange's own web apps. */
  readonly isBrowserApp: boolean;
}

/** User agents are stored and shown to users; longer ones are truncated. */
const USER_AGENT_CHARACTERS_MAX = 200;

export function shortUserAgent({ userAgent }: Pick<IdentityClient, 'userAgent'>): string {
  return userAgent.replaceAll(/\p{Cc}/gu, ' ').slice(0, USER_AGENT_CHARACTERS_MAX);
}
