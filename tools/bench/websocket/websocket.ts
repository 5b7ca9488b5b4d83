// Measures sending a book to many sockets, against a bare ws server that sends the same bytes in
// the same run; the time from the engine's response to every socket, on the entire exchange; and
// the effect of slow and stopped readers on the others.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { percentile } from '../../percentile.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import { cpuSeconds } from '../processes.ts';
import { BOOK_SUBJECT, BookSource, ENVELOPE, SYMBOL } from './book-source.ts';
import { Loaders, type Target } from './loaders.ts';
import { measureOrders } from './measure-orders.ts';
import { measureReaders } from './measure-readers.ts';

interface Sizes {
  readonly socketCounts: readonly number[];
  readonly rounds: number;
  readonly forMs: number;
  readonly ordersForMs: number;
  readonly readersForMs: number;
  readonly readerRounds: number;
}

const FULL: Sizes = {
  socketCounts: [1_000, 10_000],
  rounds: 5,
  forMs: 3_000,
  ordersForMs: 15_000,
  readersForMs: 4_000,
  readerRounds: 9,
};
const QUICK: Sizes = {
  socketCounts: [1_000],
  rounds: 3,
  forMs: 800,
  ordersForMs: 2_500,
  readersForMs: 2_500,
  readerRounds: 1,
};
const LOADERS = 2;
/** Books in flight at a time: the server is busy, and no book is skipped. */
const AHEAD = 4;
const SETTLED_AFTER_MS = 300;
const WARM_UP_MS = 700;

interface Figures {
  readonly perSecond: number;
  readonly cpuUs: number;
}

export async function run({ quick }: { quick: boolean }): Promise<Record<string, unknown>> {
  const sizes = quick ? QUICK : FULL;
  const sandbox = await startSandbox({
    streams: 1,
    accessLog: false,
    checkAnswers: false,
    logLevel: 'warn',
    streamSettings: { RIALTO_SOCKETS_MAX: '100000' },
  });
  const loaders = new Loaders(LOADERS);
  let bare: ChildProcess | undefined;
  try {
    const gateway = gatewayOf(sandbox);
    // Runs before the feed is filled with our books, which the publisher's do not replace.
    const orders = await measureOrders(sandbox, loaders, { gateway, forMs: sizes.ordersForMs });
    console.log(`orders: ${JSON.stringify(orders)}`);
    const started = await startBare(sandbox);
    bare = started.child;
    const figures: Record<string, unknown> = { ...orders };
    const source = new BookSource(sandbox.admin.nats);
    for (const count of sizes.socketCounts) {
      const targets = { gateway, bare: started.target };
      figures[`sockets${count}`] = await compare(source, loaders, { targets, count, sizes });
    }
    const readers = await measureReaders(loaders, {
      source,
      gateway,
      forMs: sizes.readersForMs,
      rounds: sizes.readerRounds,
      metricsUrl: `${sandbox.service('gateway-websocket-1').healthUrl}/metrics`,
    });
    const [first] = sizes.socketCounts;
    const { ratioToBare } = figures[`sockets${first}`] as { ratioToBare: number };
    return { ratioToBare, ...figures, ...readers };
  } finally {
    loaders.kill();
    bare?.kill('SIGKILL');
    await sandbox.stop();
  }
}

function gatewayOf(sandbox: Sandbox): Target {
  const { port } = new URL(sandbox.streamUrls[0]);
  const { pid } = sandbox.service('gateway-websocket-1');
  return { port: Number(port), pid: pid!, path: '/stream' };
}

async function startBare(sandbox: Sandbox): Promise<{ child: ChildProcess; target: Target }> {
  const program = join(import.meta.dirname, 'bare/main.ts');
  const args = [program, sandbox.nats.urls.join(','), BOOK_SUBJECT, ...ENVELOPE];
  const child = spawn(process.execPath, args, {
    // It exits when this end of its input closes.
    stdio: ['pipe', 'pipe', 'inherit'],
    // Like every process of the sandbox, because kernels share time by session.
    detached: true,
  });
  const [line] = await once(createInterface({ input: child.stdout! }), 'line');
  return { child, target: { port: Number(line), pid: child.pid!, path: '/' } };
}

type Targets = { readonly gateway: Target; readonly bare: Target };

// One after another, so each has the machine to itself; alternating, so noise affects both.
async function compare(
  source: BookSource,
  loaders: Loaders,
  options: { readonly targets: Targets; readonly count: number; readonly sizes: Sizes },
): Promise<Record<string, unknown>> {
  const { count, sizes, targets } = options;
  const rounds: { gateway: Figures; bare: Figures }[] = [];
  for (let round = 1; round <= sizes.rounds; round += 1) {
    const measure = (target: Target) =>
      measureFanOut(source, loaders, { target, count, forMs: sizes.forMs });
    const isEven = round % 2 === 0;
    const first = await measure(isEven ? targets.bare : targets.gateway);
    const second = await measure(isEven ? targets.gateway : targets.bare);
    const [gateway, bare] = isEven ? [second, first] : [first, second];
    rounds.push({ gateway, bare });
    console.log(`${count} sockets, round ${round}: ${JSON.stringify(rounds.at(-1))}`);
  }
  const median = (of: (round: (typeof rounds)[number]) => number) => percentile(rounds.map(of), 50);
  return {
    ratioToBare: median(({ bare, gateway }) => gateway.perSecond / bare.perSecond),
    cpuRatioToBare: median(({ bare, gateway }) => bare.cpuUs / gateway.cpuUs),
    gatewayPerSecond: median(({ gateway }) => gateway.perSecond),
    barePerSecond: median(({ bare }) => bare.perSecond),
    gatewayCpuUs: median(({ gateway }) => gateway.cpuUs),
    bareCpuUs: median(({ bare }) => bare.cpuUs),
  };
}

async function measureFanOut(
  source: BookSource,
  loaders: Loaders,
  options: { readonly target: Target; readonly count: number; readonly forMs: number },
): Promise<Figures> {
  const { count, forMs, target } = options;
  const message = `{"op":"subscribe","args":["orderbook:${SYMBOL}"]}`;
  await loaders.open({ ...target, count, message, reading: 'quick' });
  // Greetings and first books are not part of the count.
  await delay(SETTLED_AFTER_MS);
  await sayFor(source, loaders, WARM_UP_MS);
  const cpuBefore = cpuSeconds(target.pid);
  const { said, seconds } = await sayFor(source, loaders, forMs);
  const usedSeconds = cpuSeconds(target.pid) - cpuBefore;
  await loaders.close();
  const messages = said * count;
  return {
    perSecond: Math.round(messages / seconds),
    cpuUs: Number(((usedSeconds * 1_000_000) / messages).toFixed(3)),
  };
}

/** Sends the next book when all sockets have the earlier ones, except a few. */
async function sayFor(
  source: BookSource,
  loaders: Loaders,
  forMs: number,
): Promise<{ readonly said: number; readonly seconds: number }> {
  await loaders.count(source.messageBytes());
  const beganMs = performance.now();
  let said = 0;
  while (performance.now() - beganMs < forMs) {
    said += 1;
    source.say(said);
    await loaders.untilCounted(said - AHEAD);
  }
  await loaders.untilCounted(said);
  return { said, seconds: (performance.now() - beganMs) / 1_000 };
}
