// Valid requests for the sign-up and password routes. Each code belongs to a new user, so no sample
// changes the accounts of the others.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { UserId } from '../../core/money/index.ts';
import { createUser } from '../../features/accounts/index.ts';
import type { CodePurpose } from '../../features/auth/codes.ts';
import {
  installPassword,
  issueCode,
  PasswordHasher,
  type PasswordTag,
  passwordTagText,
} from '../../features/auth/index.ts';
import type { Pool } from '../../infra/postgres/index.ts';
import { systemClock } from '../../infra/process/index.ts';
import type { Vault } from '../../platform/vault/index.ts';

type Owner = 'admin' | 'alice' | 'bob';

/** Part of the sample world that these samples need. */
interface SignUpWorld {
  readonly registry: Pool;
  readonly vault: Vault;
  userId(owner: Owner): number;
}

interface Sample {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

type MakeSample = (world: SignUpWorld, wanted: { readonly owner: Owner }) => Promise<Sample>;

const OLD_PASSWORD = 'marbles under the stairs';
const NEW_PASSWORD = 'lanterns over the canal';

let oldTag: Promise<PasswordTag> | undefined;

export const signUpSamples = {
  signUp: async () => ({ body: { email: newAddress(), password: NEW_PASSWORD } }),
  resendVerification: async () => ({ query: { email: newAddress() } }),
  verifyEmail: async (world) => {
    const payload = passwordTagText(await hashedOldPassword());
    const code = await newCode(world, 'verify_email', payload);
    return { body: { verification_code: code } };
  },
  requestPasswordReset: async () => ({ query: { email: newAddress() } }),
  resetPassword: async (world) => {
    const code = await newCode(world, 'reset_password');
    return { body: { code, new_password: NEW_PASSWORD } };
  },
  changePassword: async (world) => {
    const tag = await hashedOldPassword();
    for (const owner of ['admin', 'alice', 'bob'] as const) {
      const user = world.userId(owner) as UserId;
      await installPassword(world.registry, world.vault, user, tag);
      await world.registry.query('delete from totp_secrets where user_id = $1', [user]);
      await world.registry.query('delete from passkeys where user_id = $1', [user]);
    }
    return { body: { old_password: OLD_PASSWORD, new_password: NEW_PASSWORD } };
  },
  openPasswordChange: async (world) => ({
    params: { code: await changeCode(world) },
    query: { version: 'v3' },
  }),
  confirmPasswordChange: async (world) => ({ body: { code: await changeCode(world) } }),
} as const satisfies Readonly<Record<string, MakeSample>>;

async function changeCode(world: SignUpWorld): Promise<string> {
  const password = passwordTagText(await hashedOldPassword());
  return newCode(world, 'change_password', JSON.stringify({ session: 0, password }));
}

async function newCode(
  { registry, vault }: SignUpWorld,
  purpose: CodePurpose,
  payload?: string,
): Promise<string> {
  const state = purpose === 'verify_email' ? 'unverified' : 'active';
  const user = await createUser(registry, { email: newAddress(), state });
  assert.ok(typeof user === 'object');
  const flow = { network: '192.0.2.1', session: 0 };
  const code = { user: user.id, purpose, form: 'v2', flow } as const;
  return issueCode(registry, vault, payload === undefined ? code : { ...code, payload });
}

function hashedOldPassword(): Promise<PasswordTag> {
  const hasher = new PasswordHasher({ clock: systemClock });
  oldTag ??= hasher.hash(OLD_PASSWORD, { isKnownDevice: true });
  return oldTag;
}

function newAddress(): string {
  return `sample-${randomUUID()}@example.com`;
}
