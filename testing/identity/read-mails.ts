// Reads pending emails from the outbox, like their recipients would.

import type { UserId } from '../../core/money/index.ts';
import { mailBound } from '../../features/messages/index.ts';
import { idOf, type Statements } from '../../infra/postgres/index.ts';
import type { Vault } from '../../platform/vault/index.ts';

export interface ReadMail {
  readonly id: number;
  readonly kind: string;
  readonly language: string;
  readonly to: string;
  // biome-ignore lint/suspicious/noExplicitAny: the values depend on the kind of email.
  readonly values: any;
}

export interface MailFilter {
  /** Null for emails to recipients without an account. */
  readonly user?: UserId | null;
  readonly to?: string;
  readonly kind?: string;
}

/** Returns emails oldest first. Suppressed and sent emails cannot be read. */
export async function readMails(
  statements: Statements,
  vault: Vault,
  { kind, to, user }: MailFilter = {},
): Promise<readonly ReadMail[]> {
  const { rows } = await statements.query(
    `select id, kind, language, message_id, kek_id, sealed from mail_outbox
     where sealed is not null and ($1 or user_id is not distinct from $2)
       and ($3::bytea is null or recipient_mac = $3) and ($4::text is null or kind = $4)
     order by id`,
    [
      user === undefined,
      user ?? null,
      to === undefined ? null : vault.mac('mail recipient', to.toLowerCase()),
      kind ?? null,
    ],
  );
  return rows.map((row) => {
    const sealed = { kekId: idOf<number>(row.kek_id), sealed: row.sealed };
    const opened = JSON.parse(vault.open(mailBound(row.message_id), sealed).toString());
    return { id: idOf(row.id), kind: row.kind, language: row.language, ...opened };
  });
}

/** Throws if there is no email. */
export async function readLastMail(
  statements: Statements,
  vault: Vault,
  filter: MailFilter,
): Promise<ReadMail> {
  const mail = (await readMails(statements, vault, filter)).at(-1);
  if (mail === undefined) throw new Error(`no email: ${JSON.stringify(filter)}`);
  return mail;
}
