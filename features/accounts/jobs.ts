// Scheduled account jobs for unverified, closing and closed accounts.

import { DAY_MS } from '../../core/market-data/index.ts';
import type { UserId } from '../../core/money/index.ts';
import {
  type Connection,
  idOf,
  type Statements,
  withConnection,
} from '../../infra/postgres/index.ts';
import { inBatches, type Job, type JobContext } from '../../platform/jobs/index.ts';
import type { Vault } from '../../platform/vault/index.ts';
import { enqueueMail } from '../messages/index.ts';
import { closeDueAccounts } from './closing.ts';
import { eraseUser, listUsersToErase } from './erasure.ts';
import { renewTokens } from './personal-data.ts';

const UNVERIFIED_LIFE_MS = 7 * DAY_MS;
const FOREIGN_KEY_VIOLATION = '23503';

export const ACCOUNTS_JOBS: readonly Job[] = [
  { name: 'remove_unverified_users', schedule: '27 * * * *', run: removeUnverifiedUsers },
  { name: 'close_accounts', schedule: '37 * * * *', run: closeAccounts },
  { name: 'erase_closed_accounts', schedule: '37 3 * * *', run: eraseClosedAccounts },
  {
    // For data from before tokens existed; a rotation creates its own.
    name: 'make_personal_tokens',
    schedule: '9 * * * *',
    run: ({ batch, pool, vault }) => renewTokens(pool, vault, batch),
  },
];

// One statement per user, so a user with rows that must stay does not block the others.
async function removeUnverifiedUsers({ batch, nowMs, pool }: JobContext): Promise<number> {
  const before = new Date(nowMs - UNVERIFIED_LIFE_MS);
  let removed = 0;
  let last = { id: 0, since: '-infinity' };
  for (;;) {
    const { rows } = await pool.query(
      `select id, state_since::text as since from users
       where state = 'unverified' and state_since < $1 and (state_since, id) > ($2, $3)
       order by state_since, id limit $4`,
      [before, last.since, last.id, batch],
    );
    for (const row of rows) {
      last = { id: idOf(row.id), since: row.since };
      removed += await removeUnverified(pool, last.id, before);
    }
    if (rows.length < batch) return removed;
  }
}

/** Checks the state again, because the user might have verified the address in the meantime. */
async function removeUnverified(pool: Statements, id: number, before: Date): Promise<number> {
  try {
    const { rowCount } = await pool.query(
      `delete from users where id = $1 and state = 'unverified' and state_since < $2`,
      [id, before],
    );
    return rowCount ?? 0;
  } catch (fault) {
    if ((fault as { code?: string }).code === FOREIGN_KEY_VIOLATION) return 0;
    throw fault;
  }
}

function closeAccounts({ batch: limit, nowMs, pool }: JobContext): Promise<number> {
  return inBatches(limit, () => closeDueAccounts(pool, { limit, nowMs }));
}

function eraseClosedAccounts(context: JobContext): Promise<number> {
  const { batch: limit, nowMs, pool, retentionMs, vault } = context;
  const closedBefore = new Date(nowMs - retentionMs);
  return inBatches(limit, async () => {
    const users = await listUsersToErase(pool, { closedBefore, limit });
    for (const user of users) {
      await withConnection(pool, (connection) => eraseOne(connection, vault, { user, nowMs }));
    }
    return users.length;
  });
}

/** The last email goes to an address that the erasure removes, so both are one transaction. */
async function eraseOne(
  connection: Connection,
  vault: Vault,
  { nowMs, user }: { readonly user: UserId; readonly nowMs: number },
): Promise<void> {
  const time = new Date(nowMs).toISOString();
  // A deposit might have reactivated the account in the meantime; then nothing is erased or sent.
  await eraseUser(connection, user, async ({ email, language }) => {
    await enqueueMail(connection, vault, {
      user: null,
      to: email,
      language,
      kind: 'account_erased',
      values: { time, ip: '', country: '', device: '', freezeToken: '' },
      dedupeKey: `account erased ${user}`,
    });
  });
}
