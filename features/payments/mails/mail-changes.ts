// Creates emails for changes of deposits and withdrawals. An email and the mark on its change are
// one transaction, and the email's key is unique, so a request causes each email exactly once, even
// if a notifier is killed or several run.

import type { UserId } from '../../../core/money/index.ts';
import { type Connection, inTransaction } from '../../../infra/postgres/index.ts';
import type { Vault } from '../../../platform/vault/index.ts';
import { freezeToken } from '../../auth/index.ts';
import { enqueueMail } from '../../messages/index.ts';
import { CHANGE_COLUMNS, CHANGE_REQUESTS, changeOf } from '../transfer-changes.ts';
import { mailOfChange } from './mail-of-change.ts';

export interface MailChangesOptions {
  readonly vault: Vault;
  readonly limit: number;
  readonly nowMs: number;
}

/** Returns the number of processed changes; fewer than the limit if none is left. */
export function mailChanges(connection: Connection, options: MailChangesOptions): Promise<number> {
  const { limit, nowMs, vault } = options;
  return inTransaction(connection, async () => {
    const { rows } = await connection.query(DUE, [limit]);
    for (const row of rows) {
      if (!row.has_mailbox || row.with_mail === false) continue;
      const mail = mailOfChange({
        change: changeOf(row),
        from: row.previous_state ?? undefined,
        isByKey: row.is_by_key,
        isByOperator: row.with_mail === true,
      });
      if (mail === undefined) continue;
      const user = Number(row.user_id) as UserId;
      const token = mail.canStillBeStopped ? freezeToken(vault, user, nowMs) : '';
      await enqueueMail(connection, vault, {
        user,
        to: row.email,
        language: row.language,
        kind: mail.kind,
        values: { ...mail.values, freezeToken: token } as never,
        dedupeKey: mail.dedupeKey,
      });
    }
    if (rows.length > 0) {
      await connection.query('update transfer_changes set mailed_at = now() where id = any($1)', [
        rows.map(({ id }) => id),
      ]);
    }
    return rows.length;
  });
}

/** Sub-accounts, house accounts and erased users have no mailbox. */
const DUE = `
  select ${CHANGE_COLUMNS}, u.email, coalesce(u.settings ->> 'language', 'en') as language,
    u.kind = 'person' and u.state <> 'erased' as has_mailbox,
    coalesce(w.key_id, 0) <> 0 as is_by_key, coalesce(w.with_mail, d.with_mail) as with_mail,
    (
      select p.state from transfer_changes p
      where p.id < c.id and p.withdrawal_request = c.withdrawal_request
      order by p.id desc limit 1
    ) as previous_state
  from (
    select * from transfer_changes where mailed_at is null
    order by id limit $1 for no key update skip locked
  ) c ${CHANGE_REQUESTS}
  join users u on u.id = c.user_id
  order by c.id`;
