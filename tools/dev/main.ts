// `npm run dev`: the whole exchange on this machine, with users, keys and markets, until Ctrl-C.
// Its data stay in .rialto/ and are found again. Never for anybody's money: all doors are open.

import { existsSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Sandbox, startSandbox } from '../sandbox/sandbox.ts';
import { installNats } from '../services/install-nats.ts';
import { installPostgres } from '../services/install-postgres.ts';
import { describeExchange } from './describe-exchange.ts';
import { claimFolder, leaveFolder } from './running-file.ts';

const usage = `Usage: npm run dev -- [OPTIONS]
  --fresh           begin with nothing: what was in the folder is removed
  --port P          where REST is served; 4000 unless told
  --stream-port P   where the stream is served; one above REST unless told
  --folder F        where data are kept; .rialto in the checkout unless told
  --gateways 1|2    how many gateways
  --nats 1|3        how many NATS servers`;

const ATTEND_EVERY_MS = 2_000;

process.exitCode = await run();

async function run(): Promise<number> {
  const options = readOptions();
  if (options === undefined) {
    console.error(usage);
    return 2;
  }
  const { folder, fresh, port, streamPort } = options;
  if (!(await isAllInstalled())) return 1;
  for (const wanted of [port, streamPort]) {
    if (await isFree(wanted)) continue;
    console.error(`Port ${wanted} is taken. Choose another one: npm run dev -- --port 4100`);
    return 1;
  }
  const other = claimFolder(folder);
  if (other !== undefined) {
    console.error(`Process ${other.pid} runs an exchange in ${folder}. End it, or use --folder.`);
    return 1;
  }
  const asked = signalled();
  if (fresh) removeData(folder);
  try {
    const started = start(options);
    await Promise.race([started, asked]);
    const sandbox = await started;
    console.log(describeExchange(sandbox));
    const attending = setInterval(() => void attend(sandbox), ATTEND_EVERY_MS);
    await asked;
    clearInterval(attending);
    console.log('\nStopping. Data stay; the next npm run dev goes on from here.');
    await sandbox.stop();
    return 0;
  } catch (fault) {
    console.error(fault instanceof Error ? fault.message : fault);
    for (let cause = fault; cause instanceof Error; cause = cause.cause) {
      if (cause !== fault) console.error(cause.message);
    }
    return 1;
  } finally {
    leaveFolder(folder);
  }
}

type Options = NonNullable<ReturnType<typeof readOptions>>;

function start({ folder, gateways, natsNodes, port, streamPort }: Options): Promise<Sandbox> {
  return startSandbox({
    folder,
    gateways,
    natsNodes,
    httpPort: port,
    budgets: 'usual',
    accessLog: true,
    streams: gateways,
    streamPort,
    gatewaySettings: { RIALTO_PUBLIC_URL: `http://127.0.0.1:${port}` },
    say: (line) => console.log(`… ${line}`),
  });
}

/** The first signal asks to stop in order, the second one does not wait. */
function signalled(): Promise<void> {
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

/** A service that has ended is started again, and it is said that it had. */
async function attend(sandbox: Sandbox): Promise<void> {
  for (const service of sandbox.services) {
    if (service.pid !== undefined || service.isStarting) continue;
    console.error(`${service.name} has ended and is started again. Its last words:`);
    console.error(service.log());
    await service.start().catch((fault) => console.error(String(fault)));
  }
}

async function isAllInstalled(): Promise<boolean> {
  const found = await Promise.allSettled([installNats(), installPostgres()]);
  for (const one of found) {
    if (one.status === 'rejected') console.error(one.reason?.message ?? one.reason);
  }
  return found.every(({ status }) => status === 'fulfilled');
}

function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const server = createServer();
    server.once('error', () => done(false));
    server.listen({ port, host: '127.0.0.1' }, () => server.close(() => done(true)));
  });
}

// Only what a sandbox makes: the folder may have been named by mistake.
function removeData(folder: string): void {
  const ours = ['access-key', 'archive', 'credentials.json', 'logs', 'nats', 'postgres'];
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    if (ours.includes(name)) rmSync(join(folder, name), { recursive: true });
  }
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        fresh: { type: 'boolean', default: false },
        folder: { type: 'string', default: join(import.meta.dirname, '../../.rialto') },
        port: { type: 'string', default: '4000' },
        'stream-port': { type: 'string' },
        gateways: { type: 'string', default: '1' },
        nats: { type: 'string', default: '1' },
      },
    });
    const port = Number(values.port);
    const streamPort = Number(values['stream-port'] ?? port + 1);
    const areRight =
      [port, streamPort].every((one) => Number.isInteger(one) && one > 0 && one < 65_536) &&
      ['1', '2'].includes(values.gateways) &&
      ['1', '3'].includes(values.nats);
    if (!areRight) return undefined;
    return {
      fresh: values.fresh,
      folder: resolve(values.folder),
      port,
      streamPort,
      gateways: Number(values.gateways) as 1 | 2,
      natsNodes: Number(values.nats) as 1 | 3,
    };
  } catch (fault) {
    console.error(fault instanceof Error ? fault.message : fault);
    return undefined;
  }
}
