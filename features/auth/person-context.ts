// Acts of people on their own account, each in one transaction: lock the account, check the
// session, check the act, then prove the second factor and the code from the mail. A refusal counts
// a try of the proof that was wrong and uses up nothing that was right; the caller commits it.

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

/** The user who changes their account in a login session, and where from. */
export interface PersonContext {
  readonly user: UserId;
  /** Where its codes were requested; its session is the one that acts. */
  readonly flow: Flow;
  readonly circumstances: Circumstances;
  readonly nowMs: number;
}

export interface Proofs {
  /** '' if the user has none, or proved a passkey to the session. */
  readonly otpCode: string;
  readonly emailCode: string;
}

/** The account of the person who acts, locked until the end of the transaction. */
export interface AccountHolder {
  readonly user: UserId;
  readonly email: string;
  readonly language: string;
  readonly role: string | null;
  /** Whether the session may use the role. */
  readonly mayUseRole: boolean;
}

export type HolderRefusal = 'session_of_person_needed';
export type ActRefusal = HolderRefusal | FactorRefusal | CodeRefusal;

/** Counts a mail that the change sends: a stolen session floods neither users nor the queue. */
export async function refuseMails(
  statements: Statements,
  vault: Vault,
  person: Pick<PersonContext, 'user' | 'nowMs'>,
): Promise<Refused<'rate_limit_exceeded'> | undefined> {
  const retryAfterS = await chargeMails(statements, vault, person);
  return retryAfterS > 0 ? new Refused('rate_limit_exceeded', {}, retryAfterS) : undefined;
}

/**
 * Locks the account. Refuses unless the session is the live login of a person: sub-accounts and
 * guests change no credentials.
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
  // Read after the lock: a change that ended the session has been committed before.
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

/** The factor code that the user sent. */
export function factorProof(
  { circumstances, flow, nowMs, user }: PersonContext,
  code: string,
): FactorProof {
  return { user, code, nowMs, session: flow.session, circumstances };
}

/** The second factor and the code that confirms an action. */
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
  /** Receives the codes that were right, in their order. */
  readonly onUsed?: (used: UsedCode) => void;
}

/** Uses all proofs, or none of them. */
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
  // A right proof is not used up by a wrong one: only the tries of the wrong ones are counted.
  await connection.query('rollback to savepoint proofs');
  for (const [at, prove] of proofs.entries()) if (results[at] !== undefined) await prove();
  return refusal;
}

/** The part of the gateway's client context that authentication rules use. */
export interface IdentityClient {
  /** The client's address, as reported by trusted proxies. */
  readonly address: string;
  /** The address, or the /64 network of an IPv6 one. */
  readonly network: string;
  readonly userAgent: string;
  /** The cookie that identifies a browser across logins. */
  readonly deviceToken?: string | undefined;
  /** The cookie that identifies the flow of a short code. */
  readonly flowToken?: string | undefined;
  /** Whether it keeps cookies: one of the exchange's own web apps. */
  readonly isBrowserApp: boolean;
}

/** User agents are stored and shown to users; longer ones are cut. */
const USER_AGENT_CHARACTERS_MAX = 200;

export function shortUserAgent({ userAgent }: Pick<IdentityClient, 'userAgent'>): string {
  return userAgent.replaceAll(/\p{Cc}/gu, ' ').slice(0, USER_AGENT_CHARACTERS_MAX);
}
