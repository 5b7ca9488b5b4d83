// Trades under load while the leader is killed: the reconciler must find nothing. Then atoms, rows
// and states are changed manually: each must be found, be reported and pause withdrawals within ten
// seconds. An old row is found within a pass over all rows.

import { setTimeout as delay } from 'node:timers/promises';
import { type CheckName, readOpenDifferences } from '../../../features/reconciliation/index.ts';
import { type OwnConnection, openConnection } from '../../../infra/postgres/index.ts';
import { type Sandbox, startSandbox } from '../../../tools/sandbox/sandbox.ts';
import { PROJECTION_SCHEMA, REGISTRY_SCHEMA } from '../../../tools/sandbox/sandbox-settings.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import { OrderLoad } from '../harness/order-load.ts';
import { killLeader } from '../harness/sequencers.ts';
import { makeMaterial } from './material.ts';
import { type Plant, plants } from './plants.ts';

/** Users who trade continuously, and users who join while discrepancies are planted. */
const TRADERS = 16;
const JOINING = 48;
/** Undisturbed and disturbed trading without a discrepancy. */
const CALM_MS = { full: 1_800_000, quick: 4_000 };
/** Traders without load, whose rows are changed. */
const QUIET = 3;
/** A quick drill must not produce rows faster than a pass compares them: it waits for passes. */
const PAUSE_MS = { full: 0, quick: 200 };
const KILL_EVERY_MS = { full: 60_000, quick: 4_000 };
const FOUND_WITHIN_MS = 10_000;
/** Limit for a plant that is not found. */
const GIVE_UP_MS = 60_000;
const PASS_MS = 900_000;
const POLL_MS = 100;

interface Finding {
  readonly plant: Plant;
  /** Infinity if it was not found. */
  readonly foundMs: number;
  readonly isPaused: boolean;
}

type Open = Awaited<ReturnType<typeof readOpenDifferences>>[number];

export async function run({ quick }: { quick: boolean }): Promise<Record<string, unknown>> {
  const size = quick ? 'quick' : 'full';
  const sandbox = await startSandbox({
    gateways: 2,
    // Its snapshots let a killed sequencer restart quickly.
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
    const traders = await sandbox.createTraders({ count: TRADERS + JOINING + QUIET });
    const load = new OrderLoad(sandbox, { pauseMs: PAUSE_MS[size] });
    load.start(traders.slice(QUIET, QUIET + TRADERS));
    const calm = load.rate();
    const [quiet, idle, lost, busy] = traders;
    const material = await makeMaterial(sandbox, [quiet, idle, lost, busy]);
    const kills = await tradeCalmly(sandbox, load, {
      forMs: CALM_MS[size],
      everyMs: KILL_EVERY_MS[size],
    });
    const falseAlarms = await countRows(registry, 'reconciliation_differences');
    const entries = await countRows(registry, `${PROJECTION_SCHEMA}.ledger_entries`);
    const calmOrdersPerSecond = calm();
    console.log(`${falseAlarms} false alarms in ${kills} kills and ${entries} ledger entries`);
    if (!quick) load.start(traders.slice(QUIET + TRADERS));
    const planting = load.rate();
    const findings: Finding[] = [];
    for (const wave of wavesOf(await plants(registry, material))) {
      findings.push(...(await plantAndFind(registry, wave)));
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

/** Plants that change different rows are planted together. */
function wavesOf(all: readonly Plant[]): Plant[][] {
  const waves: Plant[][] = [];
  for (const plant of all) {
    const wave = waves.find((one) => one.every(({ touches }) => touches !== plant.touches));
    if (wave === undefined) waves.push([plant]);
    else wave.push(plant);
  }
  return waves;
}

async function plantAndFind(registry: OwnConnection, wave: readonly Plant[]): Promise<Finding[]> {
  for (const { plant } of wave) await change(registry, plant);
  const plantedMs = performance.now();
  const found = new Map<Plant, { readonly foundMs: number; readonly difference: Open }>();
  for (;;) {
    const open = await readOpenDifferences(registry);
    const foundMs = Math.round(performance.now() - plantedMs);
    for (const plant of wave) {
      const difference = open.find(
        ({ check, object }) => check === plant.check && object === plant.object,
      );
      if (difference === undefined || found.has(plant)) continue;
      found.set(plant, { foundMs, difference });
      console.log(`${plant.title}: found after ${foundMs} ms`);
    }
    const missing = wave.filter((plant) => !found.has(plant));
    const waitMs = missing.some(({ takesAPass }) => takesAPass) ? PASS_MS : GIVE_UP_MS;
    if (missing.length === 0 || foundMs > waitMs) break;
    await delay(POLL_MS);
  }
  const { rows } = await registry.query(
    `select c.symbol, s.object is not null as is_paused from coins c left join stops s
       on s.name = 'withdrawals' and s.object = c.symbol and s.stopped_by is null`,
  );
  for (const { repair } of wave) await change(registry, repair);
  await waitUntil({
    what: 'nothing differs',
    timeoutMs: 2 * PASS_MS,
    question: async () => (await readOpenDifferences(registry)).length === 0,
  });
  await registry.query('delete from stops');
  await registry.query('update coins set allow_withdrawal = true');
  return wave.map((plant) => {
    const { difference, foundMs = Number.POSITIVE_INFINITY } = found.get(plant) ?? {};
    if (difference === undefined) console.log(`${plant.title}: not found`);
    const concerned = rows.filter(({ symbol }) => (difference?.asset ?? symbol) === symbol);
    const isPaused = concerned.every(({ is_paused }) => is_paused);
    return { plant, foundMs, isPaused: isPaused || PAUSE_NOTHING.includes(plant.check) };
  });
}

const PAUSE_NOTHING: readonly CheckName[] = ['notices'];

/** Changes rows manually, without triggers and references. */
async function change(registry: OwnConnection, statements: readonly string[]): Promise<void> {
  await registry.query('begin');
  await registry.query('set local session_replication_role = replica');
  for (const statement of statements) {
    const { rowCount } = await registry.query(statement);
    if (rowCount === 0) throw new Error(`expected to change a row: ${statement}`);
  }
  await registry.query('commit');
}

function judge(
  findings: readonly Finding[],
  load: Readonly<
    Record<'falseAlarms' | 'kills' | 'entries' | 'calmOrdersPerSecond' | 'ordersPerSecond', number>
  >,
): Record<string, unknown> {
  const soon = findings.filter(({ plant }) => !plant.takesAPass);
  const found = findings.filter(({ foundMs }) => Number.isFinite(foundMs));
  const late = soon.filter(({ foundMs }) => foundMs > FOUND_WITHIN_MS).length;
  const notPaused = findings.filter(({ isPaused }) => !isPaused).length;
  const notFound = findings.length - found.length;
  if (load.falseAlarms + late + notPaused + notFound > 0) process.exitCode = 1;
  const slowest = (isOld: boolean): number =>
    Math.max(
      ...found.filter(({ plant }) => isOld === !!plant.takesAPass).map((one) => one.foundMs),
    );
  return {
    ...load,
    planted: findings.length,
    found: found.length,
    late,
    notPaused,
    slowestMs: slowest(false),
    slowestOldRowMs: slowest(true),
  };
}
