// Emails to send, written in the transaction of their cause: both happen, or neither does. The
// address and the values are sealed; the notifier opens them, sends the email and clears the row.
// Emails that a stranger can cause have a budget per recipient and kind, so no recipient is flooded
// and one kind cannot use up another's budget.

import { randomUUID } from 'node:crypto';
import type { UserId } from '../../../core/money/index.ts';
import type { Statements } from '../../../infra/postgres/index.ts';
import type { Vault } from '../../../platform/vault/index.ts';
import { CODE_MAIL_KINDS, type MailKind, type MailValues } from './mail-kinds.ts';

export interface NewMail<Kind extends MailKind> {
  readonly user: UserId | null;
  readonly to: string;
  readonly language: string;
  readonly kind: Kind;
  readonly values: MailValues[Kind];
  /** A second email with the same key is not written. */
  readonly dedupeKey?: string;
  /** Requester, if emails of this kind are also counted by requester. */
  readonly requester?: MailRequester;
}

/** A client without a session that causes an email to an address. */
export interface MailRequester {
  /** Group of the network address. */
  readonly network: string;
  /** The account owner has used this network. */
  readonly isKnown: boolean;
  /** A link works wherever it is opened, a short code only for its requester. */
  readonly isLink: boolean;
}

/** Lifetime of an emailed code. */
export const CODE_LIFE_MS = 300_000;
const RECIPIENT_LABEL = 'mail recipient';

/** Kinds that anyone, or anyone with the password, can cause to be sent to an address. */
const BUDGETED_KINDS: readonly MailKind[] = [
  'verify_email',
  'already_registered',
  'reset_password',
  'email_change_new',
  'suspicious_login',
];
const MAILS_PER_2_MIN_MAX = 4;
const MAILS_PER_DAY_MAX = 10;
/** Per day, recipient, kind and requester network. */
const MAILS_PER_REQUESTER_MAX = 4;
const REQUESTER_LABEL = 'mail requester';

/** Domains that never receive email; sub-accounts' addresses use one. */
const UNREACHABLE = '.invalid';

/**
 * Returns false if the recipient's budget is used up; the email is then recorded as suppressed. An
 * email to a sub-account is not written at all.
 */
export async function enqueueMail<Kind extends MailKind>(
  statements: Statements,
  vault: Vault,
  mail: NewMail<Kind>,
): Promise<boolean> {
  const { dedupeKey = null, kind, language, requester, to, user, values } = mail;
  if (to.endsWith(UNREACHABLE)) return false;
  if (BUDGETED_KINDS.includes(kind) && !(await hasMailBudget(statements, vault, mail))) {
    await recordSuppressedMail(statements, vault, mail);
    return false;
  }
  const messageId = randomUUID();
  const { kekId, sealed } = vault.seal(mailBound(messageId), JSON.stringify({ to, values }));
  const lifeMs = CODE_MAIL_KINDS.includes(kind) ? CODE_LIFE_MS : null;
  await statements.query(
    `insert into mail_outbox (user_id, kind, language, recipient_mac, kek_id, sealed, dedupe_key,
       message_id, expires_at, requested_from)
     values ($1, $2, $3, $4, $5, $6, $7, $8, now() + $9 * interval '1 ms', $10)
     on conflict (dedupe_key) do nothing`,
    [
      user,
      kind,
      language,
      vault.mac(RECIPIENT_LABEL, to.toLowerCase()),
      kekId,
      sealed,
      dedupeKey,
      messageId,
      lifeMs,
      requester === undefined ? null : vault.mac(REQUESTER_LABEL, requester.network),
    ],
  );
  return true;
}

/**
 * Whether the address can get another email of this kind, which strangers can cause. Holds until
 * the transaction ends: transactions about one recipient run one after another.
 */
export async function hasMailBudget(
  statements: Statements,
  vault: Vault,
  { kind, requester, to }: Pick<NewMail<MailKind>, 'kind' | 'requester' | 'to'>,
): Promise<boolean> {
  const macs = vault.macs(RECIPIENT_LABEL, to.toLowerCase());
  const name = `mail ${macs[0].toString('hex')}`;
  await statements.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
  const { rows } = await statements.query(
    `select count(*) as today,
       count(*) filter (where created_at > now() - interval '2 minutes') as recent,
       count(*) filter (where requested_from = any($3::bytea[])) as own
     from mail_outbox
     where recipient_mac = any($1::bytea[]) and created_at > now() - interval '1 day'
       and kind = $2 and state <> 'suppressed'`,
    [macs, kind, requester === undefined ? [] : vault.macs(REQUESTER_LABEL, requester.network)],
  );
  const [recent, today, own] = [rows[0].recent, rows[0].today, rows[0].own].map(Number);
  const isOpen = recent < MAILS_PER_2_MIN_MAX && today < MAILS_PER_DAY_MAX;
  if (requester === undefined) return isOpen;
  if (own >= MAILS_PER_REQUESTER_MAX) return false;
  // Strangers cannot use up the owner's share: a known network has a separate budget, and one link
  // per day beyond the budget goes to anyone who has not requested an email yet.
  return (
    isOpen || requester.isKnown || (requester.isLink && own === 0 && today <= MAILS_PER_DAY_MAX)
  );
}

/**
 * Inserts a row for an unsent email, so a request about an unknown address, or one too many, does
 * as much work as any other. Names no recipient, because only sent emails are counted.
 */
export async function recordSuppressedMail(
  statements: Statements,
  vault: Vault,
  mail: Pick<NewMail<MailKind>, 'kind' | 'language' | 'user'>,
): Promise<void> {
  const messageId = randomUUID();
  await statements.query(
    `insert into mail_outbox (user_id, kind, language, recipient_mac, message_id, state, settled_at)
     values ($1, $2, $3, $4, $5, 'suppressed', now())`,
    [mail.user, mail.kind, mail.language, vault.mac(RECIPIENT_LABEL, messageId), messageId],
  );
}

/** Returns the text that an email's sealed values are bound to. */
export function mailBound(messageId: string): string {
  return `mail ${messageId}`;
}
