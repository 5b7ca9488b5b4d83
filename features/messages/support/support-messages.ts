// Support messages, including from people without an account: stored, and emailed to the operator's
// address in the same transaction. A message must never reach an email's headers except through the
// email's own escaping.

import { randomUUID } from 'node:crypto';
import { HOUR_MS } from '../../../core/market-data/index.ts';
import type { UserId } from '../../../core/money/index.ts';
import {
  type Connection,
  idOf,
  inTransaction,
  type Statements,
} from '../../../infra/postgres/index.ts';
import type { Vault } from '../../../platform/vault/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { normalEmail } from '../../accounts/index.ts';
import { enqueueMail } from '../mail/mail-outbox.ts';

export interface SupportContent {
  readonly email: string;
  readonly category: string;
  readonly subject: string;
  readonly description: string;
}

export interface SupportMessage extends SupportContent {
  readonly reference: string;
  /** Account with the address; the sender can be another person. */
  readonly user: UserId | null;
  readonly createdAt: Date;
}

/** From all senders together within an hour, so a flood does not bury the operator's mailbox. */
export const MESSAGES_PER_HOUR_MAX = 120;
const RETRY_AFTER_S = 600;
const LOCK_NAME = 'support messages';

/** Returns the reference that sender and operator use for the message. */
export function sendSupportMessage(
  connection: Connection,
  vault: Vault,
  asked: { readonly content: SupportContent; readonly to: string; readonly nowMs: number },
): Promise<{ readonly reference: string } | Refused<'support_messages_too_many'>> {
  const { nowMs, to } = asked;
  const content = { ...asked.content, email: normalEmail(asked.content.email) };
  return inTransaction(connection, async () => {
    await connection.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [LOCK_NAME]);
    const now = new Date(nowMs);
    const { rows } = await connection.query(
      `select count(*) as sent from (
         select from support_messages where created_at > $1 limit ${MESSAGES_PER_HOUR_MAX}) recent`,
      [new Date(nowMs - HOUR_MS)],
    );
    if (Number(rows[0].sent) >= MESSAGES_PER_HOUR_MAX) {
      return new Refused('support_messages_too_many', {}, RETRY_AFTER_S);
    }
    const reference = randomUUID();
    const { kekId, sealed } = vault.seal(supportBound(reference), JSON.stringify(content));
    await connection.query(
      `insert into support_messages (user_id, kek_id, sealed, reference, created_at)
       values ((select id from users where lower(email) = $1), $2, $3, $4, $5)`,
      [content.email, kekId, sealed, reference, now],
    );
    const { category, description, email: sender, subject } = content;
    await enqueueMail(connection, vault, {
      user: null,
      to,
      language: 'en',
      kind: 'support_message',
      values: { sender, category, subject, message: `${description}\n\n${reference}` },
    });
    return { reference };
  });
}

/** Returns messages newest first. */
export async function listSupportMessages(
  statements: Statements,
  vault: Vault,
  { limit }: { readonly limit: number },
): Promise<SupportMessage[]> {
  const { rows } = await statements.query(
    `select user_id, kek_id, sealed, reference, created_at from support_messages
     order by created_at desc, id desc limit $1`,
    [limit],
  );
  return rows.map(({ created_at, kek_id, reference, sealed, user_id }) => ({
    ...JSON.parse(
      vault.open(supportBound(reference), { kekId: idOf<number>(kek_id), sealed }).toString(),
    ),
    reference,
    user: user_id === null ? null : idOf<UserId>(user_id),
    createdAt: created_at,
  }));
}

/** Returns the text that a message is bound to. */
export function supportBound(reference: string): string {
  return `support ${reference}`;
}
