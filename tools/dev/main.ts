// `npm run dev`: the entire exchange on this machine, with users, keys and markets, until Ctrl-C.
// It stores its data in .rialto/. For development only: its keys and secrets are public.

import { existsSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { MODES } from '../../agents/index.ts';
import { readControl } from '../../features/approvals/index.ts';
import { describeFault } from '../../infra/process/index.ts';
import { EXIT_OK, runTool, ToolFault, UsageFault, wholeNumber } from '../command-line.ts';
import { consoleOperators, enterTeamMode, givePassword } from '../sandbox/console-operators.ts';
import { type Sandbox, startSandbox } from '../sandbox/sandbox.ts';
import { CONSOLE_FOLDER, ensureScreens, TERMINAL_FOLDER } from '../screens/build-screens.ts';
import { installNats } from '../services/install-nats.ts';
import { installPostgres } from '../services/install-postgres.ts';
import { logTail } from '../services/server-process.ts';
import { describeExchange, USER_PASSWORD } from './describe-exchange.ts';
import { claimFolder, leaveFolder } from './running-file.ts';
import { type Supervised, Supervisor } from './supervisor.ts';

const ATTEND_EVERY_MS = 500;
const PORTS = { min: 1, max: 65_535 };
const ORDERS = { min: 1, max: 10_000 };
const DAYS = { min: 1, max: 90 };

await runTool({
  usage: `Usage: npm run dev -- [OPTIONS]

Runs a complete exchange on this machine: six markets with 30 days of history,
simulated traders, test users with API keys, and a local Ethereum chain for
deposits. Data is kept between runs.
Settings are the production defaults, in solo mode. For development only: keys
are public.

  --team            two administrators in team mode, who approve each other's actions
  --empty           three markets, no history, no simulated traders (starts in seconds)
  --orders N        orders per second from simulated traders (default 20)
  --days D          days of history for new data (default 30)
  --mode M          market scenario: ${MODES.join(', ')}
  --fresh           start over: delete data from earlier runs
  --port P          REST API port (default 4000)
  --stream-port P   WebSocket port (default: REST port + 1)
  --inbox-port P    email inbox port (default: REST port + 2)
  --console-port P  console port (default: REST port + 3)
  --folder F        data folder (default .rialto)
  --gateways 1|2    number of gateways (default 1)
  --nats 1|3        number of NATS servers (default 1)
  --split           one process per service and a standby sequencer, as on large
                    exchanges (default: three processes)`,
  options: {
    fresh: { type: 'boolean', default: false },
    team: { type: 'boolean', default: false },
    empty: { type: 'boolean', default: false },
    orders: { type: 'string', default: '20' },
    mode: { type: 'string', default: 'normal' },
    days: { type: 'string', default: '30' },
    folder: { type: 'string', default: join(import.meta.dirname, '../../.rialto') },
    port: { type: 'string', default: '4000' },
    'stream-port': { type: 'string' },
    'inbox-port': { type: 'string' },
    'console-port': { type: 'string' },
    gateways: { type: 'string', default: '1' },
    nats: { type: 'string', default: '1' },
    split: { type: 'boolean', default: false },
  },
  run({ values }) {
    const port = wholeNumber('port', values.port, PORTS);
    const streamPort = wholeNumber('stream-port', values['stream-port'] ?? `${port + 1}`, PORTS);
    const inboxPort = wholeNumber('inbox-port', values['inbox-port'] ?? `${port + 2}`, PORTS);
    const consoleText = values['console-port'] ?? `${port + 3}`;
    const consolePort = wholeNumber('console-port', consoleText, PORTS);
    if (values.gateways !== '1' && values.gateways !== '2') {
      throw new UsageFault(`Invalid --gateways '${values.gateways}': expected 1 or 2.`);
    }
    if (values.nats !== '1' && values.nats !== '3') {
      throw new UsageFault(`Invalid --nats '${values.nats}': expected 1 or 3.`);
    }
    return dev({
      fresh: values.fresh,
      isTeam: values.team,
      isDemo: !values.empty,
      ordersPerSecond: wholeNumber('orders', values.orders, ORDERS),
      mode: modeNamed(values.mode),
      historyDays: wholeNumber('days', values.days, DAYS),
      folder: resolve(values.folder),
      port,
      streamPort,
      inboxPort,
      consolePort,
      gateways: values.gateways === '2' ? 2 : 1,
      natsNodes: values.nats === '3' ? 3 : 1,
      isSplit: values.split,
    });
  },
});

interface Options {
  readonly fresh: boolean;
  readonly isTeam: boolean;
  readonly isDemo: boolean;
  readonly ordersPerSecond: number;
  readonly mode: string;
  readonly historyDays: number;
  readonly folder: string;
  readonly port: number;
  readonly streamPort: number;
  readonly inboxPort: number;
  readonly consolePort: number;
  readonly gateways: 1 | 2;
  readonly natsNodes: 1 | 3;
  readonly isSplit: boolean;
}

async function dev(options: Options): Promise<number> {
  const { consolePort, folder, fresh, inboxPort, isTeam, port, streamPort } = options;
  await install();
  for (const wanted of [port, streamPort, inboxPort, consolePort]) {
    if (await isFree(wanted)) continue;
    throw new ToolFault(`Port ${wanted} is in use. Pick another one: npm run dev -- --port 4100`);
  }
  const other = claimFolder(folder);
  if (other !== undefined) {
    throw new ToolFault(
      `An exchange is already running in ${folder} (process ${other.pid}). ` +
        'Stop it or use --folder.',
    );
  }
  const stopSignal = firstSignal();
  const screens = prepareScreens();
  if (fresh) removeData(folder);
  try {
    const started = start(options);
    await Promise.race([started, stopSignal]);
    const sandbox = await started;
    const operators = await consoleOperators(sandbox.admin, isTeam ? 'team' : 'solo');
    const { alice, bob } = sandbox.seeded.users;
    for (const { user } of [alice, bob]) await givePassword(sandbox.admin, user, USER_PASSWORD);
    if (isTeam) await enterTeamMode(sandbox.admin);
    const { mode } = await readControl(sandbox.admin.registry);
    console.log(describeExchange(sandbox, { hasScreens: await screens, operators, mode }));
    const supervisor = new Supervisor({
      processes: processesOf(sandbox),
      nowMs: () => performance.now(),
      print: (line) => console.error(line),
    });
    const attending = setInterval(() => void supervisor.tick(), ATTEND_EVERY_MS);
    await stopSignal;
    clearInterval(attending);
    console.log('\nStopping. Data is kept; `npm run dev` picks up where you left off.');
    await sandbox.stop();
    return EXIT_OK;
  } catch (fault) {
    throw new ToolFault('The exchange failed to start', { cause: fault });
  } finally {
    leaveFolder(folder);
  }
}

function start(options: Options): Promise<Sandbox> {
  const { consolePort, folder, gateways, inboxPort, isDemo, mode, natsNodes } = options;
  const { port, streamPort } = options;
  const agentSettings = {
    RIALTO_AGENTS_ORDERS_PER_SECOND: String(options.ordersPerSecond),
    RIALTO_AGENTS_MODE: mode,
  };
  return startSandbox({
    folder,
    isDemo,
    ...(isDemo ? { agentSettings, historyDays: options.historyDays } : {}),
    gateways,
    natsNodes,
    isTogether: !options.isSplit,
    httpPort: port,
    budgets: 'usual',
    accessLog: true,
    gatewaySettings: { RIALTO_TERMINAL_FOLDER: TERMINAL_FOLDER },
    console: { folder: CONSOLE_FOLDER, port: consolePort },
    streams: gateways,
    withIdentity: true,
    streamPort,
    withNotifier: true,
    withArchivist: true,
    withReconciler: true,
    withMonitor: true,
    withChain: true,
    inboxPort,
    print: (line) => console.log(`… ${line}`),
  });
}

function modeNamed(found: string): string {
  if (MODES.some((one) => one === found)) return found;
  throw new UsageFault(`Invalid --mode '${found}': expected one of ${MODES.join(', ')}.`);
}

/** Runs while the exchange starts. Returns false if the web apps cannot be built. */
async function prepareScreens(): Promise<boolean> {
  try {
    const { isNew, tookMs } = await ensureScreens();
    if (isNew) console.log(`… built the web apps in ${(tookMs / 1_000).toFixed(1)}s`);
    return true;
  } catch (fault) {
    console.error(`… ${describeFault(fault)}\n… continuing without the web apps`);
    return false;
  }
}

/** The first signal shuts down in order; the second one exits immediately. */
function firstSignal(): Promise<void> {
  return new Promise((done) => {
    let count = 0;
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        count += 1;
        if (count > 1) process.exit(130);
        done();
      });
    }
  });
}

/** Returns all processes of the exchange, including its servers. */
function processesOf({ nats, postgres, services }: Sandbox): readonly Supervised[] {
  const servers = [
    ...nats.nodes.map((node) => [`nats-server ${node.name}`, node] as const),
    ['postgres', postgres] as const,
  ];
  const supervised = servers.map(([name, server]) => ({
    name,
    get pid() {
      return server.pid;
    },
    start: () => server.start(),
    log: () => logTail(server.logFile),
  }));
  return [...supervised, ...services];
}

async function install(): Promise<void> {
  const installed = await Promise.allSettled([installNats(), installPostgres()]);
  const faults = installed.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  if (faults.length > 0) throw new ToolFault(faults.map(describeFault).join('\n'));
}

function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const server = createServer();
    server.once('error', () => done(false));
    server.listen({ port, host: '127.0.0.1' }, () => server.close(() => done(true)));
  });
}

// Removes only a sandbox's files, because the folder might have been named by mistake.
function removeData(folder: string): void {
  const own = [
    'access-key',
    'agent-keys.json',
    'agents.json',
    'archive',
    'chain',
    'credentials.json',
    'logs',
    'nats',
    'operators.json',
    'postgres',
  ];
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    if (own.includes(name)) rmSync(join(folder, name), { recursive: true });
  }
}
