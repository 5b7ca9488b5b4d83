// Valid requests for the API key and profile routes, with their proofs. Actions that close an
// account or pause its withdrawals use an account that exists only for the sample.

import { randomUUID } from 'node:crypto';
import type { UserId } from '../../core/money/index.ts';
import { createUser } from '../../features/accounts/index.ts';
import type { CodePurpose } from '../../features/auth/codes.ts';
import { grantSession, issueCode, issueKey, totpCode } from '../../features/auth/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { activeSecret, type FactorWorld, withoutFactors } from './factor-samples.ts';

type Owner = 'admin' | 'alice' | 'bob';

export interface AccountWorld extends FactorWorld {
  /** Session behind `sessionHeaders`. */
  sessionId(owner: Owner): Promise<number>;
}

interface AccountSample {
  readonly body?: Readonly<Record<string, unknown>>;
  readonly person?: Readonly<Record<string, string>>;
}

type MakeSample = (
  world: AccountWorld,
  wanted: { readonly owner: Owner },
) => Promise<AccountSample>;

const HOUR_MS = 3_600_000;
const BOOK_ENTRY = {
  address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
  network: 'btc',
  label: 'cold',
  currency: 'btc',
};

export const accountSamples = {
  createApiKey: async (world, { owner }) => ({
    body: { name: 'bot', ...(await proofs(world, owner)) },
  }),
  changeApiKey: async (world, { owner }) => {
    const token_id = await newKey(world, owner);
    const permissions = { can_trade: true };
    return { body: { token_id, permissions, ...(await proofs(world, owner)) } };
  },
  revokeApiKey: async (world, { owner }) => {
    const token_id = await newKey(world, owner);
    return { body: { token_id, ...(await proofs(world, owner)) } };
  },
  replaceAddressBook: async (world) => ({
    person: (await newPerson(world)).headers,
    body: { addresses: [BOOK_ENTRY] },
  }),
  setBookOnly: async (world) => ({
    person: (await newPerson(world)).headers,
    body: { book_only: true },
  }),
  changeSettings: async () => ({ body: { risk: { popup_warning: false } } }),
  chooseUsername: async (world) => {
    await world.registry.query('update users set has_chosen_username = false');
    return { body: { username: randomUUID().replaceAll('-', '').slice(0, 15) } };
  },
  requestEmailChange: async (world) => {
    for (const owner of ['admin', 'alice', 'bob'] as const) await withoutFactors(world, owner);
    return { body: { email: `${randomUUID()}@example.com` } };
  },
  confirmEmailChange: async (world) => {
    const { headers, send } = await newPerson(world);
    const payload = `${randomUUID()}@example.com`;
    const old_code = await send('email_change_old', payload);
    const new_code = await send('email_change_new', payload);
    return { person: headers, body: { old_code, new_code } };
  },
  deactivateUser: async (world) => ({ person: (await newPerson(world)).headers }),
  deactivateUserByPost: async (world) => ({ person: (await newPerson(world)).headers, body: {} }),
  closeAccount: async (world) => {
    const { headers, send } = await newPerson(world);
    return { person: headers, body: { email_code: await send('confirm_action') } };
  },
} as const satisfies Readonly<Record<string, MakeSample>>;

export async function proofs(world: AccountWorld, owner: Owner) {
  const secret = await activeSecret(world, owner);
  const session = await world.sessionId(owner);
  const user = world.userId(owner) as UserId;
  const email_code = await sendCode(world, { user, session, purpose: 'confirm_action' });
  return { otp_code: totpCode(secret, Date.now()), email_code };
}

function sendCode(
  world: AccountWorld,
  of: { user: UserId; session: number; purpose: CodePurpose; payload?: string },
): Promise<string> {
  const { session, ...code } = of;
  const flow = { network: '192.0.2.1', session };
  return issueCode(world.registry, world.vault, { ...code, form: 'v5', flow });
}

async function newKey(world: AccountWorld, owner: Owner): Promise<number> {
  const issued = await issueKey(world.registry, world.vault, {
    user: world.userId(owner) as UserId,
    name: 'sample',
    kind: 'hmac',
    role: 'user',
    canRead: true,
    canTrade: false,
    canWithdraw: false,
    whitelistedIps: [],
    nowMs: Date.now(),
  });
  if (issued instanceof Refused) throw new Error(`key refused: ${issued.key}`);
  return issued.key.id;
}

/** Creates a user without money, factors or role. */
export async function newPerson(world: AccountWorld) {
  const { registry, vault } = world;
  const made = await createUser(registry, { email: `${randomUUID()}@example.com` });
  if (typeof made === 'string') throw new Error(`user refused: ${made}`);
  const user = made.id;
  const life = { lifeMs: HOUR_MS, nowMs: Date.now(), exchangeName: 'rialto' };
  const { session, token } = await grantSession(registry, vault, { user, ...life });
  return {
    user,
    session: session.id,
    headers: { authorization: `Bearer ${token}` },
    send: (purpose: CodePurpose, payload?: string) =>
      sendCode(world, {
        user,
        session: session.id,
        purpose,
        ...(payload !== undefined && { payload }),
      }),
  };
}
