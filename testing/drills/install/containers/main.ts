// Runs inside the session of the drill: starts every service from the image against the servers on
// the machine, measures startup time and memory of each, then trades through the proxy at a steady
// rate. Arguments: buildah working container, machine folder, orders per second, seconds.

import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { RialtoClient } from '../../../../client/index.ts';
import { startedBy } from '../../../../tools/command-line.ts';
import { ALONE, type ProcessName, processesOf } from '../../../../tools/machines/layout.ts';
import { programPath } from '../../../../tools/services/deployment-programs.ts';

startedBy('npm run drill -- install');

const [container, machine, rateText, secondsText] = process.argv.slice(2);
const ORDERS_PER_SECOND = Number(rateText);
const LOAD_SECONDS = Number(secondsText);
const READY_WITHIN_MS = 120_000;
const IDLE_MS = 15_000;
const BATCH_ORDERS = 10;
const LOOPS = 4;
const URL_OF_EXCHANGE = 'https://exchange.example.com';

interface Started {
  readonly service: ProcessName;
  readonly child: ChildProcess;
  readonly startMs: number;
}

function settingsOf(service: ProcessName): Record<string, string> {
  const lines = ['rialto.env', `${service}.env`].flatMap((file) =>
    readFileSync(join(machine, 'etc/rialto', file), 'utf8').split('\n'),
  );
  const pairs = lines
    .filter((line) => line.includes('=') && !line.startsWith('#'))
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]);
  return {
    ...Object.fromEntries(pairs),
    // One user places all orders of the measurement.
    RIALTO_USER_BURST: '1000000',
    RIALTO_USER_PER_SECOND: '1000000',
    RIALTO_CANCEL_BURST: '1000000',
    RIALTO_CANCEL_PER_SECOND: '1000000',
  };
}

/** Like in compose.yaml: the service's user, and its own files. */
function containerOf(service: string): { user: string; volumes: readonly string[] } {
  const compose = readFileSync(join(machine, 'opt/rialto/deploy/compose.yaml'), 'utf8');
  const [, lines = ''] = compose.match(new RegExp(`^  ${service}:\\n((?: {4,}.*\\n)+)`, 'm')) ?? [];
  const [, uid] = lines.match(/^ {4}user: "(\d+:\d+)"$/m) ?? [];
  const [, group] = lines.match(/^ {4}group_add: \["(\d+)"\]$/m) ?? [];
  const mounts = [...lines.matchAll(/^ {4}- (\/\S+)$/gm)].map(([, mount]) => `${machine}${mount}`);
  // buildah run has no additional groups, so members of the keys' group get it as their primary
  // group.
  const user = group === undefined ? uid : `${uid.split(':')[0]}:${group}`;
  return { user, volumes: mounts };
}

async function start(service: ProcessName): Promise<Started> {
  const settings = settingsOf(service);
  const { user, volumes } = containerOf(service);
  const beganMs = performance.now();
  const child = spawn(
    programPath('buildah'),
    [
      ...`run --isolation chroot --user ${user}`.split(' '),
      ...volumes.flatMap((volume) => ['--volume', volume]),
      container,
      '--',
      'env',
      ...Object.entries(settings).map(([name, value]) => `${name}=${value}`),
      'node',
      '/opt/rialto/tools/start/main.ts',
      service,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const log = createWriteStream(join(machine, `var/log/image-${service}.log`));
  child.stdout.pipe(log);
  child.stderr.pipe(log);
  await untilReady(service, Number(settings.RIALTO_HEALTH_PORT), child);
  return { service, child, startMs: performance.now() - beganMs };
}

async function untilReady(service: string, port: number, child: ChildProcess): Promise<void> {
  const deadlineMs = performance.now() + READY_WITHIN_MS;
  let last = 'no response';
  while (performance.now() < deadlineMs && child.exitCode === null) {
    try {
      const answer = await fetch(`http://127.0.0.1:${port}/ready`);
      if (answer.ok) return;
      last = await answer.text();
    } catch {
      // It does not listen yet.
    }
    await delay(20);
  }
  throw new Error(`${service} is not ready (exit code ${child.exitCode}): ${last}`);
}

/** Returns resident memory in megabytes: of the process, and its share of shared pages. */
function memoryOf(service: string): { rss: number; share: number } {
  const pid = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .find((name) => commandLine(name).join(' ').endsWith(`/start/main.ts ${service}`));
  if (pid === undefined) throw new Error(`${service} is not running`);
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const megabytes = (key: string) =>
    Math.round(Number(text.match(new RegExp(`^${key}:\\s+(\\d+)`, 'm'))?.[1] ?? 0) / 1_024);
  return { rss: megabytes('Rss'), share: megabytes('Pss') };
}

function commandLine(pid: string): readonly string[] {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean);
    return words[0]?.endsWith('node') ? words : [];
  } catch {
    return [];
  }
}

async function trade(): Promise<{ placed: number; refused: number; seconds: number }> {
  const folder = join(machine, 'home/operator/release');
  const credentials = JSON.parse(readFileSync(join(folder, 'alice.json'), 'utf8'));
  const client = new RialtoClient({ url: URL_OF_EXCHANGE, ...credentials });
  const size = '0.0001';
  const order = { symbol: 'btc-usdt', side: 'buy', type: 'limit', size, price: '55000' } as const;
  const orders = Array.from({ length: BATCH_ORDERS }, () => order);
  const beganMs = performance.now();
  const everyMs = (1_000 * BATCH_ORDERS * LOOPS) / ORDERS_PER_SECOND;
  let placed = 0;
  let refused = 0;
  const loop = async (at: number) => {
    for (let round = 0; ; round += 1) {
      const dueMs = beganMs + (round + at / LOOPS) * everyMs;
      if (dueMs - beganMs > LOAD_SECONDS * 1_000) return;
      await delay(Math.max(0, dueMs - performance.now()));
      const { data } = await client.createOrders({ orders });
      const ids = data.flatMap(({ order: made }) => (made?.id === undefined ? [] : [made.id]));
      placed += ids.length;
      refused += orders.length - ids.length;
      if (ids.length > 0) await client.cancelOrders({ order_ids: ids });
    }
  };
  await Promise.all(Array.from({ length: LOOPS }, (_, at) => loop(at)));
  return { placed, refused, seconds: (performance.now() - beganMs) / 1_000 };
}

const started: Started[] = [];
for (const { name } of processesOf(0, [ALONE])) started.push(await start(name));
await delay(IDLE_MS);
const idle = new Map(started.map(({ service }) => [service, memoryOf(service)]));
const { placed, refused, seconds } = await trade();
const services = started.map(({ service, startMs }) => {
  const busy = memoryOf(service);
  const { rss, share } = idle.get(service)!;
  return {
    service,
    startMs: Math.round(startMs),
    idleMb: rss,
    idleShareMb: share,
    busyMb: busy.rss,
    busyShareMb: busy.share,
  };
});
for (const { child } of started) child.kill('SIGTERM');
const rate = Math.round(placed / seconds);
console.log(JSON.stringify({ placed, refused, ordersPerSecond: rate, services }));
process.exit(0);
