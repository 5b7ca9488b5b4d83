// Trading under load with a leader that is killed: the reconciler must find nothing. Then one atom,
// row or state after the other is changed by hand: each must be found, named and pause withdrawals
// within ten seconds. An old ledger entry is found within a pass over all entries.

import { setTimeout as delay } from 'node:timers/promises';
import { readOpenDifferences } from '../../../features/reconciliation/index.ts';
import { type OwnConnection, openConnection } from '../../../infra/postgres/index.ts';
import { type Sandbox, startSandbox } from '../../../tools/sandbox/sandbox.ts';
import { PROJECTION_SCHEMA, REGISTRY_SCHEMA } from '../../../tools/sandbox/sandbox-settings.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import { OrderLoad } from '../harness/order-load.ts';
import { killLeader } from '../harness/sequencers.ts';
import { type Plant, plants } from './plants.ts';

/** Those who trade all the time, and those who join while differences are planted. */
const TRADERS = 16;
const JOINING = 48;
/** A quick drill plants every fourth one. */
const QUICK_STEP = 4;
/** Undisturbed and disturbed trading without a difference. */
const CALM_MS = { full: 1_800_000, quick: 4_000 };
const KILL_EVERY_MS = { full: 60_000, quick: 4_000 };
const FOUND_WITHIN_MS = 10_000;
/** A plant that is not found at all. */
const GIVE_UP_MS = 60_000;
const PASS_MS = 300_000;

interface Finding {
  readonly plant: Plant;
  readonly foundMs: number;
  readonly isPaused: boolean;
}

export async function run({ quick }: { quick: boolean }): Promise<Record<string, unknown>> {
  const size = quick ? 'quick' : 'full';
  const sandbox = await startSandbox({
    gateways: 2,
    // Its snapshots let a killed sequencer return quickly.
    withArchivist: true,
    withNotifier: true,
    withReconciler: true,
    checkAnswers: false,
  });
  try {
    const registry = await openConnection({
      url: sandbox.postgres.url,
      schema: REGISTRY_SCHEMA,
      name: 'drill',
      statementTimeoutMs: GIVE_UP_MS,
    });
    const traders = await sandbox.createTraders({ count: TRADERS + JOINING + 1 });
    const load = new OrderLoad(sandbox);
    load.start(traders.slice(1, 1 + TRADERS));
    const calm = load.rate();
    const kills = await tradeCalmly(sandbox, load, {
      forMs: CALM_MS[size],
      everyMs: KILL_EVERY_MS[size],
    });
    const falseAlarms = await countRows(registry, 'reconciliation_differences');
    const entries = await countRows(registry, `${PROJECTION_SCHEMA}.ledger_entries`);
    const calmOrdersPerSecond = calm();
    console.log(`${falseAlarms} false alarms in ${kills} kills and ${entries} ledger entries`);
    load.start(traders.slice(1 + TRADERS));
    const planting = load.rate();
    const [quiet, busy] = traders.map(({ user }) => user as number);
    const all = await plants(registry, { busy, quiet });
    const findings: Finding[] = [];
    for (const plant of quick ? all.filter((_, at) => at % QUICK_STEP === 0) : all) {
      findings.push(await plantAndFind(registry, plant));
    }
    const ordersPerSecond = planting();
    await load.stop();
    await registry.end();
    return judge(findings, { falseAlarms, kills, entries, calmOrdersPerSecond, ordersPerSecond });
  } finally {
    await sandbox.stop();
  }
}

/** Returns the number of kills. */
async function tradeCalmly(
  sandbox: Sandbox,
  load: OrderLoad,
  { everyMs, forMs }: { readonly forMs: number; readonly everyMs: number },
): Promise<number> {
  const endMs = performance.now() + forMs;
  let kills = 0;
  do {
    await delay(Math.min(everyMs, forMs));
    await killLeader(sandbox, load);
    kills++;
  } while (performance.now() < endMs);
  await delay(Math.min(everyMs, forMs));
  return kills;
}

async function countRows(registry: OwnConnection, table: string): Promise<number> {
  const { rows } = await registry.query(`select count(*) from ${table}`);
  return Number(rows[0].count);
}

async function plantAndFind(registry: OwnConnection, one: Plant): Promise<Finding> {
  const { check, object, plant, repair, takesAPass, title } = one;
  const timeoutMs = takesAPass ? PASS_MS : GIVE_UP_MS;
  const open = () => readOpenDifferences(registry);
  // Plants in balances also differ from the entries, until the next pass over those.
  const hasNone = async () => (await open()).length === 0;
  if (takesAPass) await waitUntil({ what: 'nothing differs', timeoutMs, question: hasNone });
  await registry.query(plant);
  const plantedMs = performance.now();
  const isOpen = async () =>
    (await open()).some((found) => found.check === check && found.object === object);
  await waitUntil({ what: title, timeoutMs, question: isOpen });
  const foundMs = Math.round(performance.now() - plantedMs);
  const { rows } = await registry.query(
    `select from stops where name = 'withdrawals' and stopped_by is null`,
  );
  await registry.query(repair);
  const isClosed = async () => !(await isOpen());
  await waitUntil({ what: `${title}: closed`, timeoutMs, question: isClosed });
  await registry.query('delete from stops');
  await registry.query('update coins set allow_withdrawal = true');
  console.log(`${title}: found after ${foundMs} ms`);
  return { plant: one, foundMs, isPaused: rows.length > 0 || check === 'notices' };
}

function judge(
  findings: readonly Finding[],
  load: Readonly<
    Record<'falseAlarms' | 'kills' | 'entries' | 'calmOrdersPerSecond' | 'ordersPerSecond', number>
  >,
): Record<string, unknown> {
  const soon = findings.filter(({ plant }) => !plant.takesAPass);
  const late = soon.filter(({ foundMs }) => foundMs > FOUND_WITHIN_MS).length;
  const notPaused = findings.filter(({ isPaused }) => !isPaused).length;
  if (load.falseAlarms + late + notPaused > 0) process.exitCode = 1;
  return {
    ...load,
    planted: findings.length,
    late,
    notPaused,
    slowestMs: Math.max(...soon.map(({ foundMs }) => foundMs)),
    oldEntryMs: findings.find(({ plant }) => plant.takesAPass)?.foundMs,
  };
}
