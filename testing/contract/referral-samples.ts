// Valid requests for the referral routes. Bob is the paying account.

import { randomUUID } from 'node:crypto';
import type { UserId } from '../../core/money/index.ts';
import { describeKit } from '../../features/listings/index.ts';
import { createReferralCode } from '../../features/referral/codes.ts';
import { withConnection } from '../../infra/postgres/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { newPerson } from './account-samples.ts';

type Owner = 'admin' | 'alice' | 'bob';

type ReferralWorld = Parameters<typeof newPerson>[0] & {
  /** Operators have a separate gateway. */
  urlFor(owner: Owner): string;
  sessionHeaders(owner: Owner): Promise<Readonly<Record<string, string>>>;
};

interface ReferralSample {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly person?: Readonly<Record<string, string>>;
}

type MakeSample = (
  world: ReferralWorld,
  wanted: { readonly owner: Owner },
) => Promise<ReferralSample>;

const EARNING_RATE = 50;
/** 1,000 USDT in units of 10^-38 atoms. */
const EARNED = '1e47';

export const referralSamples = {
  checkReferralCode: async (world) => ({ query: { code: await newCode(world) } }),
  createReferralCode: async (world) => {
    await turnOn(world);
    const rates = { discount: 20, earning_rate: 30 };
    return { person: (await newPerson(world)).headers, body: { code: codeText(), ...rates } };
  },
  createReferralCodeForUser: async (world) => {
    await turnOn(world);
    const rates = { discount: 20, earning_rate: 30 };
    return { body: { user_id: world.userId('alice'), code: codeText(), ...rates } };
  },
  applyReferralCode: async (world) => {
    const code = await newCode(world);
    return { person: (await newPerson(world)).headers, body: { code } };
  },
  settleReferral: async (world) => {
    await turnOn(world);
    const { headers, user } = await newPerson(world);
    await earn(world, user);
    return { person: headers };
  },
  /** Adds a payout, because the file needs a row. */
  getRealizedReferral: async (world, { owner }) => {
    await turnOn(world);
    if (owner === 'bob') return {};
    await earn(world, world.userId(owner) as UserId);
    const headers = await world.sessionHeaders(owner);
    const address = `${world.urlFor(owner)}/v2/user/referral/unrealized`;
    const answer = await fetch(address, { method: 'POST', headers });
    if (!answer.ok) throw new Error(`payout refused: ${await answer.text()}`);
    return {};
  },
  setReferralProgram: async (world) => ({ body: programOf(world) }),
} as const satisfies Readonly<Record<string, MakeSample>>;

function programOf(world: ReferralWorld) {
  return {
    active: true,
    currency: 'usdt',
    earning_rate: EARNING_RATE,
    minimum_amount: 1,
    earning_period: 0,
    distributor_id: world.userId('bob'),
  };
}

async function turnOn(world: ReferralWorld): Promise<void> {
  await describeKit(world.registry, { referral_history_config: programOf(world) });
}

async function newCode(world: ReferralWorld): Promise<string> {
  await turnOn(world);
  const { user: owner } = await newPerson(world);
  const code = { owner, code: codeText(), discount: 0, earningRate: 10 };
  const made = await withConnection(world.registry, (connection) =>
    createReferralCode(connection, code, { earningRate: EARNING_RATE }),
  );
  if (made instanceof Refused) throw new Error(`code refused: ${made.key}`);
  return made.code;
}

async function earn({ registry }: ReferralWorld, referrer: UserId): Promise<void> {
  await registry.query(
    `insert into referral_totals as t (referrer_id, asset_id, numerator)
     select $1, id, $2::numeric from rialto.assets where symbol = 'usdt'
     on conflict (referrer_id, asset_id) do update set numerator = t.numerator + $2::numeric`,
    [referrer, EARNED],
  );
}

function codeText(): string {
  return randomUUID().replaceAll('-', '').slice(0, 6);
}
