// Compares the ledger with the closed formula. From the staking tables it uses only who staked how
// much and on which days; rates, prices and slashes come from the plan.

import type { UserId } from '../../../core/money/index.ts';
import { type PoolPlan, priceOfDay } from './plan.ts';
import { type DrillStage, dayText } from './stage.ts';

export interface Judgement {
  readonly stakes: number;
  readonly earlyEnds: number;
  readonly rewardAtoms: string;
  /** Staking transfers that the ledger contains more than once. */
  readonly paidTwice: number;
  /** Difference over all accounts, up or down. */
  readonly differenceAtoms: number;
  /** Unpaid stakes. */
  readonly unpaid: number;
}

export async function judge(stage: DrillStage, days: number): Promise<Judgement> {
  const { admin } = stage.sandbox;
  const { rows } = await admin.registry.query(
    `select id, pool_id, user_id, principal_atoms, is_early, state,
       opened_day::text as opened, end_day::text as ended
     from stakes where state <> 'refused' order by id`,
  );
  const expected = new Map(stage.credited);
  const add = (user: UserId, asset: number, atoms: bigint) =>
    expected.set(`${user}/${asset}`, (expected.get(`${user}/${asset}`) ?? 0n) + atoms);
  let total = 0n;
  for (const row of rows) {
    const { account, plan } = stage.pools.find(({ id }) => id === Number(row.pool_id))!;
    const principal = BigInt(row.principal_atoms);
    const reward = rewardOf(plan, { principal, opened: row.opened, ended: row.ended, days });
    const slash = (atoms: bigint, ppm: bigint) => (row.is_early ? (atoms * ppm) / 1_000_000n : 0n);
    const slashed = slash(principal, plan.principalSlashPpm);
    const paid = reward - slash(reward, plan.rewardSlashPpm);
    const user = Number(row.user_id) as UserId;
    add(user, stage.assets.btc, -slashed);
    add(account, stage.assets.btc, slashed);
    add(user, stage.assets[plan.reward], paid);
    add(account, stage.assets[plan.reward], -paid);
    total += reward;
  }
  for (const { reserve } of stage.pools) {
    for (const asset of Object.values(stage.assets)) expected.set(`${reserve}/${asset}`, 0n);
  }
  return {
    stakes: rows.length,
    earlyEnds: rows.filter((row) => row.is_early).length,
    rewardAtoms: `${total}`,
    paidTwice: await countRepeated(stage),
    differenceAtoms: Number(await differenceOf(stage, expected)),
    unpaid: rows.filter((row) => row.state !== 'closed').length,
  };
}

interface Earning {
  readonly principal: bigint;
  readonly opened: string;
  readonly ended: string;
  readonly days: number;
}

/** Returns ⌊P × Σ(apy × price)⌋ as one fraction, over the days after the first up to the last. */
function rewardOf(plan: PoolPlan, { days, ended, opened, principal }: Earning): bigint {
  let sum = 0n;
  let { apyMicro } = plan;
  for (let day = 1; day <= days; day += 1) {
    // A change made the day before is in effect.
    apyMicro = plan.changes[day - 1] ?? apyMicro;
    const text = dayText(day);
    if (text <= opened || text > ended) continue;
    sum += apyMicro * (plan.reward === 'btc' ? 10n ** 18n : unitsOf(priceOfDay(text)));
  }
  const [stakeScale, rewardScale] = [8n, plan.reward === 'btc' ? 8n : 6n];
  return (principal * sum * 10n ** rewardScale) / (36_000n * 10n ** 24n * 10n ** stakeScale);
}

function unitsOf(price: string): bigint {
  const [whole, fraction = ''] = price.split('.');
  return BigInt(whole + fraction.padEnd(18, '0'));
}

async function countRepeated({ sandbox }: DrillStage): Promise<number> {
  const { rows } = await sandbox.admin.projections.query(
    `select coalesce(sum(times - 1), 0) as repeated from (
       select count(*) as times from ledger_entries
       where reference like 'stake %' and available_change_atoms > 0 group by reference
     ) counted where times > 1`,
  );
  return Number(rows[0].repeated);
}

async function differenceOf(
  { assets, sandbox }: DrillStage,
  expected: ReadonlyMap<string, bigint>,
): Promise<bigint> {
  const { rows } = await sandbox.admin.projections.query(
    `select owner || '/' || asset_id as key, available_atoms + held_atoms as atoms from balances
     where asset_id = any($1)`,
    [Object.values(assets)],
  );
  const found = new Map(rows.map(({ atoms, key }) => [key, BigInt(atoms)]));
  let difference = 0n;
  for (const [key, atoms] of expected) {
    const wrong = (found.get(key) ?? 0n) - atoms;
    if (wrong !== 0n) console.error(`account ${key}: expected ${atoms}, found ${found.get(key)}`);
    difference += wrong < 0n ? -wrong : wrong;
  }
  return difference;
}
