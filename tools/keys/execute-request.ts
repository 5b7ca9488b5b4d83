// Executes a request of the keys tool and returns the lines to print. A request that is not
// possible is a ToolFault with one sentence.

import type { KeyId, UserId } from '../../core/money/index.ts';
import {
  createUser,
  eraseUser,
  findUser,
  findUserByEmail,
  type UserRow,
} from '../../domain/accounts/index.ts';
import {
  grantSession,
  issueKey,
  type KeyRow,
  LONG_SESSION_LIFE_MS,
  listKeys,
  revokeKey,
  SESSION_LIFE_MS,
} from '../../domain/credentials/index.ts';
import { accessChangeFeed } from '../../infra/access/index.ts';
import { type Pool, withConnection } from '../../infra/postgres/index.ts';
import { systemClock } from '../../infra/process/index.ts';
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
      return newUser(request, pool);
    case 'user erase':
      return erase(request, context);
    case 'user unfreeze':
      return unfreeze((await userOf(request, pool)).id, context);
    case 'session create':
      return newSession(request, context);
    case 'invite':
      return invite(request, context);
    case 'sign-up open':
      return setSignUpMode('open', pool);
    case 'sign-up closed':
      return setSignUpMode('closed', pool);
    case 'sign-up invitation':
      return setSignUpMode('invitation', pool);
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
    throw new ToolFault(`User ${user} has no role, so an admin key would permit nothing.`);
  }
  const issued = await issueKey(
    pool,
    vault,
    {
      user,
      name: request.name,
      role,
      whitelistedIps: request.ips,
      kind: request.ed25519 ? 'ed25519' : 'hmac',
      canRead: true,
      canTrade: request.trade,
      canWithdraw: request.withdraw,
      nowMs: systemClock.nowMs(),
    },
    { mayBeAnywhere: isDevelopment },
  );
  if (typeof issued === 'string') throw new ToolFault(`The key was refused: ${issued}.`);
  const { key, secret } = issued;
  return [
    `id      ${key.id}`,
    `key     ${key.publicKey}`,
    request.ed25519 ? `private key\n${secret.trimEnd()}` : `secret  ${secret}`,
    'Store it now: it is not shown again.',
  ];
}

async function revoke(request: KeysRequest, context: Context): Promise<readonly string[]> {
  const { withBus, config, pool } = context;
  const { id: user } = await userOf(request, pool);
  const key = { user, id: request.key as KeyId };
  const { exchange } = config;
  const isDone = await withBus((bus) => revokeKey(pool, key, accessChangeFeed(bus, exchange)));
  if (!isDone) throw new ToolFault(`User ${user} has no active key ${key.id}.`);
  return [`key ${key.id} is revoked`];
}

async function newUser({ email, role }: KeysRequest, pool: Pool): Promise<readonly string[]> {
  const named = role === undefined ? {} : { role };
  const user = await createUser(pool, { email, ...named });
  if (typeof user === 'string') throw new ToolFault(`The user was refused: ${user}.`);
  return [`user ${user.id} ${user.email}`];
}

async function erase(request: KeysRequest, context: Context): Promise<readonly string[]> {
  const { withBus, config, pool } = context;
  const { id: user } = await userOf(request, pool);
  const erased = await withConnection(pool, (connection) => eraseUser(connection, user));
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
      'Sessions are created by logging in; this command works only with RIALTO_MODE=development.',
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
  if (found === undefined) throw new ToolFault(`There is no user ${user}.`);
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
