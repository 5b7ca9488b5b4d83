// Valid requests for the second factor routes. Each sample first gives its user the factors that
// the request needs, and a session strong enough to change them.

import assert from 'node:assert/strict';
import type { UserId } from '../../core/money/index.ts';
import { activateTotp, requestTotp, totpCode } from '../../features/auth/index.ts';
import type { Pool } from '../../infra/postgres/index.ts';
import type { Vault } from '../../platform/vault/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { RestClient } from '../../tools/sandbox/rest-client.ts';
import { SoftwarePasskey } from '../identity/software-passkey.ts';

type Owner = 'admin' | 'alice' | 'bob';

/** Part of the sample world that these samples need. */
export interface FactorWorld {
  /** Operators have a separate gateway. */
  urlFor(owner: Owner): string;
  readonly registry: Pool;
  readonly vault: Vault;
  userId(owner: Owner): number;
  sessionHeaders(owner: Owner): Promise<Readonly<Record<string, string>>>;
}

type MakeSample = (
  world: FactorWorld,
  wanted: { readonly owner: Owner },
) => Promise<{
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
}>;

const STEP_MS = 30_000;

export const factorSamples = {
  requestOtp: async (world, { owner }) => {
    await withoutFactors(world, owner);
    return {};
  },
  activateOtp: async (world, { owner }) => {
    const secret = await requestedSecret(world, owner);
    return { body: { code: totpCode(secret, Date.now()) } };
  },
  deactivateOtp: async (world, { owner }) => {
    const secret = await activeSecret(world, owner);
    return { body: { code: totpCode(secret, Date.now()) } };
  },
  renewRecoveryCodes: async (world, { owner }) => {
    const secret = await activeSecret(world, owner);
    return { body: { otp_code: totpCode(secret, Date.now()) } };
  },
  activatePasskey: async (world, { owner }) => {
    await withoutFactors(world, owner);
    return { body: (await newPasskey(world, owner)).registration };
  },
  deletePasskey: async (world, { owner }) => {
    // Every user has a passkey, so another user's passkey returns "not found".
    for (const other of ['alice', 'bob'] as const) await activePasskey(world, other);
    const { id } = await activePasskey(world, owner);
    return { body: { id } };
  },
  getPasskeyLogin: async () => ({ query: { email: 'anyone@example.com' } }),
  logInWithPasskey: async (world, { owner }) => {
    const { passkey } = await activePasskey(world, owner);
    // All samples share an address and count as one client.
    await world.registry.query(`delete from login_throttles where scope = 'address'`);
    const path = '/v2/login/passkey-auth-options?email=anyone@example.com';
    const answer = await fetch(`${world.urlFor(owner)}${path}`);
    const options = (await answer.json()) as { challenge: string };
    return { body: { challenge: options.challenge, credential: passkey.sign(options) } };
  },
  provePasskey: async (world, { owner }) => {
    const { passkey } = await activePasskey(world, owner);
    const options = await call(world, owner, 'GET', '/user/prove-passkey');
    return { body: { challenge: options.challenge, credential: passkey.sign(options) } };
  },
} as const satisfies Readonly<Record<string, MakeSample>>;

export async function withoutFactors(world: FactorWorld, owner: Owner): Promise<UserId> {
  const user = world.userId(owner) as UserId;
  await world.sessionHeaders(owner);
  for (const table of ['totp_secrets', 'passkeys', 'recovery_codes']) {
    await world.registry.query(`delete from ${table} where user_id = $1`, [user]);
  }
  await world.registry.query(`delete from login_throttles where scope = 'factor'`);
  await world.registry.query('update sessions set strong_at = now() where user_id = $1', [user]);
  await world.registry.query(
    'update users set withdrawal_blocked_until = null, block_reason = null where id = $1',
    [user],
  );
  return user;
}

async function requestedSecret(world: FactorWorld, owner: Owner): Promise<string> {
  return newSecret(world, await withoutFactors(world, owner));
}

async function newSecret(world: FactorWorld, user: UserId): Promise<string> {
  const requested = await requestTotp(world.registry, world.vault, { user, nowMs: Date.now() });
  assert.ok(!(requested instanceof Refused));
  return requested.secret;
}

/** Returns a secret whose current code has not been used yet. */
export async function activeSecret(world: FactorWorld, owner: Owner): Promise<string> {
  return activeSecretOf(world, await withoutFactors(world, owner));
}

/** Returns an unused code, even after wrong codes in other samples. */
export async function otpCode(world: FactorWorld, owner: Owner): Promise<string> {
  const secret = await activeSecret(world, owner);
  await world.registry.query('delete from login_throttles');
  return totpCode(secret, Date.now());
}

export async function activeSecretOf(world: FactorWorld, user: UserId): Promise<string> {
  const secret = await newSecret(world, user);
  const nowMs = Date.now();
  const activated = await activateTotp(world.registry, world.vault, {
    user,
    code: totpCode(secret, nowMs - STEP_MS),
    nowMs,
  });
  assert.equal(activated, 'activated');
  return secret;
}

async function newPasskey(world: FactorWorld, owner: Owner) {
  const options = await call(world, owner, 'GET', '/user/request-passkey-options');
  const origin = `http://localhost:${new URL(world.urlFor(owner)).port}`;
  const passkey = new SoftwarePasskey({ origin, rpId: options.rp.id });
  const { challenge, user } = options;
  const credential = passkey.register(options);
  const registration = { challenge, webauthn_user_id: user.id, credential, name: 'phone' };
  return { passkey, registration };
}

async function activePasskey(world: FactorWorld, owner: Owner) {
  await withoutFactors(world, owner);
  const { passkey, registration } = await newPasskey(world, owner);
  const added = await call(world, owner, 'POST', '/user/activate-passkey', registration);
  return { passkey, id: added.passkey.id as number };
}

async function call(
  world: FactorWorld,
  owner: Owner,
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
) {
  const headers = await world.sessionHeaders(owner);
  const client = new RestClient({ url: world.urlFor(owner) });
  const answer = await client.send({ method, target: `/v2${path}`, body, headers });
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}
