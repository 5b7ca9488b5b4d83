// Stage of the drill: a real exchange with its engine and dispatcher, pools with funding accounts,
// and users who stake and end stakes. Staking uses the drill's own clock.

import { DAY_MS } from '../../../core/market-data/index.ts';
import type { AssetId, Atoms, UserId } from '../../../core/money/index.ts';
import { createUser } from '../../../features/accounts/index.ts';
import {
  findPool,
  insertPool,
  lockPool,
  type StakePool,
  updatePool,
} from '../../../features/staking/pools.ts';
import { withConnection } from '../../../infra/postgres/index.ts';
import { type Sandbox, startSandbox } from '../../../tools/sandbox/sandbox.ts';
import { POOLS, type PoolPlan } from './plan.ts';

/** In the future, so no clock on the machine reaches it. */
export const START_MS = Date.parse('2040-01-01T12:00:00Z');
export const COIN = 10n ** 8n;
export const FUNDS = 1_000n * COIN;
const REWARD_FUNDS = { btc: 100n * COIN, usdt: 10n ** 14n };

export interface PlannedPool {
  readonly plan: PoolPlan;
  readonly id: number;
  readonly account: UserId;
  readonly reserve: UserId;
}

export interface DrillStage {
  readonly sandbox: Sandbox;
  readonly pools: readonly PlannedPool[];
  readonly people: readonly UserId[];
  readonly assets: Readonly<Record<'btc' | 'usdt', AssetId>>;
  /** Atoms that each account received from outside, by `user/asset`. */
  readonly credited: Map<string, bigint>;
  /** Applies the funding and the rates of a day of the drill. */
  change(day: number): Promise<void>;
  stop(): Promise<void>;
}

export function dayText(day: number): string {
  return new Date(START_MS + day * DAY_MS).toISOString().slice(0, 10);
}

export async function openStage(peopleCount: number): Promise<DrillStage> {
  const sandbox = await startSandbox({ gateways: 1, checkAnswers: false, logLevel: 'warn' });
  const { admin, seeded } = sandbox;
  const credited = new Map<string, bigint>();
  const [btc, usdt] = [seeded.assets.get('btc')!, seeded.assets.get('usdt')!];
  const pools: PlannedPool[] = [];
  for (const plan of POOLS) pools.push(await makePool(plan));
  const people: UserId[] = [];
  for (let at = 0; at < peopleCount; at += 1) {
    const user = await makeUser(`staker${at}@example.com`);
    await credit(user, 'btc', FUNDS);
    people.push(user);
  }
  const assets = { btc: btc.id, usdt: usdt.id };
  return { sandbox, pools, people, assets, credited, change, stop: () => sandbox.stop() };

  async function makeUser(email: string, role?: 'admin'): Promise<UserId> {
    const made = await createUser(admin.registry, { email, ...(role && { role }) });
    if (typeof made === 'string') throw new Error(`user refused: ${made}`);
    return made.id;
  }

  async function credit(user: UserId, symbol: 'btc' | 'usdt', amount: bigint): Promise<void> {
    const asset = symbol === 'btc' ? btc : usdt;
    const key = `${user}/${asset.id}`;
    credited.set(key, (credited.get(key) ?? 0n) + amount);
    const transactionId = `drill ${key} ${credited.get(key)}`;
    await admin.credit({ user, asset, amountAtoms: amount as Atoms, transactionId });
  }

  async function makePool(plan: PoolPlan): Promise<PlannedPool> {
    const account = await makeUser(
      `funds of pool ${POOLS.indexOf(plan)}@example.com`.replaceAll(' ', '-'),
      'admin',
    );
    const id = await withConnection(admin.registry, (connection) =>
      insertPool(connection, {
        user: account,
        today: dayText(0),
        nowMs: START_MS,
        terms: {
          name: plan.name,
          category: null,
          disclaimer: null,
          account,
          asset: btc,
          rewardAsset: plan.reward === 'btc' ? btc : usdt,
          apyMicro: plan.apyMicro,
          durationDays: plan.durationDays,
          minAtoms: 1n as Atoms,
          maxAtoms: FUNDS as Atoms,
          earlyUnstake: plan.durationDays !== null,
          principalSlashPpm: plan.principalSlashPpm,
          rewardSlashPpm: plan.rewardSlashPpm,
          isAutomatic: true,
          onboarding: true,
          state: 'active',
        },
      }),
    );
    const { reserve } = (await findPool(admin.registry, id!)) as StakePool;
    return { plan, id: id!, account, reserve };
  }

  async function change(day: number): Promise<void> {
    for (const { account, id, plan } of pools) {
      if (plan.fundedOn.includes(day))
        await credit(account, plan.reward, REWARD_FUNDS[plan.reward]);
      const apyMicro = plan.changes[day];
      if (apyMicro === undefined) continue;
      await withConnection(admin.registry, async (connection) => {
        await connection.query('begin');
        const pool = (await lockPool(connection, id, 'update'))!;
        const times = { today: dayText(day), nowMs: START_MS + day * DAY_MS };
        await updatePool(connection, { pool, terms: { ...pool, apyMicro }, ...times });
        await connection.query('commit');
      });
    }
  }
}
