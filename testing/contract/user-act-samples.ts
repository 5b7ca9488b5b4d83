// Valid requests for operator actions on users. Each sample has its own user.

import { randomUUID } from 'node:crypto';
import type { UserId } from '../../core/money/index.ts';
import { describeKit } from '../../features/listings/index.ts';
import { type AccountWorld, newPerson, proofs } from './account-samples.ts';
import { activeSecretOf, otpCode } from './factor-samples.ts';

interface UserActWorld extends AccountWorld {
  depositAddress(): Promise<void>;
}

interface UserActSample {
  readonly query?: Readonly<Record<string, number>>;
  readonly body: Readonly<Record<string, unknown>>;
}

type MakeSample = (world: UserActWorld) => Promise<UserActSample>;

const DAY_MS = 86_400_000;

export const userActSamples = {
  createUser: async () => ({
    body: { email: `${randomUUID()}@example.com`, password: 'a horse, a battery' },
  }),
  updateUser: async (world) => ({
    query: await newUser(world),
    body: {
      full_name: 'Ada Byron',
      gender: true,
      dob: '1985-12-10T00:00:00.000Z',
      address: { country: 'CH', city: 'Bern' },
      id_data: { status: 3, type: 'passport', number: 'X1234567', expiration_date: null },
    },
  }),
  deleteUser: async (world) => ({ body: await newUser(world) }),
  restoreUser: async (world) => ({ body: await newUser(world, 'closing') }),
  activateUser: async (world) => ({ body: { ...(await newUser(world)), activated: false } }),
  setUserRole: async (world) => ({
    query: await newUser(world),
    body: { role: 'support', otp_code: await otpCode(world, 'admin') },
  }),
  setUserMeta: async (world) => {
    await describeKit(world.registry, { user_meta: { nick: { type: 'string' } } });
    return { query: await newUser(world), body: { meta: { nick: 'ada' } } };
  },
  setUserDiscount: async (world) => ({ query: await newUser(world), body: { discount: 12.5 } }),
  setUserNote: async (world) => ({ query: await newUser(world), body: { note: 'called' } }),
  upgradeUser: async (world) => ({
    body: { ...(await newUser(world)), verification_level: 2 },
  }),
  resetFactors: async (world) => {
    const { user_id } = await newUser(world);
    await activeSecretOf(world, user_id);
    return { body: { user_id } };
  },
  verifyEmailOfUser: async (world) => ({ body: await newUser(world, 'unverified') }),
  flagUser: async (world) => ({ body: await newUser(world) }),
  changeEmailOfUser: async (world) => ({
    body: {
      ...(await newUser(world)),
      ...(await proofs(world, 'admin')),
      email: `${randomUUID()}@example.com`,
    },
  }),
  revokeSessionOfUser: async (world) => ({
    body: { session_id: (await newPerson(world)).session },
  }),
  logOutEveryone: async () => ({ body: { reason: 'tokens were stolen' } }),
  blockWithdrawals: async (world) => ({
    body: {
      ...(await newUser(world)),
      expiry_date: new Date(Date.now() + DAY_MS).toISOString(),
    },
  }),
  createAddressOfUser: async (world) => {
    await world.depositAddress();
    return { body: { ...(await newUser(world)), crypto: 'btc', network: 'btc' } };
  },
} as const satisfies Readonly<Record<string, MakeSample>>;

async function newUser(
  world: UserActWorld,
  state = 'active',
): Promise<{ readonly user_id: UserId }> {
  const { user } = await newPerson(world);
  await world.registry.query('update users set state = $2 where id = $1', [user, state]);
  return { user_id: user };
}
