// Valid requests for the routes of sub-accounts. Their sub-accounts are removed again, so that a
// run of many samples does not reach the limit.

import { randomUUID } from 'node:crypto';
import type { RestClient } from '../../tools/sandbox/rest-client.ts';

type Owner = 'admin' | 'alice' | 'bob';

interface SubAccountWorld {
  client(owner: Owner): RestClient;
}

type MakeSample = (
  world: SubAccountWorld,
  wanted: { readonly owner: Owner },
) => Promise<{ readonly body: Readonly<Record<string, unknown>> }>;

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
} as const satisfies Record<string, MakeSample>;

async function newSub(world: SubAccountWorld, owner: Owner): Promise<number> {
  await removeAll(world, owner);
  const made = await world.client(owner).post('/subaccount', { label: randomUUID() });
  if (made.status !== 201) throw new Error(made.text);
  return made.body.id;
}

/** Those that are not empty stay: one for each transfer. */
async function removeAll(world: SubAccountWorld, owner: Owner): Promise<void> {
  const client = world.client(owner);
  const { body } = await client.get('/subaccounts');
  if (body.count < 40) return;
  for (const { id } of body.data)
    await client.send({ method: 'DELETE', target: '/v2/subaccount', body: { subaccount_id: id } });
}
