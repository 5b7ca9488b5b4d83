// Emailed codes that prove an address belongs to a user. Links have 122 random bits and work
// anywhere, and guesses do not use them up. Other codes are accepted only in the flow that
// requested them and allow five tries; otherwise a guess could succeed against any account with a
// live code.

import { randomInt, randomUUID, timingSafeEqual } from 'node:crypto';
import type { UserId } from '../../core/money/index.ts';
import { idOf, type Statements } from '../../infra/postgres/index.ts';
import type { Vault } from '../../platform/vault/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { CODE_LIFE_MS } from '../messages/index.ts';
import { countAddressFailure } from './throttles.ts';

export const CODE_PURPOSES = [
  'verify_email',
  'reset_password',
  'change_password',
  'confirm_action',
  'confirm_login',
  'email_change_old',
  'email_change_new',
  'confirm_withdrawal',
] as const;
export type CodePurpose = (typeof CODE_PURPOSES)[number];

/** v2: a link; v3: `AA-12345`; v4: six digits; v5: 20 characters, typed by its owner. */
export type CodeForm = 'v2' | 'v3' | 'v4' | 'v5';

/** Where a code was requested; identifies the flow that can use a short code. */
export interface Flow {
  /** SHA-256 of the flow cookie; undefined for clients without cookies. */
  readonly cookieHash?: Uint8Array | undefined;
  /** Client address, or the /64 network for IPv6. */
  readonly network: string;
  /** Session that requests or confirms; 0 without one. */
  readonly session: number;
}

export interface NewCode {
  readonly user: UserId;
  readonly purpose: CodePurpose;
  readonly form: CodeForm;
  readonly flow: Flow;
  /** Fixed when the code is sent; determines what the confirmation does. */
  readonly payload?: string;
}

export interface UsedCode {
  readonly user: UserId;
  readonly form: CodeForm;
  /** '' if there is none. */
  readonly payload: string;
  /** Whether the flow that requested the code also used it; a link can be used anywhere. */
  readonly isSameFlow: boolean;
}

/**
 * Without a session, used-up tries are not reported, because that would reveal that a code exists.
 */
export type PublicCodeRefusal = 'code_wrong' | 'code_expired' | 'code_used';
export type CodeRefusal = PublicCodeRefusal | 'code_tries_exhausted';

interface CodeRow {
  readonly user: UserId;
  readonly form: CodeForm;
  readonly codeMac: Buffer;
  /** Whether the code is valid in this flow; a link is valid in every flow. */
  readonly isFlow: boolean;
  readonly isSameFlow: boolean;
  readonly tries: number;
  readonly isExpired: boolean;
  readonly isUsed: boolean;
  readonly kekId: number | null;
  readonly sealedPayload: Buffer | null;
}

const TRIES_MAX = 5;
/** Maximum codes of one flow that a code without an account is compared with. */
const CODES_PER_FLOW_MAX = 5;
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ';
const LONG_CODE_CHARACTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const LONG_CODE_LENGTH = 20;
const MAC_LABEL = 'code';

/** Returns the code for the email. Invalidates earlier codes of the same user and purpose. */
export async function issueCode(
  statements: Statements,
  vault: Vault,
  { flow, form, payload, purpose, user }: NewCode,
): Promise<string> {
  const code = drawCode(form);
  const sealed = payload === undefined ? undefined : vault.seal(codeBound(user, purpose), payload);
  await statements.query(
    `insert into codes (user_id, purpose, form, code_mac, flow_hash, network, session_id, kek_id,
       sealed_payload, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, now() + $10 * interval '1 ms')
     on conflict (user_id, purpose) do update set form = excluded.form,
       code_mac = excluded.code_mac, flow_hash = excluded.flow_hash, network = excluded.network,
       session_id = excluded.session_id, kek_id = excluded.kek_id,
       sealed_payload = excluded.sealed_payload, tries = 0, expires_at = excluded.expires_at,
       used_at = null, created_at = now()`,
    [
      user,
      purpose,
      form,
      vault.mac(MAC_LABEL, codeText(purpose, code)),
      flow.cookieHash ?? null,
      flow.network,
      flow.session,
      sealed?.kekId ?? null,
      sealed?.sealed ?? null,
      CODE_LIFE_MS,
    ],
  );
  return code;
}

/**
 * Uses the code of a known user. Call it in the transaction of the change that it confirms: a code
 * is accepted once, even if it is sent many times concurrently. A wrong code costs a try, so the
 * caller must also commit a rejection.
 */
export async function useCodeOfUser(
  statements: Statements,
  vault: Vault,
  asked: {
    readonly user: UserId;
    readonly purpose: CodePurpose;
    readonly code: string;
    readonly flow: Flow;
  },
): Promise<UsedCode | Refused<CodeRefusal>> {
  const { code, flow, purpose, user } = asked;
  const { rows } = await statements.query(
    `${CODES} where user_id = $4 and purpose = $5 for no key update`,
    [flow.cookieHash ?? null, flow.network, flow.session, user, purpose],
  );
  return useFound(statements, vault, rows.map(codeOf), { code, purpose });
}

/**
 * Uses a code that was sent without a session and, without `user`, without an account. A user of 0
 * has no code. Wrong codes count as failures of the address, which lead to a captcha.
 */
export async function usePublicCode(
  statements: Statements,
  vault: Vault,
  asked: {
    readonly user?: UserId | 0;
    readonly purpose: CodePurpose;
    readonly code: string;
    readonly flow: Flow;
    readonly nowMs: number;
  },
): Promise<UsedCode | Refused<PublicCodeRefusal>> {
  const { flow, nowMs, user } = asked;
  const used =
    user === undefined
      ? await useCode(statements, vault, asked)
      : await useLockedCode(statements, vault, { ...asked, user });
  if (!(used instanceof Refused)) return used;
  await countAddressFailure(statements, vault, { network: flow.network, nowMs });
  return new Refused(used.key === 'code_tries_exhausted' ? 'code_wrong' : used.key);
}

/**
 * Uses a code that was sent without an account. A link is found alone; a short code only among
 * those of the same flow, and a wrong one costs a try of each of them.
 */
export async function useCode(
  statements: Statements,
  vault: Vault,
  asked: { readonly purpose: CodePurpose; readonly code: string; readonly flow: Flow },
): Promise<UsedCode | Refused<CodeRefusal>> {
  const { code, flow, purpose } = asked;
  const macs = vault.macs(MAC_LABEL, codeText(purpose, code));
  const cookieHash = flow.cookieHash ?? null;
  const { rows: found } = await statements.query(
    `select user_id from codes where purpose = $3 and form = 'v2' and code_mac = any($4::bytea[])
     union all
     (select user_id from codes
      where purpose = $3 and form <> 'v2' and used_at is null and expires_at > now()
        and case when $1::bytea is null then flow_hash is null and network = $2
          else flow_hash = $1 end
      order by created_at desc limit ${CODES_PER_FLOW_MAX})`,
    [cookieHash, flow.network, purpose, macs],
  );
  if (found.length === 0) return new Refused('code_wrong');
  const users = found.map(({ user_id }) => idOf<UserId>(user_id));
  // Locks users before codes, like every change of credentials, to avoid deadlocks.
  await statements.query(
    'select from users where id = any($1::bigint[]) order by id for no key update',
    [users],
  );
  const { rows } = await statements.query(
    `${CODES} where user_id = any($4::bigint[]) and purpose = $5
     order by user_id for no key update`,
    [cookieHash, flow.network, flow.session, users, purpose],
  );
  return useFound(statements, vault, rows.map(codeOf), { code, purpose });
}

/**
 * Makes a code used in this transaction valid again, because another proof was missing. Costs a
 * try, so it cannot be repeated indefinitely.
 */
export async function returnCode(
  statements: Statements,
  { purpose, user }: { readonly user: UserId; readonly purpose: CodePurpose },
): Promise<void> {
  await statements.query(
    'update codes set used_at = null, tries = tries + 1 where user_id = $1 and purpose = $2',
    [user, purpose],
  );
}

/** Returns the text that a code's payload is bound to. */
export function codeBound(user: UserId, purpose: string): string {
  return `code ${user} ${purpose}`;
}

// A link is its own proof. A short code must come from its flow: its session if it has one, else
// its cookie, else, if neither the code nor the client has a cookie, its network.
const CODES = `
  select user_id, form, code_mac, tries, kek_id, sealed_payload,
    expires_at <= clock_timestamp() as is_expired, used_at is not null as is_used,
    ((session_id <> 0 and session_id = $3)
      or (session_id = 0 and flow_hash is not null and flow_hash = $1)
      or (session_id = 0 and flow_hash is null and $1::bytea is null and network = $2)
    ) as is_same_flow
  from codes`;

/** Locks the user before the code, like changes of credentials. */
async function useLockedCode(
  statements: Statements,
  vault: Vault,
  asked: {
    readonly user: UserId | 0;
    readonly purpose: CodePurpose;
    readonly code: string;
    readonly flow: Flow;
  },
): Promise<UsedCode | Refused<CodeRefusal>> {
  const user = asked.user as UserId;
  await statements.query('select from users where id = $1 for no key update', [user]);
  return useCodeOfUser(statements, vault, { ...asked, user });
}

async function useFound(
  statements: Statements,
  vault: Vault,
  rows: readonly CodeRow[],
  { code, purpose }: { readonly code: string; readonly purpose: CodePurpose },
): Promise<UsedCode | Refused<CodeRefusal>> {
  const macs = vault.macs(MAC_LABEL, codeText(purpose, code));
  const open = rows.filter((row) => row.isFlow && row.tries < TRIES_MAX);
  const right = open.find(({ codeMac }) => macs.some((mac) => timingSafeEqual(mac, codeMac)));
  if (right === undefined) {
    const tried = open.filter((row) => row.form !== 'v2' && !row.isExpired && !row.isUsed);
    if (tried.length > 0) {
      await statements.query(
        'update codes set tries = tries + 1 where purpose = $1 and user_id = any($2::bigint[])',
        [purpose, tried.map(({ user }) => user)],
      );
    }
    const isExhausted = rows.some((row) => row.isFlow && row.tries >= TRIES_MAX);
    return new Refused(isExhausted && open.length === 0 ? 'code_tries_exhausted' : 'code_wrong');
  }
  if (right.isUsed) return new Refused('code_used');
  if (right.isExpired) return new Refused('code_expired');
  const { form, isSameFlow, kekId, sealedPayload, user } = right;
  await statements.query('update codes set used_at = now() where user_id = $1 and purpose = $2', [
    user,
    purpose,
  ]);
  const payload =
    kekId === null || sealedPayload === null
      ? ''
      : vault.open(codeBound(user, purpose), { kekId, sealed: sealedPayload }).toString();
  return { user, form, payload, isSameFlow };
}

function drawCode(form: CodeForm): string {
  const draw = (from: string, count: number) =>
    Array.from({ length: count }, () => from[randomInt(from.length)]).join('');
  switch (form) {
    case 'v2':
      return randomUUID();
    case 'v3':
      return `${draw(LETTERS, 2)}-${draw('0123456789', 5)}`;
    case 'v4':
      return draw('0123456789', 6);
    case 'v5':
      return draw(LONG_CODE_CHARACTERS, LONG_CODE_LENGTH);
  }
}

/** Users type codes in lower case and with spaces. */
function codeText(purpose: CodePurpose, code: string): string {
  return `${purpose} ${code.trim().toUpperCase()}`;
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
function codeOf(row: any): CodeRow {
  return {
    user: idOf(row.user_id),
    form: row.form,
    codeMac: row.code_mac,
    isFlow: row.form === 'v2' || row.is_same_flow === true,
    isSameFlow: row.is_same_flow === true,
    tries: Number(row.tries),
    isExpired: row.is_expired,
    isUsed: row.is_used,
    kekId: row.kek_id === null ? null : idOf(row.kek_id),
    sealedPayload: row.sealed_payload,
  };
}
