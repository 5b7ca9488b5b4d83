// Valid requests for the login routes. A sample that changes an account creates its own user, so
// users of other samples remain unchanged.

import { createHash, randomUUID } from 'node:crypto';
import type { UserId } from '../../core/money/index.ts';
import { createUser } from '../../features/accounts/index.ts';
import {
  freezeToken,
  grantSession,
  installPassword,
  issueCode,
  PasswordHasher,
  SESSION_LIFE_MS,
} from '../../features/auth/index.ts';
import type { Pool } from '../../infra/postgres/index.ts';
import { systemClock } from '../../infra/process/index.ts';
import type { Vault } from '../../platform/vault/index.ts';

type Owner = 'admin' | 'alice' | 'bob';

/** Part of the sample world that these samples need. */
interface LoginWorld {
  readonly registry: Pool;
  readonly vault: Vault;
  userId(owner: Owner): number;
}

type MakeSample = (
  world: LoginWorld,
  wanted: { readonly owner: Owner },
) => Promise<{
  readonly query?: Readonly<Record<string, number>>;
  readonly body?: Readonly<Record<string, unknown>>;
}>;

const PASSWORD = 'a password for samples';
const hasher = new PasswordHasher({ clock: systemClock });

export const loginSamples = {
  logIn: async (world) => {
    const { email, user } = await newUser(world);
    const tag = await hasher.hash(PASSWORD, { isKnownDevice: false });
    await installPassword(world.registry, world.vault, user, tag);
    // All samples share an address.
    await world.registry.query(`delete from login_throttles where scope = 'address'`);
    return { body: { email, password: PASSWORD, long_term: true, version: 'v3' } };
  },
  confirmLogin: async (world) => {
    const { user } = await newUser(world);
    const token = await issueCode(world.registry, world.vault, {
      user,
      purpose: 'confirm_login',
      form: 'v2',
      flow: { network: '192.0.2.1', session: 0 },
      payload: JSON.stringify({ network: '192.0.2.1', country: 'DE', userAgent: 'sample' }),
    });
    return { body: { token } };
  },
  freezeAccount: async (world) => {
    const { user } = await newUser(world);
    return { body: { token: freezeToken(world.vault, user, Date.now() + 1_000) } };
  },
  revokeSession: async (world, { owner }) => {
    const { session } = await grantSession(world.registry, world.vault, {
      user: world.userId(owner) as UserId,
      scopes: ['user'],
      lifeMs: SESSION_LIFE_MS,
      nowMs: Date.now(),
      exchangeName: 'sample',
    });
    return { body: { session_id: session.id } };
  },
  revokeDevice: async (world, { owner }) => {
    const { rows } = await world.registry.query(
      `insert into devices (user_id, token_hash, network) values ($1, $2, '192.0.2.1')
       returning id`,
      [world.userId(owner), createHash('sha256').update(randomUUID()).digest()],
    );
    return { query: { id: Number(rows[0].id) } };
  },
} as const satisfies Readonly<Record<string, MakeSample>>;

async function newUser({ registry }: LoginWorld): Promise<{ email: string; user: UserId }> {
  const email = `${randomUUID()}@example.com`;
  const made = await createUser(registry, { email });
  if (typeof made === 'string') throw new Error(`user refused: ${made}`);
  return { email, user: made.id };
}
