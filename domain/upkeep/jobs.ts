// Scheduled jobs. Each works in small batches until nothing is left to do, and may be repeated or
// killed at any instruction. Times are compared with the clock that the caller passes.

import type { UserId } from '../../core/money/index.ts';
import {
  closeDueAccounts,
  eraseUser,
  listUsersToErase,
  renewTokens,
} from '../../features/accounts/index.ts';
import { expireApprovals } from '../../features/approvals/index.ts';
import { anchorAudit, checkpointAudit } from '../../features/audit/index.ts';
import {
  dropOldLogins,
  dropOldThrottles,
  ensureLoginPartitions,
} from '../../features/auth/index.ts';
import { cautiousPrices } from '../../features/market-data/index.ts';
import { enqueueMail } from '../../features/messages/index.ts';
import { expireWithdrawal, listWithdrawalsToExpire } from '../../features/payments/index.ts';
import { hasReferralCodes, runReferralBatches } from '../../features/referral/index.ts';
import { closeFeeDay, makeLedgerStep } from '../../features/reports/index.ts';
import { accrueRewards, advanceStakes, repeatRefused } from '../../features/staking/index.ts';
import { runSurveillance } from '../../features/surveillance/index.ts';
import {
  type Connection,
  idOf,
  type Statements,
  withConnection,
} from '../../infra/postgres/index.ts';
import type { Vault } from '../../platform/vault/index.ts';

export interface JobContext {
  readonly pool: Statements & Parameters<typeof withConnection>[0];
  readonly vault: Vault;
  readonly nowMs: number;
  /** How long closed accounts keep their personal data. */
  readonly retentionMs: number;
  /** Rows of one batch. */
  readonly batch: number;
  /** The schema of the projected tables, in the same database. */
  readonly projectionSchema: string;
}

export interface Job {
  readonly name: string;
  /** Minute, hour, day, month and weekday, in UTC. */
  readonly schedule: string;
  /** Returns the number of rows that it changed. */
  run(context: JobContext): Promise<number>;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const UNVERIFIED_LIFE_MS = 7 * DAY_MS;
const MAIL_LOG_MS = 30 * DAY_MS;
/** Used and expired codes still explain a second click for a day. */
const OLD_CODES_MS = DAY_MS;
const PENDING_FACTOR_MS = DAY_MS;
const OLD_INVITATIONS_MS = 30 * DAY_MS;
/** Operators may have to explain a withdrawal to an address that is no longer in the book. */
const REMOVED_ADDRESSES_MS = 396 * DAY_MS;
/** Look-ups are kept for as long as people may ask about them. */
const OLD_LOOKUPS_MS = 396 * DAY_MS;
/** Personal values of requests stay readable for an investigation. */
const OLD_APPROVALS_MS = 396 * DAY_MS;
/** As long as the record of logins. */
const OLD_SESSIONS_MS = 396 * DAY_MS;
/** As long as an authority may ask about them. */
const OLD_FINDINGS_MS = 5 * 366 * DAY_MS;
/** Long enough for a dispute. */
const OLD_SUPPORT_MS = 396 * DAY_MS;
const REFERRAL_TRADES_PER_BATCH = 100_000;
/** Longer than any list may take. */
const EXPORT_LIFE_MS = 900_000;
/** Other jobs run between these. */
const LEDGER_STEPS_PER_RUN = 100;
const FOREIGN_KEY_VIOLATION = '23503';

/** A password waits in the code of a sign-up; it goes with its unverified user. */
const HOLDS_PASSWORD = `(purpose = 'verify_email' and exists (
  select from users u where u.id = user_id and u.state = 'unverified'))`;

export const JOBS: readonly Job[] = [
  { name: 'keep_login_partitions', schedule: '7 0 * * *', run: keepLoginPartitions },
  { name: 'delete_old_logins', schedule: '17 2 * * *', run: deleteOldLogins },
  { name: 'remove_unverified_users', schedule: '27 * * * *', run: removeUnverifiedUsers },
  { name: 'close_accounts', schedule: '37 * * * *', run: closeAccounts },
  { name: 'erase_closed_accounts', schedule: '37 3 * * *', run: eraseClosedAccounts },
  {
    // For data from before there were tokens; a rotation makes its own.
    name: 'make_personal_tokens',
    schedule: '9 * * * *',
    run: ({ batch, pool, vault }) => renewTokens(pool, vault, batch),
  },
  { name: 'count_stake_rewards', schedule: '1,16,31,46 * * * *', run: countStakeRewards },
  { name: 'settle_stakes', schedule: '* * * * *', run: settleStakes },
  { name: 'sum_ledger', schedule: '* * * * *', run: sumLedger },
  { name: 'sum_fees', schedule: '23 * * * *', run: sumFees },
  { name: 'count_referral_shares', schedule: '2 */4 * * *', run: countReferralShares },
  {
    name: 'delete_spent_challenges',
    schedule: '*/10 * * * *',
    run: deleting('spent_challenges', 'expires_at < $1', 0),
  },
  { name: 'expire_withdrawals', schedule: '* * * * *', run: expireWithdrawals },
  { name: 'surveillance', schedule: '* * * * *', run: surveillance },
  {
    name: 'delete_old_findings',
    schedule: '32 2 * * *',
    run: deleting('findings', 'closed_at < $1', OLD_FINDINGS_MS),
  },
  { name: 'anchor_audit', schedule: '3 * * * *', run: anchorAuditHead },
  { name: 'checkpoint_audit', schedule: '* * * * *', run: signAuditHead },
  {
    name: 'expire_approvals',
    schedule: '* * * * *',
    run: ({ nowMs, pool }) => expireApprovals(pool, nowMs),
  },
  { name: 'end_lost_exports', schedule: '*/10 * * * *', run: endLostExports },
  { name: 'delete_old_throttles', schedule: '47 * * * *', run: deleteOldThrottles },
  {
    name: 'delete_old_codes',
    schedule: '57 * * * *',
    run: deleting('codes', `expires_at < $1 and not ${HOLDS_PASSWORD}`, OLD_CODES_MS),
  },
  {
    name: 'delete_pending_factors',
    schedule: '12 * * * *',
    run: deleting('totp_secrets', `state = 'pending' and created_at < $1`, PENDING_FACTOR_MS),
  },
  {
    name: 'delete_old_mails',
    schedule: '22 * * * *',
    run: deleting('mail_outbox', 'settled_at < $1', MAIL_LOG_MS),
  },
  {
    name: 'delete_old_lookups',
    schedule: '2 3 * * *',
    run: deleting('data_lookups', 'at < $1', OLD_LOOKUPS_MS),
  },
  {
    name: 'delete_old_approval_keys',
    schedule: '12 3 * * *',
    run: deleting(
      'approval_keys',
      'request_id in (select id from approval_requests where ended_at < $1)',
      OLD_APPROVALS_MS,
    ),
  },
  {
    name: 'delete_old_support_messages',
    schedule: '52 2 * * *',
    run: deleting('support_messages', 'created_at < $1', OLD_SUPPORT_MS),
  },
  {
    name: 'delete_old_sessions',
    schedule: '42 2 * * *',
    run: deleting('sessions', 'least(revoked_at, expires_at) < $1', OLD_SESSIONS_MS),
  },
  {
    name: 'delete_old_invitations',
    schedule: '32 4 * * *',
    run: deleting('invitations', 'expires_at < $1', OLD_INVITATIONS_MS),
  },
  {
    name: 'delete_removed_addresses',
    schedule: '52 4 * * *',
    run: deleting('address_book', 'removed_at < $1', REMOVED_ADDRESSES_MS),
  },
];

/**
 * Deletes the rows of a table that were over for `keptMs`. The condition has the time as $1. The
 * rows are not locked first: that needs the right to change them, which the notifier has not.
 */
function deleting(table: string, condition: string, keptMs: number): Job['run'] {
  return ({ batch, nowMs, pool }) =>
    inBatches(batch, async () => {
      const { rowCount } = await pool.query(
        `delete from ${table} where ctid = any(array(
           select ctid from ${table} where ${condition} limit $2))`,
        [new Date(nowMs - keptMs), batch],
      );
      return rowCount ?? 0;
    });
}

/** Returns the number of batches. Each values fees at the cautious prices of its end. */
async function countReferralShares({ pool, projectionSchema }: JobContext): Promise<number> {
  if (!(await hasReferralCodes(pool))) return 0;
  return withConnection(pool, (connection) =>
    runReferralBatches(connection, {
      projectionSchema,
      tradesPerBatch: REFERRAL_TRADES_PER_BATCH,
      pricesAt: (quote, at) => cautiousPrices(connection, { quote, projectionSchema, at }),
    }),
  );
}

/**
 * Returns the number of days of pools, and of movements that the engine gets again because it had
 * refused them. Midnight is in the time zone of the exchange, so it runs four times an hour.
 */
async function countStakeRewards(context: JobContext): Promise<number> {
  const { batch, nowMs, pool, projectionSchema } = context;
  return withConnection(pool, async (connection) => {
    const repeated = await repeatRefused(connection, batch);
    const days = await accrueRewards(connection, {
      nowMs,
      batch,
      priceAt: async ({ at, currency, quote }) => {
        const question = { quote, currencies: [currency], projectionSchema, at };
        return (await cautiousPrices(connection, question))[currency];
      },
    });
    return days + repeated;
  });
}

/** Returns the number of days. */
function sumFees({ pool, projectionSchema }: JobContext): Promise<number> {
  return withConnection(pool, (connection) =>
    untilNothing(async () => ((await closeFeeDay(connection, { projectionSchema })) ? 1 : 0)),
  );
}

/** Returns the number of entries. */
function sumLedger({ nowMs, pool, projectionSchema }: JobContext): Promise<number> {
  return withConnection(pool, async (connection) => {
    let entries = 0;
    for (let step = 0; step < LEDGER_STEPS_PER_RUN; step++) {
      const taken = await makeLedgerStep(connection, { nowMs, projectionSchema });
      if (taken === 0) break;
      entries += taken;
    }
    return entries;
  });
}

function settleStakes({ batch: limit, nowMs, pool }: JobContext): Promise<number> {
  return withConnection(pool, (connection) => advanceStakes(connection, { nowMs, limit }));
}

function surveillance({ nowMs, pool, projectionSchema }: JobContext): Promise<number> {
  return withConnection(pool, (connection) =>
    runSurveillance(connection, { nowMs, projectionSchema }),
  );
}

async function keepLoginPartitions({ nowMs, pool }: JobContext): Promise<number> {
  return (await ensureLoginPartitions(pool, nowMs)).length;
}

function anchorAuditHead({ pool }: JobContext): Promise<number> {
  return withConnection(pool, anchorAudit);
}

function signAuditHead({ nowMs, pool, vault }: JobContext): Promise<number> {
  return checkpointAudit(pool, vault, nowMs);
}

async function deleteOldLogins({ nowMs, pool }: JobContext): Promise<number> {
  return untilNothing(async () => {
    const { partitions, rows } = await dropOldLogins(pool, nowMs);
    return partitions.length + rows;
  });
}

function deleteOldThrottles({ nowMs, pool }: JobContext): Promise<number> {
  return untilNothing(() => dropOldThrottles(pool, nowMs));
}

// One statement for each user: a user with rows that must stay blocks no other.
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

/** The state is checked again: the user may have verified the address in the meantime. */
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

/** Each in a transaction of its own: a request that somebody holds delays no other. */
function expireWithdrawals({ batch: limit, nowMs, pool }: JobContext): Promise<number> {
  return inBatches(limit, async () => {
    const ids = await listWithdrawalsToExpire(pool, { limit, nowMs });
    for (const id of ids) {
      await withConnection(pool, (connection) => expireWithdrawal(connection, { id, nowMs }));
    }
    return ids.length;
  });
}

/** The gateway that sent them stopped: nobody knows how much of them arrived. */
async function endLostExports({ nowMs, pool }: JobContext): Promise<number> {
  const { rowCount } = await pool.query(
    `update exports set state = 'broken', ended_at = $1
     where state = 'sending' and started_at < $2`,
    [new Date(nowMs), new Date(nowMs - EXPORT_LIFE_MS)],
  );
  return rowCount ?? 0;
}

/** The last mail goes to an address that the erasure removes, so it is written with it. */
async function eraseOne(
  connection: Connection,
  vault: Vault,
  { nowMs, user }: { readonly user: UserId; readonly nowMs: number },
): Promise<void> {
  const time = new Date(nowMs).toISOString();
  // A deposit may have made the account active in the meantime: then nothing is erased or sent.
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

/** Repeats the step until it changes fewer rows than a batch has. */
async function inBatches(batch: number, step: () => Promise<number>): Promise<number> {
  let total = 0;
  for (;;) {
    const count = await step();
    total += count;
    if (count < batch) return total;
  }
}

async function untilNothing(step: () => Promise<number>): Promise<number> {
  return inBatches(1, step);
}
