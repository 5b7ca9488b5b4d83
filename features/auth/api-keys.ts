// API keys as their owner manages them: created, changed and revoked with a second factor and an
// emailed code, in one transaction with the key. A new key can only read; a later change can allow
// trading and withdrawing. The caller announces a change after its commit.

import type { KeyId, UserId } from '../../core/money/index.ts';
import {
  type Connection,
  idOf,
  inTransaction,
  type Statements,
} from '../../infra/postgres/index.ts';
import type { Vault } from '../../platform/vault/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { enqueueMail } from '../messages/index.ts';
import { issueCode } from './codes.ts';
import {
  changeKey,
  type IssuedKey,
  issueKey,
  type KeyRefusal,
  refuseKeyChange,
  refuseNewKey,
} from './credentials/issue-credentials.ts';
import {
  findKey,
  type KeyChange,
  type KeyKind,
  type KeyRole,
  type KeyRow,
  listLiveKeys,
  markKeyRevoked,
} from './credentials/keys.ts';
import {
  type AccountHolder,
  type ActRefusal,
  lockHolder,
  type PersonContext,
  type Proofs,
  proveBoth,
  refuseMails,
} from './person-context.ts';

export const LIVE_KEYS_MAX = 50;

export interface NewApiKey {
  readonly name: string;
  readonly kind: KeyKind;
  readonly role: KeyRole;
  readonly whitelistedIps: readonly string[];
  /** Public half of an Ed25519 key whose owner keeps the private half. */
  readonly verifyingKey?: string | undefined;
  readonly expiresAtMs?: number | undefined;
  /** Sub-account of the acting user, if the key belongs to it. */
  readonly subAccount?: UserId | undefined;
}

export type ApiKeyRefusal =
  | ActRefusal
  | KeyRefusal
  | 'key_not_found'
  | 'sub_account_not_found'
  | 'key_already_revoked'
  | 'keys_too_many'
  | 'key_scope_exceeds_account'
  | 'key_admin_whitelist_fixed';

/** Sends the code that confirms one key change, or the deletion of the account. */
export async function requestConfirmation(
  connection: Connection,
  vault: Vault,
  person: PersonContext,
): Promise<Refused<ActRefusal | 'rate_limit_exceeded'> | undefined> {
  return inTransaction(connection, async () => {
    const holder = await lockHolder(connection, person);
    if (holder instanceof Refused) return holder;
    const tooMany = await refuseMails(connection, vault, person);
    if (tooMany !== undefined) return tooMany;
    const { circumstances, flow, user } = person;
    const of = { user, form: 'v5' } as const;
    const code = await issueCode(connection, vault, { ...of, purpose: 'confirm_action', flow });
    await enqueueMail(connection, vault, {
      user,
      to: holder.email,
      language: holder.language,
      kind: 'confirm_action',
      values: { ...circumstances, code, form: 'v5' },
    });
    return undefined;
  });
}

export function createApiKey(
  connection: Connection,
  vault: Vault,
  person: PersonContext,
  { key, proofs }: { readonly key: NewApiKey; readonly proofs: Proofs },
): Promise<IssuedKey | Refused<ApiKeyRefusal>> {
  return inTransaction(connection, async () => {
    const holder = await lockHolder(connection, person);
    if (holder instanceof Refused) return holder;
    const { expiresAtMs, subAccount, verifyingKey, ...rest } = key;
    const user = subAccount ?? person.user;
    if (user !== person.user && !(await isOwnSub(connection, { parent: person.user, sub: user }))) {
      return new Refused('sub_account_not_found');
    }
    const request = {
      ...rest,
      ...(expiresAtMs !== undefined && { expiresAtMs }),
      ...(verifyingKey !== undefined && { verifyingKey }),
      user,
      canRead: true,
      canTrade: false,
      canWithdraw: false,
      nowMs: person.nowMs,
    };
    const refusal =
      refuseRole(holder, { user, role: key.role }) ??
      refuseNewKey(request) ??
      (await refuseOneMore(connection, user)) ??
      (await proveBoth(connection, vault, person, proofs));
    if (refusal !== undefined) return refusal;
    const issued = await issueKey(connection, vault, request);
    if (issued instanceof Refused) throw new Error(`key refused after its check: ${issued.key}`);
    await mailOwner(connection, vault, person, {
      holder,
      kind: 'api_key_created',
      key: issued.key,
    });
    return issued;
  });
}

export function changeApiKey(
  connection: Connection,
  vault: Vault,
  person: PersonContext,
  wanted: { readonly id: KeyId; readonly change: KeyChange; readonly proofs: Proofs },
): Promise<KeyRow | Refused<ApiKeyRefusal>> {
  const { change, id, proofs } = wanted;
  return inTransaction(connection, async () => {
    const found = await findOwn(connection, person, id);
    if (found instanceof Refused) return found;
    const { before, holder } = found;
    const refusal =
      refuseRole(holder, before) ??
      refuseWithdrawing(holder, before, change) ??
      refuseOpening(before, change) ??
      refuseKeyChange(before, change) ??
      (await proveBoth(connection, vault, person, proofs));
    if (refusal !== undefined) return refusal;
    const key = await changeKey(connection, vault, { key: { user: before.user, id }, change });
    if (key === undefined || key instanceof Refused) {
      throw new Error(`key change refused after its check: ${key?.key}`);
    }
    await mailOwner(connection, vault, person, { holder, kind: 'api_key_changed', key });
    return key;
  });
}

export function revokeApiKey(
  connection: Connection,
  vault: Vault,
  person: PersonContext,
  { id, proofs }: { readonly id: KeyId; readonly proofs: Proofs },
): Promise<KeyRow | Refused<ApiKeyRefusal>> {
  return inTransaction(connection, async () => {
    const found = await findOwn(connection, person, id);
    if (found instanceof Refused) return found;
    const { before: key, holder } = found;
    const refusal = await proveBoth(connection, vault, person, proofs);
    if (refusal !== undefined) return refusal;
    await markKeyRevoked(connection, { user: key.user, id });
    await mailOwner(connection, vault, person, { holder, kind: 'api_key_revoked', key });
    return key;
  });
}

interface Found {
  readonly before: KeyRow;
  readonly holder: AccountHolder;
}

/** Finds a key of the user or of one of their sub-accounts; any other counts as missing. */
async function findOwn(
  statements: Statements,
  person: PersonContext,
  id: KeyId,
): Promise<Found | Refused<ApiKeyRefusal>> {
  const holder = await lockHolder(statements, person);
  if (holder instanceof Refused) return holder;
  const { rows } = await statements.query(
    `select k.user_id from api_keys k join users u on u.id = k.user_id
     where k.id = $1 and $2 in (u.id, u.parent_id)`,
    [id, person.user],
  );
  if (rows.length === 0) return new Refused('key_not_found');
  const before = await findKey(statements, { user: idOf(rows[0].user_id), id });
  if (before === undefined || before.expiresAt.getTime() <= person.nowMs) {
    return new Refused('key_not_found');
  }
  return before.revoked ? new Refused('key_already_revoked') : { before, holder };
}

/** A key cannot get a role that its session lacks, and a sub-account's key gets none. */
function refuseRole(
  holder: AccountHolder,
  { role, user }: { readonly user: UserId; readonly role: KeyRole },
): Refused<ApiKeyRefusal> | undefined {
  const mayUseRole = holder.mayUseRole && user === holder.user;
  return role === 'admin' && !mayUseRole ? new Refused('key_scope_exceeds_account') : undefined;
}

/** Money leaves a sub-account only through its parent. */
function refuseWithdrawing(
  holder: AccountHolder,
  { user }: KeyRow,
  { canWithdraw }: KeyChange,
): Refused<ApiKeyRefusal> | undefined {
  return canWithdraw === true && user !== holder.user
    ? new Refused('key_scope_exceeds_account')
    : undefined;
}

/** Locks the row, so a removal either waits or is already visible. */
async function isOwnSub(
  statements: Statements,
  { parent, sub }: { readonly parent: UserId; readonly sub: UserId },
): Promise<boolean> {
  const { rows } = await statements.query(
    `select from users where id = $1 and parent_id = $2 and state = 'active' for no key update`,
    [sub, parent],
  );
  return rows.length === 1;
}

function refuseOpening({ role }: KeyRow, change: KeyChange): Refused<ApiKeyRefusal> | undefined {
  const isOff = change.whitelistingEnabled === false || change.whitelistedIps?.length === 0;
  return role === 'admin' && isOff ? new Refused('key_admin_whitelist_fixed') : undefined;
}

/** The account is locked, so the second of two concurrent creations counts the first key. */
async function refuseOneMore(
  statements: Statements,
  user: UserId,
): Promise<Refused<ApiKeyRefusal> | undefined> {
  const live = await listLiveKeys(statements, user);
  return live.length >= LIVE_KEYS_MAX
    ? new Refused('keys_too_many', { max: LIVE_KEYS_MAX })
    : undefined;
}

interface KeyMail {
  readonly holder: AccountHolder;
  readonly kind: 'api_key_created' | 'api_key_changed' | 'api_key_revoked';
  readonly key: KeyRow;
}

async function mailOwner(
  statements: Statements,
  vault: Vault,
  { circumstances, user }: PersonContext,
  { holder, key, kind }: KeyMail,
): Promise<void> {
  const permissions = [
    key.canRead ? 'read' : '',
    key.canTrade ? 'trade' : '',
    key.canWithdraw ? 'withdraw' : '',
    key.role === 'admin' ? 'admin' : '',
  ];
  await enqueueMail(statements, vault, {
    user,
    to: holder.email,
    language: holder.language,
    kind,
    values: {
      ...circumstances,
      name: key.name,
      permissions: permissions.filter((name) => name !== '').join(', '),
    },
  });
}
