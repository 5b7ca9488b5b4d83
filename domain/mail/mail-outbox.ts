// Mails to send, written in the transaction of their cause: both happen, or neither does. The
// address and the values are sealed; the notifier opens them, sends the mail and empties the row.

import { randomUUID } from 'node:crypto';
import type { UserId } from '../../core/money/index.ts';
import type { Statements } from '../../infra/postgres/index.ts';
import type { Vault } from '../vault/index.ts';
import { CODE_MAIL_KINDS, type MailKind, type MailValues } from './mail-kinds.ts';

export interface NewMail<Kind extends MailKind> {
  readonly user: UserId | null;
  readonly to: string;
  readonly language: string;
  readonly kind: Kind;
  readonly values: MailValues[Kind];
  /** A second mail with the same key is not written. */
  readonly dedupeKey?: string;
}

/** The life of a code that was sent by mail. */
export const CODE_LIFE_MS = 300_000;

export async function enqueueMail<Kind extends MailKind>(
  statements: Statements,
  vault: Vault,
  mail: NewMail<Kind>,
): Promise<void> {
  const { dedupeKey = null, kind, language, to, user, values } = mail;
  const messageId = randomUUID();
  const { kekId, sealed } = vault.seal(mailBound(messageId), JSON.stringify({ to, values }));
  const lifeMs = CODE_MAIL_KINDS.includes(kind) ? CODE_LIFE_MS : null;
  await statements.query(
    `insert into mail_outbox (user_id, kind, language, recipient_mac, kek_id, sealed, dedupe_key,
       message_id, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, now() + $9 * interval '1 ms')
     on conflict (dedupe_key) do nothing`,
    [
      user,
      kind,
      language,
      vault.mac('mail recipient', to.toLowerCase()),
      kekId,
      sealed,
      dedupeKey,
      messageId,
      lifeMs,
    ],
  );
}

/** The text that the sealed values of a mail are bound to. */
export function mailBound(messageId: string): string {
  return `mail ${messageId}`;
}
