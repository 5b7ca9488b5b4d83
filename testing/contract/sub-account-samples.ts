// Valid requests for the sub-account and shared account routes. Old sub-accounts are removed, so a
// run of many samples stays below the limit. Owners of shared accounts exist only for one sample.

import { randomUUID } from 'node:crypto';
import type { UserId } from '../../core/money/index.ts';
import { createUser } from '../../features/accounts/index.ts';
import { grantSession, issueCode, totpBound, totpCode } from '../../features/auth/index.ts';
import { sharedAccountBound } from '../../features/sub-accounts/index.ts';
import type { Pool } from '../../infra/postgres/index.ts';
import type { Vault } from '../../platform/vault/index.ts';
import type { RestClient } from '../../tools/sandbox/rest-client.ts';

/** Base32 of twenty zero bytes. */
const SECRET = 'A'.repeat(32);

type Owner = 'admin' | 'alice' | 'bob';

interface SubAccountWorld {
  readonly url: string;
  readonly registry: Pool;
  readonly vault: Vault;
  client(owner: Owner): RestClient;
  userId(owner: Owner): number;
}

type MakeSample = (
  world: SubAccountWorld,
  wanted: { readonly owner: Owner },
) => Promise<{
  readonly body: Readonly<Record<string, unknown>>;
  readonly person?: Readonly<Record<string, string>>;
}>;

export const subAccountSamples = {
  createSubAccount: async (world, { owner }) => {
    await removeAll(world, owner);
    return { body: { label: randomUUID(), virtual: true, color: '#ff8800' } };
  },
  removeSubAccount: async (world, { owner }) => ({
    body: { subaccount_id: await newSub(world, owner) },
  }),
  transferToSubAccount: async (world, { owner }) => ({
    body: {
      subaccount_id: await newSub(world, owner),
      currency: 'usdt',
      amount: 1,
      direction: 'to_sub',
    },
  }),
  openSubAccount: async (world, { owner }) => ({
    body: { subaccount_id: await newSub(world, owner) },
  }),
  shareAccount: async (world) => {
    const { headers, proofs } = await newPerson(world);
    const email = `${randomUUID()}@example.com`;
    return { person: headers, body: { email, label: 'accountant', ...proofs } };
  },
  enterSharedAccount: async (world, { owner }) => {
    const { id } = await share(world, owner);
    return { body: { sharedaccount_id: id } };
  },
  pauseSharedAccount: shareOfNewPerson,
  resumeSharedAccount: async (world) => {
    const { headers, id, proofs } = await share(world, 'bob');
    return { person: headers, body: { sharedaccount_id: id, ...proofs } };
  },
  removeSharedAccount: shareOfNewPerson,
} as const satisfies Record<string, MakeSample>;

async function newSub(world: SubAccountWorld, owner: Owner): Promise<number> {
  await removeAll(world, owner);
  const made = await world.client(owner).post('/subaccount', { label: randomUUID() });
  if (made.status !== 201) throw new Error(made.text);
  return made.body.id;
}

/** Removes sub-accounts. Those with a balance (one per transfer) remain. */
async function removeAll(world: SubAccountWorld, owner: Owner): Promise<void> {
  const client = world.client(owner);
  const { body } = await client.get('/subaccounts');
  if (body.count < 40) return;
  for (const { id } of body.data)
    await client.send({ method: 'DELETE', target: '/v2/subaccount', body: { subaccount_id: id } });
}

async function shareOfNewPerson(world: SubAccountWorld) {
  const { headers, id } = await share(world, 'bob');
  return { person: headers, body: { sharedaccount_id: id } };
}

/** Creates a user who shares the account with the guest. */
async function share(world: SubAccountWorld, guest: Owner) {
  const { headers, proofs, user } = await newPerson(world);
  const reference = randomUUID();
  const { kekId, sealed } = world.vault.seal(sharedAccountBound(reference), 'guest@example.com');
  const { rows } = await world.registry.query(
    `insert into shared_accounts (user_id, guest_id, reference, kek_id, sealed_email)
     values ($1, $2, $3, $4, $5) returning id`,
    [user, world.userId(guest), reference, kekId, sealed],
  );
  return { headers, proofs, id: Number(rows[0].id) };
}

async function newPerson({ registry, vault }: SubAccountWorld) {
  const made = await createUser(registry, { email: `${randomUUID()}@example.com` });
  if (typeof made === 'string') throw new Error(`user refused: ${made}`);
  const user: UserId = made.id;
  const life = { lifeMs: 3_600_000, nowMs: Date.now(), exchangeName: 'rialto' };
  const { session, token } = await grantSession(registry, vault, { user, ...life });
  const { kekId, sealed } = vault.seal(totpBound(user), Buffer.alloc(20));
  await registry.query(
    `insert into totp_secrets (user_id, kek_id, sealed_secret, state)
     values ($1, $2, $3, 'active')`,
    [user, kekId, sealed],
  );
  const flow = { network: '192.0.2.1', session: session.id };
  const of = { user, purpose: 'confirm_action', form: 'v5', flow } as const;
  const email_code = await issueCode(registry, vault, of);
  const proofs = { otp_code: totpCode(SECRET, Date.now()), email_code };
  return { user, headers: { authorization: `Bearer ${token}` }, proofs };
}
