// Measures one complete exchange, in few processes or with one per service: memory, start, idle
// use, cost per order at several rates, and bytes per order.

import { randomUUID } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import type { LoadFigures, LoadPlan } from '../http/loader/load-plan.ts';
import { withChildren } from '../http/processor-time.ts';
import { runProgram } from '../processes.ts';
import { memoryMb, type Used, usedBy } from './process-figures.ts';

export type Layout = 'few' | 'split';

export interface Sizes {
  readonly settleMs: number;
  readonly idleMs: number;
  readonly warmUpMs: number;
  readonly forMs: number;
}

export interface ProcessFigures {
  readonly name: string;
  readonly idleMb: number;
  readonly loadedMb: number;
  readonly startCpuS: number;
  /** Percent of one core. */
  readonly idlePercent: number;
  readonly wakeupsPerSecond: number;
}

export interface RateFigures {
  /** Offered; undefined for 64 clients that each wait for a response. */
  readonly offered: number | undefined;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly failed: number;
  /** Microseconds per order. */
  readonly usPerOrder: Readonly<Record<string, number>>;
  readonly totalUs: number;
  readonly walBytes: number;
  readonly tableBytes: number;
  readonly logBytes: number;
}

export interface LayoutFigures {
  readonly layout: Layout;
  readonly processes: readonly ProcessFigures[];
  /** Seconds from the start of all services to their readiness, with data. */
  readonly readyS: number;
  /** Percent of all cores used by other programs. */
  readonly otherPercent: number;
  readonly rates: readonly RateFigures[];
}

type Processes = ReadonlyMap<string, readonly number[]>;

const CONNECTIONS = 64;
const TRADERS = 8;
const LOADER = join(import.meta.dirname, '../http/loader/main.ts');
/** Rates in orders per second; undefined is as many as 64 clients can send. */
export const RATES = [10, 100, 500, 2_000, undefined] as const;

export async function measureLayout(layout: Layout, sizes: Sizes): Promise<LayoutFigures> {
  const sandbox = await startSandbox({
    isTogether: layout === 'few',
    streams: 1,
    withIdentity: true,
    withArchivist: true,
    withReconciler: true,
    withMonitor: true,
    withNotifier: true,
    checkAnswers: false,
    logLevel: 'warn',
  });
  try {
    const keys = await sandbox.createTraders({
      count: TRADERS,
      funds: { btc: '1000', usdt: '100000000' },
    });
    const readyS = await restartAll(sandbox);
    const processes = processesOf(sandbox);
    await elapsed(sizes.settleMs);
    const startCpu = usesOf(processes);
    const idleMb = new Map([...processes].map(([name, pids]) => [name, memoryMb(pids)]));
    const idle = await measureIdle(processes, sizes);
    const rates: RateFigures[] = [];
    for (const offered of RATES) {
      rates.push(await measureRate({ sandbox, processes, offered, keys, sizes }));
      console.log(`${layout}: ${JSON.stringify(rates.at(-1))}`);
    }
    return {
      layout,
      readyS,
      otherPercent: idle.otherPercent,
      rates,
      processes: [...processes].map(([name, pids]) => ({
        name,
        idleMb: idleMb.get(name)!,
        loadedMb: memoryMb(pids),
        startCpuS: rounded(startCpu.get(name)!.cpuUs / 1e6, 1),
        idlePercent: idle.percent.get(name)!,
        wakeupsPerSecond: idle.wakeups.get(name)!,
      })),
    };
  } finally {
    await sandbox.stop();
  }
}

/** Stops all services and starts them at the same time, as a machine does after a boot. */
async function restartAll({ services }: Sandbox): Promise<number> {
  for (const service of services.toReversed()) await service.stop();
  const beganMs = performance.now();
  await Promise.all(services.map((service) => service.start()));
  return rounded((performance.now() - beganMs) / 1_000, 1);
}

function processesOf({ nats, postgres, services }: Sandbox): Processes {
  return new Map([
    ...services.map(({ name, pid }) => [name, [pid ?? 0]] as const),
    ['nats', withChildren(nats.nodes[0].pid)] as const,
    ['postgres', withChildren(postgres.pid)] as const,
  ]);
}

function usesOf(processes: Processes): ReadonlyMap<string, Used> {
  return new Map([...processes].map(([name, pids]) => [name, usedBy(pids)]));
}

async function measureIdle(processes: Processes, { idleMs }: Sizes) {
  const before = usesOf(processes);
  const own = usedBy([process.pid]).cpuUs;
  const machine = machineBusyUs();
  const beganMs = performance.now();
  await elapsed(idleMs);
  const tookUs = (performance.now() - beganMs) * 1_000;
  const after = usesOf(processes);
  const percent = new Map<string, number>();
  const wakeups = new Map<string, number>();
  let exchangeUs = usedBy([process.pid]).cpuUs - own;
  for (const [name, { cpuUs, wakeups: woken }] of after) {
    const first = before.get(name)!;
    exchangeUs += cpuUs - first.cpuUs;
    percent.set(name, rounded(((cpuUs - first.cpuUs) / tookUs) * 100, 2));
    wakeups.set(name, Math.round(((woken - first.wakeups) / tookUs) * 1e6));
  }
  const otherUs = Math.max(0, machineBusyUs() - machine - exchangeUs);
  return { percent, wakeups, otherPercent: Math.round((otherUs / tookUs / cpus().length) * 100) };
}

/** Processor time of the entire machine since it booted. */
function machineBusyUs(): number {
  const times = cpus().map(({ times: { irq, nice, sys, user } }) => irq + nice + sys + user);
  return times.reduce((sum, ms) => sum + ms * 1_000, 0);
}

interface RateOptions {
  readonly sandbox: Sandbox;
  readonly processes: Processes;
  readonly offered: number | undefined;
  readonly keys: LoadPlan['keys'];
  readonly sizes: Sizes;
}

async function measureRate(options: RateOptions): Promise<RateFigures> {
  const { keys, offered, processes, sandbox, sizes } = options;
  const plan: LoadPlan = {
    kind: 'order',
    port: Number(new URL(sandbox.url).port),
    connections: CONNECTIONS,
    symbol: 'btc-usdt',
    price: '60000',
    size: '0.0001',
    keys: keys.map(({ key, secret }) => ({ key, secret })),
    run: randomUUID().slice(0, 8),
    ...(offered === undefined ? {} : { requestsPerSecond: offered }),
    ...sizes,
  };
  const bytesBefore = await storedBytes(sandbox);
  const before = usesOf(processes);
  const load = await runProgram<LoadFigures>(LOADER, [JSON.stringify(plan)]);
  const after = usesOf(processes);
  const bytes = await storedBytes(sandbox);
  const per = (amount: number) => Math.round(amount / Math.max(1, load.requests));
  const usPerOrder = Object.fromEntries(
    [...after].map(([name, { cpuUs }]) => [name, per(cpuUs - before.get(name)!.cpuUs)]),
  );
  const { failed, p50Ms, p99Ms, perSecond } = load;
  return {
    offered,
    perSecond,
    p50Ms,
    p99Ms,
    failed,
    usPerOrder,
    totalUs: Object.values(usPerOrder).reduce((sum, us) => sum + us, 0),
    walBytes: per(bytes.wal - bytesBefore.wal),
    tableBytes: per(bytes.tables - bytesBefore.tables),
    logBytes: per(bytes.log - bytesBefore.log),
  };
}

async function storedBytes({ admin, folder }: Sandbox) {
  const { rows } = await admin.registry.query(
    `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as wal,
       pg_database_size(current_database())::float8 as tables`,
  );
  const [{ tables, wal }] = rows as unknown as [{ tables: number; wal: number }];
  return { wal, tables, log: folderBytes(join(folder, 'nats')) };
}

function folderBytes(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { name, parentPath }) => sum + sizeOf(join(parentPath, name)), 0);
}

/** NATS can remove a file in the meantime. */
function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

function elapsed(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
