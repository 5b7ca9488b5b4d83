// Closes a user's account: it is closing for 14 days, then closed, and erased after the retention
// period. Rejected unless the account is empty. That is checked under the account lock, which every
// new deposit and withdrawal also takes, and only after the user has proven the action.

import { type Connection, inTransaction, type Statements } from '../../infra/postgres/index.ts';
import type { Vault } from '../../platform/vault/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { CLOSING_MS, hasSubAccounts, startClosing } from '../accounts/index.ts';
import { enqueueMail } from '../messages/index.ts';
import type { CircumstancesSource } from './circumstances.ts';
import { factorsOf } from './factors/second-factor.ts';
import { freezeUser } from './freeze.ts';
import {
  type ActRefusal,
  type HolderRefusal,
  type IdentityClient,
  lockHolder,
  type PersonContext,
  type Proofs,
  proveAct,
} from './person-context.ts';
import { applySecurityChange } from './security-changes.ts';

export type ClosingRefusal =
  | ActRefusal
  | 'operator_account_fixed'
  | 'tables_behind'
  /** The account is locked by another transaction; retry. */
  | 'data_unavailable'
  /** The detail names what is in the account, for example `a balance`. */
  | 'account_not_empty';

export interface ClosingRequest {
  readonly proofs: Proofs;
  /**
   * Returns what is in the account: transfers in progress, balances, orders. The account is locked
   * during the call, and the result must include everything that happened before it. Reads the
   * registry with these statements, because a second connection could deadlock on this lock.
   */
  findContent(statements: Statements): Promise<readonly string[] | Refused<'tables_behind'>>;
}

const LOCK_MS_MAX = 500;
const LOCK_NOT_AVAILABLE = '55P03';

/** The caller announces the end of the user's sessions and keys after the commit. */
export async function closeAccount(
  connection: Connection,
  vault: Vault,
  person: PersonContext,
  request: ClosingRequest,
): Promise<Refused<ClosingRefusal> | undefined> {
  try {
    return await closeLocked(connection, vault, person, request);
  } catch (fault) {
    if ((fault as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw fault;
    return new Refused('data_unavailable', {}, 1);
  }
}

function closeLocked(
  connection: Connection,
  vault: Vault,
  person: PersonContext,
  { findContent, proofs }: ClosingRequest,
): Promise<Refused<ClosingRefusal> | undefined> {
  const { circumstances, nowMs, user } = person;
  return inTransaction(connection, async () => {
    await connection.query(`set local lock_timeout = ${LOCK_MS_MAX}`);
    const holder = await lockHolder(connection, person);
    if (holder instanceof Refused) return holder;
    if (holder.role !== null) return new Refused('operator_account_fixed');
    const { otp, passkeys } = await factorsOf(connection, user);
    await connection.query('savepoint unproven');
    const refusal = await proveAct(connection, vault, person, {
      codes: [{ purpose: 'confirm_action', code: proofs.emailCode }],
      ...((otp || passkeys > 0) && { otpCode: proofs.otpCode }),
    });
    if (refusal !== undefined) return refusal;
    const found = await findContent(connection);
    if (found instanceof Refused) {
      await connection.query('rollback to savepoint unproven');
      return found;
    }
    const content = [
      ...((await hasSubAccounts(connection, user)) ? ['a sub-account'] : []),
      ...found,
    ];
    if (content.length > 0) {
      // Use the proofs again now that the account is known to be empty.
      await connection.query('rollback to savepoint unproven');
      return new Refused('account_not_empty', { detail: content.join(', ') });
    }
    await startClosing(connection, user);
    const reason = 'account_closing';
    await applySecurityChange(connection, { user, reason, holdMs: 0, suspendsKeys: true });
    const closesOn = new Date(nowMs + CLOSING_MS).toISOString().slice(0, 10);
    await enqueueMail(connection, vault, {
      user,
      to: holder.email,
      language: holder.language,
      kind: 'account_closing',
      values: { ...circumstances, closesOn },
    });
    return undefined;
  });
}

/**
 * Freezes the user's own account. After the commit the caller stops its activity, like for every
 * frozen account.
 */
export function deactivateAccount(
  connection: Connection,
  ports: CircumstancesSource,
  person: PersonContext,
  client: IdentityClient,
): Promise<Refused<HolderRefusal | 'operator_account_fixed'> | undefined> {
  return inTransaction(connection, async () => {
    const holder = await lockHolder(connection, person);
    if (holder instanceof Refused) return holder;
    if (holder.role !== null) return new Refused('operator_account_fixed');
    await freezeUser(connection, ports, { user: person.user, client });
    return undefined;
  });
}
