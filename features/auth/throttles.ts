// Counts failed attempts and blocks subjects with too many. A subject is stored as a keyed hash and
// need not exist, so a counter reveals nothing about accounts. Concurrent attempts are settled one
// after another: once one of them has blocked the subject, the others learn nothing, right or
// wrong.

import type { UserId } from '../../core/money/index.ts';
import { WIDER_FACTOR, widerGroup } from '../../infra/access/index.ts';
import { isRowDenied, type Statements } from '../../infra/postgres/index.ts';
import type { Vault } from '../../platform/vault/index.ts';

/**
 * account: a typed email address, for unknown devices.
 * device:  one known device of a user.
 * factor:  a user's second factor, or the old password when changing it. Never blocked
 *          permanently, because a thief with the password could end the owner's access.
 */
export type ThrottleScope = 'account' | 'device' | 'factor';

export interface Throttled {
  readonly scope: ThrottleScope;
  /** The failing subject as text: a typed address, or a device ID. */
  readonly subject: string;
  readonly nowMs: number;
}

/** Attempts left before the next block; 0 if this failure caused one. */
export interface CountedFailure {
  readonly attemptsLeft: number;
}

/** Attempts that share an address; counted in a separate window from failures. */
export interface AddressBudget {
  readonly network: string;
  readonly attemptsMax: number;
  readonly nowMs: number;
}

export const FAILURES_PER_BLOCK = 5;
/** After this many failures in a row, only `clear` ends the block, except for factors. */
export const FAILURES_MAX = 100;
const FIRST_BLOCK_S = 300;
const BLOCK_S_MAX = 3_600;
/** For factors after FAILURES_MAX. */
const LONG_BLOCK_S = 86_400;
const ADDRESS_WINDOW_MS = 120_000;
const MAILS_MAX = 10;
const MAILS_WINDOW_MS = 600_000;
const ADDRESS_FAILURES_WINDOW_MS = 3_600_000;
/** Rows without a failure for this long are deleted, unless they block permanently. */
const KEPT_MS = 90 * 86_400_000;
const ROWS_PER_DELETE = 10_000;

export const Throttles = { check, admit, fail, succeed, clear };

/** Returns false while the subject is blocked. */
async function check(statements: Statements, vault: Vault, throttled: Throttled): Promise<boolean> {
  const { rows } = await statements.query(
    `select from login_throttles
     where scope = $1 and subject_mac = any($2::bytea[]) and blocked_until > $3`,
    valuesUnderAll(vault, throttled),
  );
  return rows.length === 0;
}

/**
 * Counts a failure. Returns 'blocked' if another attempt has blocked the subject. The caller must
 * then respond as to any blocked attempt, without revealing whether this one was right.
 */
async function fail(
  statements: Statements,
  vault: Vault,
  throttled: Throttled,
): Promise<CountedFailure | 'blocked'> {
  const { rows } = await statements.query(
    `insert into login_throttles as t (scope, subject_mac, failures, window_start)
     values ($1, $2, 1, $3)
     on conflict (scope, subject_mac) do update
     set failures = t.failures + 1, window_start = excluded.window_start,
       blocked_until = case
         when t.failures + 1 >= ${FAILURES_MAX} then case
           when t.scope <> 'factor' then 'infinity'::timestamptz
           when (t.failures + 1) % ${FAILURES_PER_BLOCK} = 0
             then excluded.window_start + ${LONG_BLOCK_S} * interval '1 s' end
         when (t.failures + 1) % ${FAILURES_PER_BLOCK} = 0 then excluded.window_start
           + least(${BLOCK_S_MAX}, ${FIRST_BLOCK_S}
             * 2 ^ ((t.failures + 1) / ${FAILURES_PER_BLOCK} - 1)) * interval '1 s'
       end
     where t.blocked_until is null or t.blocked_until <= excluded.window_start
     returning failures`,
    valuesOf(vault, throttled),
  );
  if (rows.length === 0) return 'blocked';
  const since = Number(rows[0].failures) % FAILURES_PER_BLOCK;
  return { attemptsLeft: since === 0 ? 0 : FAILURES_PER_BLOCK - since };
}

/**
 * Like `check`, for an attempt that is right so far; waits for attempts that are being counted.
 * Returns false if one of them has blocked the subject. The caller must then not reveal that this
 * one was right.
 */
async function admit(statements: Statements, vault: Vault, throttled: Throttled): Promise<boolean> {
  const { rows } = await statements.query(
    `select blocked_until > $3 as is_blocked from login_throttles
     where scope = $1 and subject_mac = any($2::bytea[]) order by subject_mac for update`,
    valuesUnderAll(vault, throttled),
  );
  return !rows.some(({ is_blocked }) => is_blocked === true);
}

/**
 * Clears the failures. Returns false if another attempt has blocked the subject. The caller must
 * then not reveal that this one was right.
 */
async function succeed(
  statements: Statements,
  vault: Vault,
  throttled: Throttled,
): Promise<boolean> {
  // The update waits for attempts that are being counted; a missing row has nothing to clear.
  const { rows } = await statements.query(
    `update login_throttles
     set failures = case when blocked_until > $3 then failures else 0 end,
       blocked_until = case when blocked_until > $3 then blocked_until end
     where scope = $1 and subject_mac = any($2::bytea[])
     returning blocked_until is null as is_open`,
    valuesUnderAll(vault, throttled),
  );
  return rows.every(({ is_open }) => is_open);
}

/**
 * Clears failures and blocks, because the owner has proven the address, for example with a reset.
 */
async function clear(
  statements: Statements,
  vault: Vault,
  { scope, subject }: Omit<Throttled, 'nowMs'>,
): Promise<void> {
  await statements.query(
    'delete from login_throttles where scope = $1 and subject_mac = any($2::bytea[])',
    [scope, subjectMacs(vault, scope, subject)],
  );
}

/**
 * Counts an attempt of the address. Returns the seconds to wait if its budget is used up, else 0.
 */
export async function chargeAddress(
  statements: Statements,
  vault: Vault,
  { attemptsMax, network, nowMs }: AddressBudget,
): Promise<number> {
  const windowMs = ADDRESS_WINDOW_MS;
  const waits = [0];
  for (const [name, factor] of countersOf(network)) {
    const subject = `attempts ${name}`;
    const { count, startMs } = await countAt(statements, vault, { subject, windowMs, nowMs });
    const waitS = Math.max(1, Math.ceil((startMs + windowMs - nowMs) / 1_000));
    if (count > attemptsMax * factor) waits.push(waitS);
  }
  return Math.max(...waits);
}

/** The network, and its /48 with a larger limit. */
function countersOf(network: string): (readonly [name: string, factor: number])[] {
  const wider = widerGroup(network);
  return [[network, 1], ...(wider === undefined ? [] : [[wider, WIDER_FACTOR] as const])];
}

/**
 * Counts an email that a user causes in a session. Returns the seconds to wait after too many, else
 * 0.
 */
export async function chargeMails(
  statements: Statements,
  vault: Vault,
  { nowMs, user }: { readonly user: UserId; readonly nowMs: number },
): Promise<number> {
  const { count, startMs } = await countAt(statements, vault, {
    subject: `mails ${user}`,
    windowMs: MAILS_WINDOW_MS,
    nowMs,
  });
  if (count <= MAILS_MAX) return 0;
  return Math.max(1, Math.ceil((startMs + MAILS_WINDOW_MS - nowMs) / 1_000));
}

/** Counts a failure of the address. Failures require a captcha but never block. */
export async function countAddressFailure(
  statements: Statements,
  vault: Vault,
  { network, nowMs }: Pick<AddressBudget, 'network' | 'nowMs'>,
): Promise<void> {
  const windowMs = ADDRESS_FAILURES_WINDOW_MS;
  for (const [name] of countersOf(network)) {
    await countAt(statements, vault, { subject: `failures ${name}`, windowMs, nowMs });
  }
}

/**
 * Returns the failures of an address within the current hour; those of its /48 count for a
 * fraction.
 */
export async function addressFailures(
  statements: Statements,
  vault: Vault,
  { network, nowMs }: Pick<AddressBudget, 'network' | 'nowMs'>,
): Promise<number> {
  const counts = [0];
  for (const [name, factor] of countersOf(network)) {
    const { rows } = await statements.query(
      `select failures from login_throttles
       where scope = 'address' and subject_mac = $1 and window_start > $2`,
      [
        subjectMac(vault, 'address', `failures ${name}`),
        new Date(nowMs - ADDRESS_FAILURES_WINDOW_MS),
      ],
    );
    counts.push(Math.floor(Number(rows[0]?.failures ?? 0) / factor));
  }
  return Math.max(...counts);
}

/** Deletes expired counters; returns the number. For a scheduled job. */
export async function dropOldThrottles(statements: Statements, nowMs: number): Promise<number> {
  const { rowCount } = await statements.query(
    `delete from login_throttles where (scope, subject_mac) in (
       select scope, subject_mac from login_throttles
       where window_start < $1 and blocked_until is distinct from 'infinity'
       order by window_start limit ${ROWS_PER_DELETE})`,
    [new Date(nowMs - KEPT_MS)],
  );
  return rowCount ?? 0;
}

async function countAt(
  statements: Statements,
  vault: Vault,
  counted: { readonly subject: string; readonly windowMs: number; readonly nowMs: number },
): Promise<{ readonly count: number; readonly startMs: number }> {
  const { nowMs, subject, windowMs } = counted;
  const { rows } = await statements.query(
    `insert into login_throttles as t (scope, subject_mac, failures, window_start)
     values ('address', $1, 1, $2)
     on conflict (scope, subject_mac) do update
     set failures = case when t.window_start <= $3 then 1 else t.failures + 1 end,
       window_start = case when t.window_start <= $3 then $2 else t.window_start end
     returning failures, window_start`,
    [subjectMac(vault, 'address', subject), new Date(nowMs), new Date(nowMs - windowMs)],
  );
  return { count: Number(rows[0].failures), startMs: rows[0].window_start.getTime() };
}

function valuesOf(vault: Vault, { nowMs, scope, subject }: Throttled): unknown[] {
  return [scope, subjectMac(vault, scope, subject), new Date(nowMs)];
}

// A block from before a key rotation stays in force; only the counting restarts.
function valuesUnderAll(vault: Vault, { nowMs, scope, subject }: Throttled): unknown[] {
  return [scope, subjectMacs(vault, scope, subject), new Date(nowMs)];
}

function subjectMacs(vault: Vault, scope: string, subject: string): Buffer[] {
  return vault.macs(`throttle ${scope}`, subject);
}

function subjectMac(vault: Vault, scope: string, subject: string): Buffer {
  return vault.mac(`throttle ${scope}`, subject);
}

/**
 * Resolves with `otherwise` if only the operators' process can write the account: PostgreSQL denies
 * its rows to others, and the response must not reveal that the account is an operator's.
 */
export async function unlessRowDenied<Result>(
  work: () => Promise<Result>,
  otherwise: Result,
): Promise<Result> {
  try {
    return await work();
  } catch (fault) {
    if (isRowDenied(fault)) return otherwise;
    throw fault;
  }
}
