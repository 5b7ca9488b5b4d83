// PostgreSQL goes back in time under load, by promotions and by base backups, while deposits,
// withdrawals, claims and sign-ups are in flight. The exchange must notice before it acts, reopen
// with only the documented commands, and pay, credit and number everything once.

import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { useTeam } from '../../../features/approvals/operators-for-test.ts';
import { describePolicySettings } from '../../../features/payments/index.ts';
import { readOpenDifferences } from '../../../features/reconciliation/index.ts';
import { percentile } from '../../../tools/percentile.ts';
import { RestClient } from '../../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../../tools/sandbox/sandbox.ts';
import {
  accessKeyFile,
  archiveFolder,
  EXCHANGE,
  PROJECTION_SCHEMA,
  REGISTRY_SCHEMA,
} from '../../../tools/sandbox/sandbox-settings.ts';
import { until } from '../../../tools/services/wait-until.ts';
import { Random } from '../../flows/index.ts';
import { OperatorStage, type StagedOperator } from '../../operators/operator-stage.ts';
import { type Loss, prepare } from './older-server.ts';
import { complete, openWorld, type World } from './outside-world.ts';

const REPOSITORY = resolve(import.meta.dirname, '../../..');
const SEED = Number(process.env.RIALTO_SEED ?? 34);
const SIZES = { quick: { rounds: 3, lostMs: 3_000 }, full: { rounds: 30, lostMs: 8_000 } };
const WITHIN_MS = 120_000;
/** A line of `restore reconcile`: the finding and its object. */
const DECISION = /^decide (\d+): (\w+ \d+):/gm;
const ENOUGH = '1000000000';

interface Stage {
  readonly sandbox: Sandbox;
  readonly operators: OperatorStage;
  readonly operator: RestClient;
  readonly world: World;
}

export async function run({ quick }: { quick: boolean }): Promise<Record<string, unknown>> {
  const size = quick ? SIZES.quick : SIZES.full;
  const rounds = Number(process.env.RIALTO_ROUNDS ?? size.rounds);
  console.log(`seed ${SEED}`);
  const stage = await openStage();
  const reopenedMs: number[] = [];
  let unnoticed = 0;
  try {
    for (let round = 1; round <= rounds; round += 1) {
      const loss: Loss = round % 2 === 1 ? 'promotion' : 'base backup';
      const noticed = await loseOnce(stage, { loss, lostMs: size.lostMs, round });
      if (!noticed) unnoticed += 1;
      const startedMs = performance.now();
      await reopen(stage);
      const tookMs = Math.round(performance.now() - startedMs);
      reopenedMs.push(tookMs);
      console.log(`round ${round}: ${loss}, noticed ${noticed}, open after ${tookMs} ms`);
    }
    await stage.world.stop();
    const result = { rounds, ...(await judge(stage)), unnoticed };
    const { differences, doubleCredited, doublePaid, lost, reusedNumbers } = result;
    const wrong = doubleCredited + doublePaid + lost + reusedNumbers + unnoticed + differences;
    const isIdle = [result.deposits, result.payments, result.signUps].includes(0);
    if (wrong > 0 || isIdle) process.exitCode = 1;
    return { ...result, medianReopenMs: Math.round(percentile(reopenedMs, 50)), seed: SEED };
  } finally {
    await stage.sandbox.stop();
  }
}

async function openStage(): Promise<Stage> {
  const sandbox = await startSandbox({
    withReconciler: true,
    withArchivist: true,
    withNotifier: true,
    checkAnswers: false,
  });
  const { seeded, url } = sandbox;
  await describePolicySettings(sandbox.admin.registry, {
    oneReviewFrom: ENOUGH,
    twoReviewsFrom: ENOUGH,
    newAddressFrom: ENOUGH,
    freshFundsFrom: ENOUGH,
    outflowPerHourMax: ENOUGH,
  });
  await useTeam(sandbox.admin.registry);
  const operators = new OperatorStage(sandbox);
  const bob = new RestClient({ url, ...seeded.users.bob });
  const operator = new RestClient({ url, ...seeded.users.admin });
  const asset = seeded.assets.get('btc')!;
  const world = openWorld({ sandbox, bob, operator, asset, random: new Random(SEED) });
  return { sandbox, operators, operator, world };
}

interface RoundPlan {
  readonly loss: Loss;
  readonly lostMs: number;
  readonly round: number;
}

/** Returns whether the registry was blocked before anything was issued again. */
async function loseOnce({ sandbox, world }: Stage, plan: RoundPlan): Promise<boolean> {
  const { loss, lostMs, round } = plan;
  const { admin, postgres } = sandbox;
  const older = await prepare(loss, { postgres, registry: admin.registry, round });
  await older.freeze();
  await new Promise((done) => setTimeout(done, lostMs));
  await older.replace();
  world.forgetReports();
  const isBlocked = async () => (await termState(sandbox)) === 'blocked';
  try {
    await until('the registry is blocked', isBlocked, WITHIN_MS);
    return true;
  } catch {
    console.log(sandbox.logs('outbox-dispatcher'));
    return false;
  }
}

async function termState({ admin }: Sandbox): Promise<string> {
  const { rows } = await admin.registry.query('select state from registry_term').catch(() => ({
    rows: [],
  }));
  return rows[0]?.state ?? 'away';
}

/** Runs the documented commands, and the operator's usual actions, until withdrawals run again. */
async function reopen(stage: Stage): Promise<void> {
  const { sandbox } = stage;
  const dispatcher = sandbox.service('outbox-dispatcher');
  await dispatcher.stop();
  const archive = ['--archive', archiveFolder(sandbox.folder)];
  const { err } = await rialto(sandbox, 'restore', 'reconcile', ...archive);
  await dispatcher.start();
  const isConfirmed = async () => (await termState(sandbox)) === 'confirmed';
  await until(`the registry is confirmed (${err})`, isConfirmed, WITHIN_MS);
  const decisions = [...err.matchAll(DECISION)];
  for (const [, , object] of decisions) await settle(stage, object);
  const ids = decisions.map(([, id]) => id);
  if (ids.length > 0) {
    await rialto(sandbox, 'restore', 'decide', ...ids, '--by', 'drill', '--note', 'settled');
  }
  const isEven = async () => (await readOpenDifferences(sandbox.admin.registry)).length === 0;
  await until('no discrepancy is open', isEven, WITHIN_MS).catch(async (fault) => {
    console.log(JSON.stringify(await readOpenDifferences(sandbox.admin.registry)));
    throw fault;
  });
  await resumeAll(stage);
}

/** Completes a possibly paid withdrawal if it was paid, and otherwise returns the money. */
async function settle({ operator, sandbox, world }: Stage, object: string): Promise<void> {
  const [kind, number] = object.split(' ');
  if (kind !== 'withdrawal') return;
  const { rows } = await sandbox.admin.registry.query(
    'select transaction_id, state from withdrawal_requests where id = $1',
    [Number(number)],
  );
  const payment = world.payments.get(Number(number));
  const request = rows[0]?.transaction_id;
  if (payment !== undefined) await complete(operator, request, payment.transaction);
  else {
    await operator.put('/admin/burn', { transaction_id: request, processing: false });
    await operator.put('/admin/burn', { transaction_id: request, rejected: true });
  }
}

/**
 * Resumes withdrawals that the reconciler paused: one operator requests, others approve. All
 * earlier sessions are gone.
 */
async function resumeAll({ operators, sandbox }: Stage): Promise<void> {
  const { rows } = await sandbox.admin.registry.query(`select name, object from stops`);
  if (rows.length === 0) return;
  const admins: StagedOperator[] = [];
  for (let at = 0; at < 3; at += 1) admins.push(await operators.operator('admin'));
  for (const { name, object } of rows) {
    const client = admins[0].clients.find(({ by }) => by === 'session')!;
    const asked = await client.send('POST', '/admin/switches/resume', { name, symbol: object });
    if (asked.status !== 202) throw new Error(`resume of ${name} ${object}: ${asked.text}`);
    for (const voter of admins.slice(1)) {
      const voted = await operators.vote(voter, asked.body.approval_id);
      if (voted.body.state !== 'pending') break;
    }
  }
}

async function judge({ operator, sandbox, world }: Stage) {
  const { projections, registry } = sandbox.admin;
  const isIdle = async () => {
    const { rows } = await registry.query(`select from outbox where state = 'waiting' limit 1`);
    return rows.length === 0;
  };
  await until('every command has its outcome', isIdle, WITHIN_MS);
  // At the end, operators report what they have paid.
  for (const [id, { transaction }] of world.payments) {
    const { rows } = await registry.query(
      `select transaction_id from withdrawal_requests where id = $1 and state = 'claimed'`,
      [id],
    );
    if (rows.length > 0) await complete(operator, rows[0].transaction_id, transaction);
  }
  await until('every command has its outcome', isIdle, WITHIN_MS);
  const { rows: credits } = await projections.query(
    'select reference, count(*)::int as count from deposits group by reference',
  );
  const credited = new Map<string, number>(credits.map((row) => [row.reference, row.count]));
  const { rows: ended } = await projections.query(
    `select withdrawal::int as id from withdrawals where status = 'completed'`,
  );
  const completed = new Set(ended.map(({ id }) => id));
  const numbers = world.signUps.map(({ id }) => id);
  const deposits = [...world.deposits].filter(([, { reported }]) => reported);
  const payments = [...world.payments];
  return {
    deposits: deposits.length,
    withdrawals: world.withdrawals,
    signUps: numbers.length,
    payments: payments.length,
    refusals: world.refusals,
    doubleCredited: deposits.filter(([name]) => (credited.get(name) ?? 0) > 1).length,
    doublePaid: payments.filter(([, { count }]) => count > 1).length,
    lost:
      deposits.filter(([name]) => !credited.has(name)).length +
      payments.filter(([id]) => !completed.has(id)).length,
    reusedNumbers: numbers.length - new Set(numbers).size,
    differences: (await readOpenDifferences(registry)).length,
  };
}

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a tool on the server, with the settings of a sequencer and of the table owner. */
function rialto({ folder, nats, postgres }: Sandbox, ...args: readonly string[]): Promise<Ran> {
  const env = {
    PATH: process.env.PATH,
    RIALTO_MODE: 'development',
    RIALTO_EXCHANGE: EXCHANGE,
    RIALTO_REPLICAS: '1',
    RIALTO_NATS_URLS: nats.nodes.map(({ plainUrl }) => plainUrl).join(','),
    RIALTO_IDENTITY_KEY_FILE: join(folder, 'identities/sequencer.nkey'),
    RIALTO_POSTGRES_URL: postgres.url,
    RIALTO_POSTGRES_SCHEMA: PROJECTION_SCHEMA,
    RIALTO_REGISTRY_SCHEMA: REGISTRY_SCHEMA,
    RIALTO_ACCESS_KEY_FILE: accessKeyFile(folder),
  };
  const command = [join(REPOSITORY, 'tools/cli/main.ts'), ...args];
  return new Promise((done) => {
    execFile(process.execPath, command, { env }, (fault, out, err) => {
      done({ code: fault === null ? 0 : Number(fault.code), out, err });
    });
  });
}
