// Email delivery: leases outbox rows and records how each attempt ended. The lease of a killed
// notifier expires; then the email is sent a second time, with the same Message-ID, and never a
// third time. Rows of finished emails contain neither address nor values.

import { idOf, type Statements } from '../../../infra/postgres/index.ts';
import { SealFault, type Vault } from '../../../platform/vault/index.ts';
import type { MailKind, MailValues } from './mail-kinds.ts';
import { mailBound } from './mail-outbox.ts';
import type { OwnMailTexts } from './mail-texts.ts';

/**
 * waiting ──lease──▶ sending ──▶ sent, deferred or failed; deferred ──lease──▶ sending. An email
 * leased too late is expired; suppressed ones are never sent.
 */
export type MailState =
  | 'waiting'
  | 'sending'
  | 'sent'
  | 'deferred'
  | 'failed'
  | 'suppressed'
  | 'expired';

export interface LeasedMail {
  readonly id: number;
  readonly kind: MailKind;
  readonly language: string;
  readonly messageId: string;
  /** Includes this attempt. */
  readonly attempts: number;
  readonly createdAt: Date;
  /** Undefined if the row does not open: sealed with another key, or changed. */
  readonly sealed: { readonly to: string; readonly values: MailValues[MailKind] } | undefined;
  /** The recipient's anti-phishing word; '' if none is set. */
  readonly word: string;
  /** The operator's own texts for this kind and language. */
  readonly ownTexts?: OwnMailTexts | undefined;
}

export interface LeasedMails {
  readonly mails: readonly LeasedMail[];
  /** Finished by this lease: they expired, or two attempts had no known end. */
  readonly expired: number;
  readonly lost: number;
}

export interface DeferralRules {
  /** Pause after the first attempt; doubles with each further one, up to the maximum. */
  readonly retryMs: number;
  readonly retryMsMax: number;
  /** An older email fails instead. */
  readonly giveUpMs: number;
}

export interface MailBacklog {
  readonly waiting: number;
  readonly oldestMs: number;
}

/** Marks the first attempt of an email whose notifier was killed before it recorded the end. */
const UNKNOWN_END = 'end of an attempt unknown';
/** New, unconfirmed addresses must not see the account's anti-phishing word. */
const KINDS_WITHOUT_WORD: readonly string[] = ['email_change_new', 'verify_email'];

const DUE = `
  select id, case
      when state = 'sending' and error like '${UNKNOWN_END}%' then 'failed'
      when expires_at <= now() then 'expired'
      else 'sending'
    end as next_state
  from mail_outbox
  where state in ('waiting', 'sending', 'deferred') and next_at <= now()`;

/**
 * Several notifiers can lease concurrently: each row goes to one of them. Expiring emails, which
 * are those with a code, go first.
 */
export async function leaseMails(
  statements: Statements,
  vault: Vault,
  { leaseMs, max }: { readonly leaseMs: number; readonly max: number },
): Promise<LeasedMails> {
  const { rows } = await statements.query(
    `with codes as (
       ${DUE} and expires_at is not null
       order by next_at, id limit $1 for no key update skip locked
     ), others as (
       ${DUE} and expires_at is null
       order by next_at, id limit $1 - (select count(*) from codes)
       for no key update skip locked
     ), due as (select * from codes union all select * from others)
     update mail_outbox m set
       state = next_state,
       attempts = attempts + case when next_state = 'sending' then 1 else 0 end,
       error = case when state = 'sending' then '${UNKNOWN_END}' else error end,
       next_at = now() + $2 * interval '1 ms',
       kek_id = case when next_state = 'sending' then kek_id end,
       sealed = case when next_state = 'sending' then sealed end,
       settled_at = case when next_state = 'sending' then null else now() end
     from due where due.id = m.id
     returning m.id, m.kind, m.language, m.message_id, m.attempts, m.created_at, m.state, m.kek_id,
       m.sealed,
       (select settings #>> '{mail,anti_phishing}' from users where id = m.user_id) as word,
       (select jsonb_build_object('subject', t.subject, 'paragraphs', t.paragraphs)
          from mail_texts t where t.kind = m.kind and t.language = m.language) as own_texts`,
    [max, leaseMs],
  );
  const leased = rows.filter(({ state }) => state === 'sending');
  return {
    mails: leased.map((row) => mailOf(row, vault)),
    expired: rows.filter(({ state }) => state === 'expired').length,
    lost: rows.filter(({ state }) => state === 'failed').length,
  };
}

/** Clears the address and the values in the same statement. */
export async function settleMail(
  statements: Statements,
  id: number,
  { error = null, state }: { readonly state: 'sent' | 'failed'; readonly error?: string | null },
): Promise<void> {
  await statements.query(
    `update mail_outbox set state = $2, error = coalesce($3, error), kek_id = null, sealed = null,
       settled_at = now()
     where id = $1 and state = 'sending'`,
    [id, state, error],
  );
}

/** Returns the new state: an email that is too old fails. `error` must not contain an address. */
export async function deferMail(
  statements: Statements,
  { attempts, id }: Pick<LeasedMail, 'id' | 'attempts'>,
  { error, rules }: { readonly error: string; readonly rules: DeferralRules },
): Promise<'deferred' | 'failed'> {
  const { giveUpMs, retryMs, retryMsMax } = rules;
  const pauseMs = Math.min(retryMs * 2 ** (attempts - 1), retryMsMax);
  const { rows } = await statements.query(
    `with judged as (
       select id, created_at + $3 * interval '1 ms' <= now() as is_over from mail_outbox
       where id = $1 and state = 'sending'
     )
     update mail_outbox m set
       state = case when is_over then 'failed' else 'deferred' end,
       error = case when error like '${UNKNOWN_END}%' then '${UNKNOWN_END}, ' else '' end || $4,
       next_at = least(now() + $2 * interval '1 ms', expires_at),
       kek_id = case when is_over then null else kek_id end,
       sealed = case when is_over then null else sealed end,
       settled_at = case when is_over then now() end
     from judged where judged.id = m.id
     returning m.state`,
    [id, pauseMs, giveUpMs, error],
  );
  return rows[0]?.state ?? 'deferred';
}

export async function mailBacklog(statements: Statements): Promise<MailBacklog> {
  const { rows } = await statements.query(
    `select count(*) as waiting,
       coalesce(extract(epoch from now() - min(created_at)) * 1000, 0) as oldest_ms
     from mail_outbox where state in ('waiting', 'sending', 'deferred')`,
  );
  return { waiting: Number(rows[0].waiting), oldestMs: Number(rows[0].oldest_ms) };
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
function mailOf(row: any, vault: Vault): LeasedMail {
  return {
    id: idOf(row.id),
    kind: row.kind,
    language: row.language,
    messageId: row.message_id,
    attempts: Number(row.attempts),
    createdAt: row.created_at,
    sealed: openMail(row, vault),
    word: KINDS_WITHOUT_WORD.includes(row.kind) ? '' : (row.word ?? ''),
    ownTexts: row.own_texts ?? undefined,
  };
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
function openMail(row: any, vault: Vault): LeasedMail['sealed'] {
  try {
    const { kek_id: kekId, sealed } = row;
    const plain = vault.open(mailBound(row.message_id), { kekId: Number(kekId), sealed });
    return JSON.parse(plain.toString()) as LeasedMail['sealed'];
  } catch (fault) {
    if (fault instanceof SealFault) return undefined;
    throw fault;
  }
}
