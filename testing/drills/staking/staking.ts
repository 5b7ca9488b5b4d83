// 400 days of staking with a worker that is killed at every statement of its work: before it is
// sent, after it was sent, after its answer. The ledger of the real engine must equal the closed
// formula to the atom, and no transfer can exist twice.

import { DAY_MS } from '../../../core/market-data/index.ts';
import type { Atoms } from '../../../core/money/index.ts';
import { openStake, unstake } from '../../../features/staking/stakes.ts';
import { withConnection } from '../../../infra/postgres/index.ts';
import { REGISTRY_SCHEMA } from '../../../tools/sandbox/sandbox-settings.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import { Random } from '../../flows/index.ts';
import { judge } from './judge.ts';
import { COIN, type DrillStage, openStage, START_MS } from './stage.ts';
import { WorkerProcess } from './worker-process.ts';

const SEED = Number(process.env.RIALTO_SEED ?? 13);
const DAYS = 400;
/** After this day no user stakes, and open-ended stakes are ended five days later. */
const LAST_STAKES_DAY = 340;
const SIZES = {
  full: { people: 24, kills: 600, stakesPercent: 40 },
  quick: { people: 4, kills: 12, stakesPercent: 12 },
};
/**
 * The longest of these days determines the number of statements; a day with many ends drops out.
 */
const RECENT_DAYS = 10;
const TRIES_PER_DAY = 3;
const MOMENTS = ['before', 'sent', 'after'] as const;
const SETTLED_WITHIN_MS = 60_000;

export async function run({ quick }: { quick: boolean }): Promise<Record<string, unknown>> {
  const size = quick ? SIZES.quick : SIZES.full;
  console.log(`seed ${SEED}`);
  const stage = await openStage(size.people);
  const worker = new WorkerProcess([stage.sandbox.postgres.url, REGISTRY_SCHEMA]);
  try {
    const random = new Random(SEED);
    let attempts = 0;
    let recent = [40];
    for (let day = 0; day < DAYS; day += 1) {
      await stage.change(day);
      await act(stage, { day, random, stakesPercent: size.stakesPercent });
      const nowMs = START_MS + day * DAY_MS;
      // Kills are spread over the days, and over the statements of a day. A kill after the last
      // statement is retried on the next day.
      const wanted = Math.floor(((day + 1) * size.kills) / DAYS);
      for (let tries = 0; tries < TRIES_PER_DAY && worker.kills < wanted; tries += 1) {
        attempts += 1;
        const killAt = 1 + (attempts % Math.max(...recent));
        await worker.work({ nowMs, killAt, moment: MOMENTS[attempts % MOMENTS.length] });
      }
      const statements = await worker.work({ nowMs, killAt: 0, moment: 'before' });
      recent = [...recent, statements ?? 0].slice(-RECENT_DAYS);
      if ((day + 1) % 100 === 0) console.log(`${day + 1} days, ${worker.kills} kills`);
    }
    await untilPaid(stage, worker);
    const result = { days: DAYS, kills: worker.kills, ...(await judge(stage, DAYS)), seed: SEED };
    const isClean = result.paidTwice + result.differenceAtoms + result.unpaid === 0;
    if (!isClean || result.kills < size.kills / 2) process.exitCode = 1;
    return result;
  } finally {
    worker.stop();
    await stage.stop();
  }
}

/** Opens and ends stakes at random; five days after the last stakes, ends all open-ended ones. */
async function act(
  { people, pools, sandbox }: DrillStage,
  { day, random, stakesPercent }: { day: number; random: Random; stakesPercent: number },
): Promise<void> {
  const nowMs = START_MS + day * DAY_MS;
  await withConnection(sandbox.admin.registry, async (connection) => {
    if (day < LAST_STAKES_DAY && random.chance(stakesPercent)) {
      const user = people[random.below(people.length)];
      const { id: pool } = pools[random.below(pools.length)];
      const amountAtoms = (COIN + BigInt(random.below(1_000_000_007))) as Atoms;
      await openStake(connection, { user, pool, amountAtoms, nowMs });
    }
    if (day !== LAST_STAKES_DAY + 5 && !random.chance(10)) return;
    const { rows } = await connection.query(
      `select id, user_id, duration_days from stakes where state = 'staking' order by id`,
    );
    const ending =
      day === LAST_STAKES_DAY + 5
        ? rows.filter((row) => row.duration_days === null)
        : rows.slice(random.below(rows.length + 1)).slice(0, 1);
    for (const row of ending) {
      const asked = { id: Number(row.id), user: Number(row.user_id) as never, nowMs };
      await unstake(connection, asked);
    }
  });
}

/** Waits until the engine has answered everything and the last stakes are closed. */
async function untilPaid(stage: DrillStage, worker: WorkerProcess): Promise<void> {
  const { admin } = stage.sandbox;
  const nowMs = START_MS + DAYS * DAY_MS;
  await waitUntil({
    what: 'all stakes are paid',
    timeoutMs: SETTLED_WITHIN_MS,
    question: async () => {
      await worker.work({ nowMs, killAt: 0, moment: 'before' });
      const { rows } = await admin.registry.query(
        `select from stakes where state not in ('closed', 'refused') limit 1`,
      );
      return rows.length === 0;
    },
  });
  const { rows } = await admin.registry.query('select max(frame) as frame from outbox');
  await admin.waitUntilProjected(Number(rows[0].frame));
}
