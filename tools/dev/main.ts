// `npm run dev`: the whole exchange on this machine, with users, keys and markets, until Ctrl-C. It
// keeps its data in .rialto/. For development only: its keys and secrets are public.

import { existsSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { describeFault } from '../../infra/process/index.ts';
import { EXIT_OK, runTool, ToolFault, UsageFault, wholeNumber } from '../command-line.ts';
import { type Sandbox, startSandbox } from '../sandbox/sandbox.ts';
import { installNats } from '../services/install-nats.ts';
import { installPostgres } from '../services/install-postgres.ts';
import { describeExchange } from './describe-exchange.ts';
import { claimFolder, leaveFolder } from './running-file.ts';

const ATTEND_EVERY_MS = 2_000;
const PORTS = { min: 1, max: 65_535 };

await runTool({
  usage: `Usage: npm run dev -- [OPTIONS]

Runs the whole exchange on this machine with example users, keys and markets,
until Ctrl-C. The data are kept and the next start continues with them.
For development only: the keys are public and the limits are off.

  --fresh           delete the data of earlier runs first
  --port P          the port of the REST interface (default 4000)
  --stream-port P   the port of the stream (default: the REST port plus one)
  --inbox-port P    the port of the mail inbox (default: the REST port plus two)
  --folder F        where the data are kept (default .rialto)
  --gateways 1|2    the number of gateways (default 1)
  --nats 1|3        the number of NATS servers (default 1)`,
  options: {
    fresh: { type: 'boolean', default: false },
    folder: { type: 'string', default: join(import.meta.dirname, '../../.rialto') },
    port: { type: 'string', default: '4000' },
    'stream-port': { type: 'string' },
    'inbox-port': { type: 'string' },
    gateways: { type: 'string', default: '1' },
    nats: { type: 'string', default: '1' },
  },
  run({ values }) {
    const port = wholeNumber('port', values.port, PORTS);
    const streamPort = wholeNumber('stream-port', values['stream-port'] ?? `${port + 1}`, PORTS);
    const inboxPort = wholeNumber('inbox-port', values['inbox-port'] ?? `${port + 2}`, PORTS);
    if (values.gateways !== '1' && values.gateways !== '2') {
      throw new UsageFault(`--gateways is '${values.gateways}' (expected 1 or 2).`);
    }
    if (values.nats !== '1' && values.nats !== '3') {
      throw new UsageFault(`--nats is '${values.nats}' (expected 1 or 3).`);
    }
    return dev({
      fresh: values.fresh,
      folder: resolve(values.folder),
      port,
      streamPort,
      inboxPort,
      gateways: values.gateways === '2' ? 2 : 1,
      natsNodes: values.nats === '3' ? 3 : 1,
    });
  },
});

interface Options {
  readonly fresh: boolean;
  readonly folder: string;
  readonly port: number;
  readonly streamPort: number;
  readonly inboxPort: number;
  readonly gateways: 1 | 2;
  readonly natsNodes: 1 | 3;
}

async function dev(options: Options): Promise<number> {
  const { folder, fresh, inboxPort, port, streamPort } = options;
  await install();
  for (const wanted of [port, streamPort, inboxPort]) {
    if (await isFree(wanted)) continue;
    throw new ToolFault(`Port ${wanted} is in use. Choose another: npm run dev -- --port 4100`);
  }
  const other = claimFolder(folder);
  if (other !== undefined) {
    throw new ToolFault(
      `Process ${other.pid} already runs an exchange in ${folder}. Stop it, or use --folder.`,
    );
  }
  const stopSignal = firstSignal();
  if (fresh) removeData(folder);
  try {
    const started = start(options);
    await Promise.race([started, stopSignal]);
    const sandbox = await started;
    console.log(describeExchange(sandbox));
    const attending = setInterval(() => void restartEnded(sandbox), ATTEND_EVERY_MS);
    await stopSignal;
    clearInterval(attending);
    console.log('\nStopping. The data are kept: the next `npm run dev` continues here.');
    await sandbox.stop();
    return EXIT_OK;
  } catch (fault) {
    throw new ToolFault('The exchange did not start', { cause: fault });
  } finally {
    leaveFolder(folder);
  }
}

function start(options: Options): Promise<Sandbox> {
  const { folder, gateways, inboxPort, natsNodes, port, streamPort } = options;
  return startSandbox({
    folder,
    gateways,
    natsNodes,
    httpPort: port,
    budgets: 'usual',
    accessLog: true,
    streams: gateways,
    withIdentity: true,
    streamPort,
    withNotifier: true,
    withArchivist: true,
    withReconciler: true,
    withMonitor: true,
    inboxPort,
    print: (line) => console.log(`… ${line}`),
  });
}

/** The first signal stops in order; the second one exits at once. */
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

/** Restarts a service that has ended, and prints the end of its log. */
async function restartEnded(sandbox: Sandbox): Promise<void> {
  for (const service of sandbox.services) {
    if (service.pid !== undefined || service.isStarting) continue;
    console.error(`${service.name} ended unexpectedly and is restarted. The end of its log:`);
    console.error(service.log());
    await service.start().catch((fault) => console.error(String(fault)));
  }
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

// Removes only the files of a sandbox: the folder may have been named by mistake.
function removeData(folder: string): void {
  const own = ['access-key', 'archive', 'credentials.json', 'logs', 'nats', 'postgres'];
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    if (own.includes(name)) rmSync(join(folder, name), { recursive: true });
  }
}
