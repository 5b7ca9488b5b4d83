// Measures a signed order over HTTP, durable end to end, against a bare Fastify route with the same
// checks and against bare node:http in the same run, and likewise a book from memory. The entire
// exchange runs on the same machine.

import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { percentile } from '../../percentile.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import { runProgram } from '../processes.ts';
import type { LoadFigures, LoadPlan } from './loader/load-plan.ts';
import {
  type ProcessIds,
  ProcessorTime,
  type ProcessorUse,
  withChildren,
} from './processor-time.ts';

interface Sizes {
  readonly rounds: number;
  readonly connections: number;
  readonly forMs: number;
  readonly warmUpMs: number;
}

const FULL: Sizes = { rounds: 5, connections: 64, forMs: 6_000, warmUpMs: 2_000 };
const QUICK: Sizes = { rounds: 1, connections: 64, forMs: 2_000, warmUpMs: 1_000 };
const KINDS = ['order', 'book'] as const;
const SYMBOL = 'btc-usdt';
const TRADERS = 8;

type Kind = (typeof KINDS)[number];
type Target = 'gateway' | 'bareFastify' | 'bareNode';
type Measured = LoadFigures & { readonly processor: ProcessorUse };
type Round = Record<Target, Measured>;

export async function run({ quick }: { quick: boolean }): Promise<Record<string, unknown>> {
  const sizes = quick ? QUICK : FULL;
  const sandbox = await startSandbox({ gateways: 1, checkAnswers: false });
  const bare: BareServer[] = [];
  try {
    const keys = await tradersOf(sandbox);
    const secrets = JSON.stringify(keys.map(({ key, secret }) => [key, secret]));
    bare.push(await startBare('bare-fastify', [secrets]), await startBare('bare-node', []));
    const ports: Record<Target, number> = {
      gateway: Number(new URL(sandbox.url).port),
      bareFastify: bare[0].port,
      bareNode: bare[1].port,
    };
    const processes = processesOf(sandbox, bare);
    const figures: Record<string, unknown> = {};
    for (const kind of KINDS) {
      const rounds: Round[] = [];
      for (let round = 1; round <= sizes.rounds; round++) {
        rounds.push(await measureRound({ kind, ports, keys, sizes, processes }));
        console.log(`round ${round}, ${kind}: ${JSON.stringify(rounds.at(-1))}`);
      }
      Object.assign(figures, summary(kind, rounds));
    }
    return figures;
  } finally {
    for (const { child } of bare) child.kill('SIGKILL');
    await sandbox.stop();
  }
}

type Key = { readonly key: string; readonly secret: string };

async function tradersOf(sandbox: Sandbox): Promise<Key[]> {
  const traders = await sandbox.createTraders({
    count: TRADERS,
    funds: { btc: '100', usdt: '10000000' },
  });
  return traders.map(({ key, secret }) => ({ key, secret }));
}

// One after another, so each has the machine to itself; alternating, so noise affects all.
async function measureRound(options: {
  readonly kind: Kind;
  readonly ports: Record<Target, number>;
  readonly keys: readonly Key[];
  readonly sizes: Sizes;
  readonly processes: Record<Target, ProcessIds>;
}): Promise<Round> {
  const { keys, kind, ports, processes, sizes } = options;
  const figures: Partial<Round> = {};
  for (const target of Object.keys(ports) as Target[]) {
    const { connections, forMs, warmUpMs } = sizes;
    const processor = new ProcessorTime(processes[target]);
    const measured = await load({
      kind,
      port: ports[target],
      connections,
      forMs,
      warmUpMs,
      keys,
      symbol: SYMBOL,
      price: '60000',
      size: '0.0001',
      run: randomUUID().slice(0, 8),
    });
    figures[target] = { ...measured, processor: processor.use(measured.requests) };
  }
  return figures as Round;
}

/** Processes whose CPU time is reported: for the gateway, all that an order passes. */
function processesOf(sandbox: Sandbox, bare: readonly BareServer[]): Record<Target, ProcessIds> {
  const services = sandbox.services.map(({ name, pid }) => [name, [pid ?? 0]]);
  const [bareFastify, bareNode] = bare.map(({ child }) => ({ server: [child.pid ?? 0] }));
  return {
    gateway: {
      ...(Object.fromEntries(services) as ProcessIds),
      nats: withChildren(sandbox.nats.nodes[0].pid),
      postgres: withChildren(sandbox.postgres.pid),
    },
    bareFastify,
    bareNode,
  };
}

function load(plan: LoadPlan): Promise<LoadFigures> {
  const program = join(import.meta.dirname, 'loader', 'main.ts');
  return runProgram<LoadFigures>(program, [JSON.stringify(plan)]);
}

function summary(kind: Kind, rounds: readonly Round[]): Record<string, unknown> {
  const median = (values: readonly number[]) => percentile(values, 50);
  const of = (target: Target) => {
    const all = rounds.map((each) => each[target]);
    const { processor, ...first } = all[0];
    const names = Object.keys(first) as (keyof LoadFigures)[];
    const processes = Object.keys(processor.usPerRequest);
    return {
      ...Object.fromEntries(names.map((name) => [name, median(all.map((each) => each[name]))])),
      busyShare: median(all.map((each) => each.processor.busyShare)),
      usPerRequest: Object.fromEntries(
        processes.map((name) => [
          name,
          median(all.map((each) => each.processor.usPerRequest[name])),
        ]),
      ),
    };
  };
  const ratio = median(
    rounds.map(({ bareFastify, gateway }) => gateway.perSecond / bareFastify.perSecond),
  );
  const name = kind === 'order' ? 'orderRatioToBare' : 'orderbookRatioToBare';
  return {
    [name]: ratio,
    [kind]: { gateway: of('gateway'), bareFastify: of('bareFastify'), bareNode: of('bareNode') },
  };
}

interface BareServer {
  readonly child: ChildProcess;
  readonly port: number;
}

async function startBare(folder: string, args: readonly string[]): Promise<BareServer> {
  const program = join(import.meta.dirname, folder, 'main.ts');
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return { child, port: Number(line) };
}
