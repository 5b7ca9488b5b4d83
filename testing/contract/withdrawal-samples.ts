// Valid requests for requesting and confirming withdrawals, with an unused second factor and the
// code from the email.

import type { UserId } from '../../core/money/index.ts';
import { totpCode } from '../../features/auth/index.ts';
import { RestClient } from '../../tools/sandbox/rest-client.ts';
import { readLastMail } from '../identity/read-mails.ts';
import { activeSecret, type FactorWorld } from './factor-samples.ts';

type Owner = 'admin' | 'alice' | 'bob';

type MakeSample = (
  world: FactorWorld,
  wanted: { readonly owner: Owner },
) => Promise<{ readonly body: Readonly<Record<string, unknown>> }>;

export const withdrawalSamples = {
  requestWithdrawal: async (world, { owner }) => ({ body: await request(world, owner) }),
  // Only users with money can withdraw.
  confirmWithdrawal: async (world, { owner }) => {
    const person = owner === 'admin' ? 'alice' : owner;
    const body = await request(world, person);
    const asked = await new RestClient({ url: world.urlFor(person) }).send({
      method: 'POST',
      target: '/v2/user/request-withdrawal',
      headers: await world.sessionHeaders(person),
      body,
    });
    if (asked.status !== 200) throw new Error(asked.text);
    const user = world.userId(person) as UserId;
    const { registry, vault } = world;
    const { values } = await readLastMail(registry, vault, { user, kind: 'confirm_withdrawal' });
    return { body: { token: values.code } };
  },
} as const satisfies Readonly<Record<string, MakeSample>>;

async function request(world: FactorWorld, owner: Owner) {
  const secret = await activeSecret(world, owner);
  // All samples share a sender, whose emails are counted.
  await world.registry.query('delete from login_throttles');
  return {
    currency: 'btc',
    amount: 0.001,
    address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
    network: 'btc',
    otp_code: totpCode(secret, Date.now()),
  };
}
