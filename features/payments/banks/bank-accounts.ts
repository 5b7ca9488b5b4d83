// Users' bank accounts: added by their owner or an operator, verified or rejected by an operator,
// sealed with the owner's key. Fiat is paid only to a verified account. Fields never change: a
// changed account is a new, pending account with a new ID. A change runs in one transaction after
// locking the owner; operators' changes run in the transaction of their action.

import { randomBytes } from 'node:crypto';
import type { UserId } from '../../../core/money/index.ts';
import {
  type Connection,
  idOf,
  inTransaction,
  type Statements,
} from '../../../infra/postgres/index.ts';
import type { Vault } from '../../../platform/vault/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { findPersonalKey, lockPersonalKey, type PersonalKey } from '../../accounts/index.ts';
import type { VerificationStatus } from '../api/bank-account.ts';

/** `type`, and the fields that the operator defined for it. */
export type BankFields = Readonly<Record<string, string>>;

export interface BankAccount {
  /** 16 hexadecimal digits. */
  readonly id: string;
  readonly status: VerificationStatus;
  readonly fields: BankFields;
  readonly decidedAt: Date | null;
  /** From the operator who rejected it; '' if there is none. */
  readonly message: string;
  readonly createdAt: Date;
  /** Null if the owner entered it. */
  readonly enteredBy: UserId | null;
  /** Last operator who decided; null if undecided. */
  readonly decidedBy: UserId | null;
}

export type BankRefusal =
  | OwnerRefusal
  | 'bank_accounts_too_many'
  | 'bank_account_unknown'
  | 'bank_account_verified'
  | 'bank_account_own'
  | 'bank_account_unverifiable';

type OwnerRefusal = 'user_not_found' | 'account_deactivated';

/** Counts pending and verified accounts, but not rejected ones. */
export const BANK_ACCOUNTS_MAX = 3;
const LISTED_MAX = 20;
const TOO_MANY = new Refused('bank_accounts_too_many', { max: BANK_ACCOUNTS_MAX });

/** Returns the user's accounts that are not removed, oldest first. */
export async function listBankAccounts(
  statements: Statements,
  vault: Vault,
  user: UserId,
): Promise<BankAccount[]> {
  const { rows } = await statements.query(
    `select id, status, sealed, decided_at, message, created_at, entered_by, decided_by
     from (
       select * from bank_accounts where user_id = $1 and removed_at is null
       order by created_at desc, id desc limit ${LISTED_MAX}) newest
     order by created_at, id`,
    [user],
  );
  if (rows.length === 0) return [];
  const key = await findPersonalKey(statements, vault, user);
  return key === undefined ? [] : rows.map((row) => accountOf(key, user, row));
}

/** Returns users with accounts pending verification, longest wait first. */
export async function listUsersWithPendingBanks(
  statements: Statements,
  { limit }: { readonly limit: number },
): Promise<UserId[]> {
  const { rows } = await statements.query(
    `select user_id from bank_accounts where status = 'pending' and removed_at is null
     order by created_at, id limit $1`,
    [limit],
  );
  return [...new Set(rows.map(({ user_id }) => idOf<UserId>(user_id)))];
}

/** Adds an account pending verification. Returns all of the user's accounts. */
export function addBankAccount(
  connection: Connection,
  vault: Vault,
  { fields, user }: { readonly user: UserId; readonly fields: BankFields },
): Promise<BankAccount[] | Refused<BankRefusal>> {
  return inTransaction(connection, async () => {
    const key = await lockOwner(connection, vault, user);
    if (key instanceof Refused) return key;
    if ((await countLive(connection, user)) >= BANK_ACCOUNTS_MAX) return TOO_MANY;
    await insertAccount(connection, key, { user, fields, status: 'pending', enteredBy: null });
    return listBankAccounts(connection, vault, user);
  });
}

export interface BankDecision {
  readonly user: UserId;
  readonly id: string;
  /** Never the owner. */
  readonly operator: UserId;
}

/**
 * Records that an operator verified the account as the user's own. Runs in the caller's
 * transaction.
 */
export function verifyBankAccount(
  connection: Connection,
  vault: Vault,
  decision: BankDecision,
): Promise<BankAccount[] | Refused<BankRefusal>> {
  return decide(connection, vault, decision, 'verified');
}

/** Rejects a pending account, or revokes a verified one. Runs in the caller's transaction. */
export function revokeBankAccount(
  connection: Connection,
  vault: Vault,
  decision: BankDecision & { readonly message?: string | undefined },
): Promise<BankAccount[] | Refused<BankRefusal>> {
  return decide(connection, vault, decision, 'rejected', decision.message);
}

export interface GivenBankAccount {
  /** ID of an existing account. It is kept if the fields are the same, and replaced otherwise. */
  readonly id?: string | undefined;
  /** Defaults to pending for new fields, and to no change for a kept account. */
  readonly status?: VerificationStatus | undefined;
  readonly fields: BankFields;
}

/**
 * Replaces the list as an operator and removes accounts missing from it. Never verifies new fields,
 * not even under an existing ID. Runs in the caller's transaction, which is rolled back after a
 * rejection.
 */
export async function replaceBankAccounts(
  connection: Connection,
  vault: Vault,
  asked: {
    readonly user: UserId;
    readonly operator: UserId;
    readonly accounts: readonly GivenBankAccount[];
  },
): Promise<BankAccount[] | Refused<BankRefusal>> {
  const { accounts, operator, user } = asked;
  if (operator === user) return new Refused('bank_account_own');
  const key = await lockOwner(connection, vault, user);
  if (key instanceof Refused) return key;
  const present = new Map(
    (await listBankAccounts(connection, vault, user)).map((account) => [account.id, account]),
  );
  const given = accounts.flatMap(({ id }) => (id === undefined ? [] : [id]));
  if (new Set(given).size < given.length || given.some((id) => !present.has(id))) {
    return new Refused('bank_account_unknown');
  }
  const isKept = ({ fields, id }: GivenBankAccount) =>
    id !== undefined && areSameFields(fields, present.get(id)?.fields ?? {});
  const kept = accounts.filter(isKept);
  const entered = accounts.filter((account) => !isKept(account));
  if (entered.some(({ status }) => status === 'verified')) {
    return new Refused('bank_account_unverifiable');
  }
  await connection.query(
    `update bank_accounts set removed_at = now()
     where user_id = $1 and removed_at is null and id <> all($2::text[])`,
    [user, kept.map(({ id }) => id)],
  );
  for (const { id = '', status } of kept) {
    if (status === undefined || status === present.get(id)?.status) continue;
    await connection.query(
      `update bank_accounts set status = $2, decided_by = $3, decided_at = now() where id = $1`,
      [id, status, operator],
    );
  }
  for (const { fields, status = 'pending' } of entered) {
    await insertAccount(connection, key, { user, fields, status, enteredBy: operator });
  }
  if ((await countLive(connection, user)) > BANK_ACCOUNTS_MAX) return TOO_MANY;
  return listBankAccounts(connection, vault, user);
}

function areSameFields(one: BankFields, other: BankFields): boolean {
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && one[name] === other[name])
  );
}

async function decide(
  connection: Connection,
  vault: Vault,
  { id, operator, user }: BankDecision,
  status: 'verified' | 'rejected',
  message = '',
): Promise<BankAccount[] | Refused<BankRefusal>> {
  if (operator === user) return new Refused('bank_account_own');
  const key = await lockOwner(connection, vault, user);
  if (key instanceof Refused) return key;
  const { rows } = await connection.query(
    'select status from bank_accounts where id = $1 and user_id = $2 and removed_at is null',
    [id, user],
  );
  if (rows.length === 0) return new Refused('bank_account_unknown');
  const [{ status: before }] = rows;
  if (status === 'verified') {
    if (before === 'verified') return new Refused('bank_account_verified');
    const isFull = (await countLive(connection, user)) >= BANK_ACCOUNTS_MAX;
    if (before === 'rejected' && isFull) return TOO_MANY;
  }
  await connection.query(
    `update bank_accounts set status = $2, decided_by = $3, decided_at = now(), message = $4
     where id = $1`,
    [id, status, operator, message],
  );
  return listBankAccounts(connection, vault, user);
}

/** Withdrawals of the user take the same lock, so the next one sees a revoked account. */
async function lockOwner(
  connection: Connection,
  vault: Vault,
  user: UserId,
): Promise<PersonalKey | Refused<OwnerRefusal>> {
  const { rows } = await connection.query(
    `select from users where id = $1 and kind = 'person' for no key update`,
    [user],
  );
  if (rows.length === 0) return new Refused('user_not_found');
  const key = await lockPersonalKey(connection, vault, user);
  return typeof key === 'string' ? new Refused('account_deactivated') : key;
}

async function countLive(statements: Statements, user: UserId): Promise<number> {
  const { rows } = await statements.query(
    `select count(*) as live from bank_accounts
     where user_id = $1 and removed_at is null and status <> 'rejected'`,
    [user],
  );
  return Number(rows[0].live);
}

async function insertAccount(
  statements: Statements,
  key: PersonalKey,
  entry: {
    readonly user: UserId;
    readonly fields: BankFields;
    readonly status: VerificationStatus;
    readonly enteredBy: UserId | null;
  },
): Promise<void> {
  const { enteredBy, fields, status, user } = entry;
  const id = randomBytes(8).toString('hex');
  await statements.query(
    `insert into bank_accounts (id, user_id, status, sealed, entered_by, created_at)
     values ($1, $2, $3, $4, $5, clock_timestamp())`,
    [id, user, status, key.seal(accountBound(user, id), fields), enteredBy],
  );
}

/** Fields shown in full. */
const SHOWN_IN_MAILS: ReadonlySet<string> = new Set(['type', 'bank_name']);
const ENDING_SHOWN = 4;

/** Label for emails to the owner: the bank, the last characters of other values, and the ID. */
export function accountLabel({ fields, id }: Pick<BankAccount, 'fields' | 'id'>): string {
  const values = Object.entries(fields).map(([name, value]) =>
    SHOWN_IN_MAILS.has(name) ? value : `…${[...value].slice(-ENDING_SHOWN).join('')}`,
  );
  return `${values.join(' ')} (${id})`;
}

/** Returns the fields of the account that a withdrawal was requested for; `bank` is its ID. */
export function openBankFields(
  key: PersonalKey,
  { bank, sealed, user }: { readonly user: UserId; readonly bank: string; sealed: Uint8Array },
): BankFields {
  return key.open(accountBound(user, bank), sealed) as BankFields;
}

function accountBound(user: UserId, id: string): string {
  return `bank account ${user} ${id}`;
}

/** Opens a `bank_accounts` row with its owner's key. */
// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
export function accountOf(key: PersonalKey, user: UserId, row: any): BankAccount {
  return {
    id: row.id,
    status: row.status,
    fields: key.open(accountBound(user, row.id), row.sealed) as BankFields,
    decidedAt: row.decided_at,
    message: row.message,
    createdAt: row.created_at,
    enteredBy: row.entered_by === null ? null : idOf(row.entered_by),
    decidedBy: row.decided_by === null ? null : idOf(row.decided_by),
  };
}
