// Executes a request of the keys tool and returns the lines to print. Throws a ToolFault with one
// sentence if the request is not possible.

import type { KeyId, UserId } from '../../core/money/index.ts';
import {
  createUser,
  eraseUser,
  findUser,
  findUserByEmail,
  type UserRow,
} from '../../features/accounts/index.ts';
import {
  type CredentialChange,
  grantSession,
  issueKey,
  type KeyRow,
  LONG_SESSION_LIFE_MS,
  listKeys,
  revokeKey,
  SESSION_LIFE_MS,
} from '../../features/auth/index.ts';
import { accessChangeFeed } from '../../infra/access/index.ts';
import { type Pool, withConnection } from '../../infra/postgres/index.ts';
import { systemClock } from '../../infra/process/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { appendToolEntry, audited } from '../audited-change.ts';
import { ToolFault } from '../command-line.ts';
import { type Column, tableLines } from '../text-table.ts';
import { unfreeze } from './frozen-user.ts';
import { invite } from './invite.ts';
import type { Context } from './keys-context.ts';
import type { KeysRequest } from './keys-request.ts';
import {
  rotateActivate,
  rotateAdd,
  rotateRetire,
  rotateRewrap,
  rotationStatus,
} from './rotate-keys.ts';
import { setSignUpMode } from './sign-up-mode.ts';

export async function executeRequest(
  request: KeysRequest,
  context: Context,
): Promise<readonly string[]> {
  const { pool } = context;
  switch (request.command) {
    case 'create':
      return create(request, context);
    case 'list':
      return keyLines(await listKeys(pool, (await userOf(request, pool)).id));
    case 'revoke':
      return revoke(request, context);
    case 'user create':
      return newUser(request, context);
    case 'user erase':
      return erase(request, context);
    case 'user unfreeze':
      return unfreeze((await userOf(request, pool)).id, context);
    case 'session create':
      return newSession(request, context);
    case 'invite':
      return invite(request, context);
    case 'sign-up open':
      return setSignUpMode('open', context);
    case 'sign-up closed':
      return setSignUpMode('closed', context);
    case 'sign-up invitation':
      return setSignUpMode('invitation', context);
    case 'rotate status':
      return rotationStatus(context);
    case 'rotate add':
      return rotateAdd(context);
    case 'rotate activate':
      return rotateActivate(request, context);
    case 'rotate rewrap':
      return rotateRewrap(context);
    case 'rotate retire':
      return rotateRetire(request, context);
  }
}

async function create(request: KeysRequest, context: Context): Promise<readonly string[]> {
  const { config, pool } = context;
  const isDevelopment = config.mode === 'development';
  const vault = await context.openVault();
  const { id: user, role: userRole } = await userOf(request, pool);
  const role = request.role === 'admin' ? 'admin' : 'user';
  if (role === 'admin' && userRole === null) {
    throw new ToolFault(`User ${user} has no role, so an admin key would have no permissions.`);
  }
  const wanted = {
    user,
    name: request.name,
    role,
    whitelistedIps: request.ips,
    kind: request.ed25519 ? 'ed25519' : 'hmac',
    canRead: true,
    canTrade: request.trade,
    canWithdraw: request.withdraw,
    nowMs: systemClock.nowMs(),
  } as const;
  return audited(pool, vault, 'tool.key_create', async (connection) => {
    const options = { mayBeAnywhere: isDevelopment };
    const issued = await issueKey(connection, vault, wanted, options);
    if (issued instanceof Refused) throw new ToolFault(`The key was rejected: ${issued.key}.`);
    const { key, secret } = issued;
    const lines = [
      `id      ${key.id}`,
      `key     ${key.publicKey}`,
      request.ed25519 ? `private key\n${secret.trimEnd()}` : `secret  ${secret}`,
      'Store it now: it is not shown again.',
    ];
    const { canTrade, canWithdraw, whitelistedIps } = wanted;
    const after = { role, canTrade, canWithdraw, whitelistedIps };
    return { lines, object: `key ${key.id}`, subject: user, after };
  });
}

async function revoke(request: KeysRequest, context: Context): Promise<readonly string[]> {
  const { config, openVault, pool, withBus } = context;
  const { id: user } = await userOf(request, pool);
  const key = { user, id: request.key as KeyId };
  const changes: CredentialChange[] = [];
  const feed = { announce: (change: CredentialChange) => void changes.push(change) };
  const lines = await audited(pool, await openVault(), 'tool.key_revoke', async (connection) => {
    const isDone = await revokeKey(connection, key, feed);
    if (!isDone) throw new ToolFault(`User ${user} has no active key ${key.id}.`);
    return { lines: [`key ${key.id} is revoked`], object: `key ${key.id}`, subject: user };
  });
  await withBus(async (bus) => {
    for (const change of changes) accessChangeFeed(bus, config.exchange).announce(change);
  });
  return lines;
}

async function newUser(
  { email, role }: KeysRequest,
  { openVault, pool }: Context,
): Promise<readonly string[]> {
  const named = role === undefined ? {} : { role };
  return audited(pool, await openVault(), 'tool.user_create', async (connection) => {
    const user = await createUser(connection, { email, ...named });
    if (typeof user === 'string') throw new ToolFault(`The user was rejected: ${user}.`);
    const { id: subject } = user;
    const lines = [`user ${subject} ${user.email}`];
    const personal = { email: user.email };
    return { lines, object: `user ${subject}`, subject, after: { role: role ?? null }, personal };
  });
}

async function erase(request: KeysRequest, context: Context): Promise<readonly string[]> {
  const { config, openVault, pool, withBus } = context;
  const { id: user } = await userOf(request, pool);
  const vault = await openVault();
  // Erasing again changes nothing and writes no entry.
  const erased = await withConnection(pool, (connection) =>
    eraseUser(connection, user, () =>
      appendToolEntry(connection, vault, 'tool.user_erase', {
        object: `user ${user}`,
        subject: user,
      }),
    ),
  );
  if (erased !== 'erased') throw new ToolFault(`User ${user} was not erased: ${erased}.`);
  await withBus(async (bus) =>
    accessChangeFeed(bus, config.exchange).announce({ user, key: 0, session: 0, isRevoked: true }),
  );
  return [`user ${user} is erased`];
}

async function newSession(
  request: KeysRequest,
  { config, openVault, pool }: Context,
): Promise<readonly string[]> {
  if (config.mode !== 'development') {
    throw new ToolFault(
      'Log in to create a session. This command only works with RIALTO_MODE=development.',
    );
  }
  const { id } = await userOf(request, pool);
  const { token } = await grantSession(pool, await openVault(), {
    user: id,
    nowMs: systemClock.nowMs(),
    lifeMs: request.long ? LONG_SESSION_LIFE_MS : SESSION_LIFE_MS,
    exchangeName: config.exchange,
  });
  return [`token ${token}`, 'Store it now: it is not shown again.'];
}

async function userOf({ user }: KeysRequest, pool: Pool): Promise<UserRow> {
  const isNumber = /^\d{1,10}$/.test(user);
  const found = isNumber
    ? await findUser(pool, Number(user) as UserId)
    : await findUserByEmail(pool, user);
  if (found === undefined) throw new ToolFault(`User ${user} not found.`);
  return found;
}

const KEY_COLUMNS: readonly Column[] = [
  { title: 'id', isNumber: true },
  { title: 'key' },
  { title: 'kind' },
  { title: 'state' },
  { title: 'permissions' },
  { title: 'addresses' },
  { title: 'last used' },
];

function keyLines(keys: readonly KeyRow[]): readonly string[] {
  if (keys.length === 0) return ['The user has no keys.'];
  return tableLines(KEY_COLUMNS, keys.map(keyCells));
}

function keyCells(key: KeyRow): string[] {
  const permissions = [
    key.canRead ? 'read' : '',
    key.canTrade ? 'trade' : '',
    key.canWithdraw ? 'withdraw' : '',
    key.role === 'admin' ? 'admin' : '',
  ];
  return [
    String(key.id),
    key.publicKey,
    key.kind,
    key.revoked ? 'revoked' : key.active ? 'active' : 'inactive',
    permissions.filter((name) => name !== '').join(','),
    key.whitelistedIps.join(',') || 'any',
    key.lastUsedAt?.toISOString() ?? 'never',
  ];
}
