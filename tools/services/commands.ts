// The commands of `npm run services`: start, stop, status, install. Each prints its result and
// returns the exit code.

import { join } from 'node:path';
import { installChromium } from '../client/test-runtimes.ts';
import { startAnvil } from './anvil.ts';
import { installDeploymentPrograms } from './deployment-programs.ts';
import { installFirefox, installFonts } from './install-browsers.ts';
import { installNats } from './install-nats.ts';
import { installPostgres } from './install-postgres.ts';
import { startNats } from './nats.ts';
import { postgresStopSignal, startPostgres } from './postgres.ts';
import { isRunning, knownProcess, signalProcess } from './running-processes.ts';
import {
  beginServices,
  noServices,
  readServices,
  removeServices,
  type ServicesFile,
  type StartedServer,
  servicesPath,
  stateOf,
  writeServices,
} from './services-file.ts';
import { waitUntil } from './wait-until.ts';

export type StartOptions = {
  folder: string;
  natsNodes: 1 | 3;
  withPostgres: boolean;
  withChain: boolean;
};

const stopTimeoutMs = 15_000;
const killTimeoutMs = 5_000;
const BLOCK_SECONDS = 2;
const BROWSER_TESTS = [
  'services/gateway-http/confirm/confirm-page.slow.test.ts',
  'testing/browser/passkeys.slow.test.ts',
  'tools/client/published-client.slow.test.ts',
  'npm run screens',
];

export async function start(options: StartOptions): Promise<number> {
  const { folder } = options;
  const known = readServices(folder);
  const state = known === undefined ? 'not running' : stateOf(known);
  if (known !== undefined && state === 'running') {
    console.log(`The services in ${folder} are already running.`);
    printUrls(known);
    return 0;
  }
  if (state === 'starting') {
    console.error(
      `Another process is starting the services in ${folder}. Wait until it has finished.`,
    );
    return 1;
  }
  if (known !== undefined && state === 'partly running') {
    console.error(`Only some of the services in ${folder} are running:`);
    printServers(known, console.error);
    console.error('Run `npm run services -- stop` first, then start again. Data is kept.');
    return 1;
  }
  removeServices(folder);
  if (!beginServices(folder)) {
    console.error(`Another process has just started the services in ${folder}.`);
    return 1;
  }
  try {
    const services = await launchAll(options);
    console.log(`The services are running. Their data is in ${folder}.`);
    printUrls(services);
    return 0;
  } catch (fault) {
    await stopServers(readServices(folder)?.servers ?? []);
    removeServices(folder);
    console.error(`The services did not start: ${fault instanceof Error ? fault.message : fault}`);
    return 1;
  }
}

async function launchAll(options: StartOptions): Promise<ServicesFile> {
  const { folder, natsNodes, withChain, withPostgres } = options;
  const services = noServices();
  const remember =
    (stopSignal: NodeJS.Signals) =>
    ({ name, pid }: { name: string; pid: number }) => {
      services.servers = services.servers.filter((server) => server.name !== name);
      services.servers.push({ name, ...knownProcess(pid), stopSignal });
      writeServices(folder, services);
    };
  const nats = await startNats({
    folder: join(folder, 'nats'),
    nodes: natsNodes,
    untilParentDies: false,
    onLaunch: remember('SIGTERM'),
  });
  services.nats = nats.urls;
  services.natsMonitors = nats.nodes.map(({ monitorUrl }) => monitorUrl);
  if (withPostgres) {
    const postgres = await startPostgres({
      folder: join(folder, 'postgres'),
      untilParentDies: false,
      onLaunch: remember(postgresStopSignal),
    });
    services.postgres = postgres.url;
  }
  if (withChain) {
    const anvil = await startAnvil({
      folder,
      blockSeconds: BLOCK_SECONDS,
      untilParentDies: false,
      onLaunch: remember('SIGTERM'),
    });
    services.chain = anvil.url;
  }
  services.starter = null;
  writeServices(folder, services);
  return services;
}

export async function stop({ folder }: { folder: string }): Promise<number> {
  const services = readServices(folder);
  if (services === undefined) {
    console.log(`No services are running in ${folder}.`);
    return 0;
  }
  if (stateOf(services) === 'starting') {
    console.error(
      `Another process is still starting the services in ${folder}. Wait until it has finished.`,
    );
    return 1;
  }
  await stopServers(services.servers);
  removeServices(folder);
  console.log(`The services in ${folder} are stopped. Their data is kept.`);
  return 0;
}

async function stopServers(servers: readonly StartedServer[]): Promise<void> {
  await Promise.all(servers.map(stopServer));
}

async function stopServer(server: StartedServer): Promise<void> {
  if (!isRunning(server)) {
    console.log(`${server.name}: was not running`);
    return;
  }
  const hasEnded = () => !isRunning(server);
  signalProcess(server, server.stopSignal);
  // A paused process cannot handle the signal.
  signalProcess(server, 'SIGCONT');
  try {
    await waitUntil({ what: 'the server ends', timeoutMs: stopTimeoutMs, question: hasEnded });
    console.log(`${server.name}: stopped`);
  } catch {
    signalProcess(server, 'SIGKILL');
    const what = `process ${server.pid} (${server.name}) ends after SIGKILL`;
    await waitUntil({ what, timeoutMs: killTimeoutMs, question: hasEnded });
    console.log(`${server.name}: did not stop in time and was killed`);
  }
}

export function status({ folder }: { folder: string }): number {
  const services = readServices(folder);
  if (services === undefined) {
    console.log(`No services are running in ${folder}.`);
    return 1;
  }
  const state = stateOf(services);
  console.log(`The services in ${folder} are ${state}.`);
  printServers(services, console.log);
  if (state === 'running') printUrls(services);
  else console.log(`Details are in ${servicesPath(folder)}.`);
  return state === 'running' ? 0 : 1;
}

export async function install(): Promise<number> {
  const nats = await report('NATS server', installNats());
  const postgres = await report('PostgreSQL', installPostgres());
  const chromium = await report('Chromium', installChromium());
  const firefox = await report('Firefox', installFirefox());
  const fonts = await report('Fonts', installFonts());
  const programs = await report('Deployment programs', installDeploymentPrograms());
  if (!programs) console.error('Without them the tests in deploy/ fail.');
  if (!chromium)
    console.error(`Without Chromium these tests fail:\n  ${BROWSER_TESTS.join('\n  ')}`);
  if (!firefox) console.error('Without Firefox its check of npm run screens is left out.');
  if (!fonts) console.error('Without these fonts some languages are drawn as empty boxes.');
  // Elsewhere, a machine without a browser or a web server is still useful.
  const isCi = process.env.CI === 'true';
  const hasAll = chromium && firefox && fonts && programs;
  return nats && postgres && (hasAll || !isCi) ? 0 : 1;
}

async function report(what: string, installed: Promise<string>): Promise<boolean> {
  try {
    console.log(`${what}: ${await installed}`);
    return true;
  } catch (fault) {
    console.error(fault instanceof Error ? fault.message : fault);
    return false;
  }
}

function printServers({ servers }: ServicesFile, print: (line: string) => void): void {
  for (const server of servers) {
    const state = isRunning(server) ? `running, process ${server.pid}` : 'not running';
    print(`  ${server.name.padEnd(20)} ${state}`);
  }
}

// The last line is for programs.
function printUrls({ chain, nats, natsMonitors, postgres }: ServicesFile): void {
  for (const url of nats) console.log(`  NATS          ${url}`);
  for (const url of natsMonitors) console.log(`  NATS monitor  ${url}`);
  if (postgres !== null) console.log(`  PostgreSQL    ${postgres}`);
  if (chain !== null) console.log(`  EVM chain     ${chain}`);
  console.log(JSON.stringify({ nats, postgres, ...(chain === null ? {} : { chain }) }));
}
