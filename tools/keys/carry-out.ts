// Does what was asked of the keys tool, and gives the lines to print. Throws what went wrong as a
// sentence for the operator.

import type { KeyId, UserId } from '../../core/money/index.ts';
import {
  createUser,
  findUser,
  findUserByEmail,
  type UserRow,
} from '../../domain/accounts/index.ts';
import {
  issueKey,
  issueSession,
  type KeyRow,
  LONG_SESSION_LIFE_MS,
  listKeys,
  readAccessKey,
  revokeKey,
  SESSION_LIFE_MS,
  Seal,
} from '../../domain/credentials/index.ts';
import { accessChangeFeed } from '../../infra/access/index.ts';
import type { Bus } from '../../infra/bus/index.ts';
import type { Pool } from '../../infra/postgres/index.ts';
import { systemClock } from '../../infra/process/index.ts';
import type { KeysConfig, KeysOrder } from './order.ts';

export interface Means {
  readonly config: KeysConfig;
  readonly pool: Pool;
  /** With a bus that reaches the gateways. */
  announcing<Result>(work: (bus: Bus) => Promise<Result>): Promise<Result>;
}

export async function carryOut(order: KeysOrder, means: Means): Promise<readonly string[]> {
  const { pool } = means;
  switch (order.command) {
    case 'create':
      return create(order, means);
    case 'list':
      return (await listKeys(pool, (await userOf(order, pool)).id)).map(lineOf);
    case 'revoke':
      return revoke(order, means);
    case 'user create':
      return makeUser(order, pool);
    case 'session create':
      return makeSession(order, means);
  }
}

async function create(order: KeysOrder, { config, pool }: Means): Promise<readonly string[]> {
  const isDevelopment = config.mode === 'development';
  const seal = new Seal(readAccessKey({ ...config, isDevelopment }));
  const { id: user, role: userRole } = await userOf(order, pool);
  const role = order.role === 'admin' ? 'admin' : 'user';
  if (role === 'admin' && userRole === null) {
    throw new Error('an admin key is for a user who has a role, and this one has none');
  }
  const issued = await issueKey(
    pool,
    seal,
    {
      user,
      name: order.name,
      role,
      whitelistedIps: order.ips,
      kind: order.ed25519 ? 'ed25519' : 'hmac',
      canRead: true,
      canTrade: order.trade,
      canWithdraw: order.withdraw,
      nowMs: systemClock.nowMs(),
    },
    { mayBeAnywhere: isDevelopment },
  );
  if (typeof issued === 'string') throw new Error(`refused: ${issued}`);
  const { key, secret } = issued;
  return [
    `id      ${key.id}`,
    `key     ${key.publicKey}`,
    order.ed25519 ? `private key\n${secret.trimEnd()}` : `secret  ${secret}`,
    'It is not shown again.',
  ];
}

async function revoke(order: KeysOrder, means: Means): Promise<readonly string[]> {
  const { announcing, config, pool } = means;
  const { id: user } = await userOf(order, pool);
  const key = { user, id: order.key as KeyId };
  const { exchange } = config;
  const isDone = await announcing((bus) => revokeKey(pool, key, accessChangeFeed(bus, exchange)));
  if (!isDone) throw new Error(`user ${user} has no key ${key.id} that is in use`);
  return [`key ${key.id} is revoked`];
}

async function makeUser({ email, role }: KeysOrder, pool: Pool): Promise<readonly string[]> {
  const named = role === undefined ? {} : { role };
  const user = await createUser(pool, { email, emailVerified: true, ...named });
  if (typeof user === 'string') throw new Error(`refused: ${user}`);
  return [`user ${user.id} ${user.email}`];
}

async function makeSession(order: KeysOrder, { config, pool }: Means): Promise<readonly string[]> {
  if (config.mode !== 'development') {
    throw new Error('sessions are made by logging in; by hand only with RIALTO_MODE=development');
  }
  const { id, role } = await userOf(order, pool);
  const { token } = await issueSession(pool, {
    user: id,
    scopes: role === null ? ['user'] : ['user', role],
    nowMs: systemClock.nowMs(),
    lifeMs: order.long ? LONG_SESSION_LIFE_MS : SESSION_LIFE_MS,
  });
  return [`token ${token}`, 'It is not shown again.'];
}

async function userOf({ user }: KeysOrder, pool: Pool): Promise<UserRow> {
  const isNumber = /^\d{1,10}$/.test(user);
  const found = isNumber
    ? await findUser(pool, Number(user) as UserId)
    : await findUserByEmail(pool, user);
  if (found === undefined) throw new Error(`there is no user ${user}`);
  return found;
}

function lineOf(key: KeyRow): string {
  const scopes = [
    key.canRead ? 'read' : '',
    key.canTrade ? 'trade' : '',
    key.canWithdraw ? 'withdraw' : '',
    key.role === 'admin' ? 'admin' : '',
  ];
  const state = key.revoked ? 'revoked' : key.active ? 'active' : 'inactive';
  const used = key.lastUsedAt?.toISOString() ?? 'never';
  const from = key.whitelistedIps.join(',') || 'anywhere';
  const what = scopes.filter((scope) => scope !== '').join(',');
  return `${key.id} ${key.publicKey} ${key.kind} ${state} ${what} from ${from} used ${used}`;
}
