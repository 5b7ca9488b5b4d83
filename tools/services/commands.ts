// What `npm run services` can do: start, stop, status, install. Each says in plain words what it
// did and returns the exit code.

import { join } from 'node:path';
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

export type StartOptions = { folder: string; natsNodes: 1 | 3; withPostgres: boolean };

const stopPatienceMs = 15_000;
const killPatienceMs = 5_000;

export async function start(options: StartOptions): Promise<number> {
  const { folder } = options;
  const known = readServices(folder);
  const state = known === undefined ? 'gone' : stateOf(known);
  if (known !== undefined && state === 'running') {
    console.log(`The services in ${folder} run already.`);
    printUrls(known);
    return 0;
  }
  if (state === 'starting') {
    console.error(`Another process is starting the services in ${folder} at this moment.`);
    return 1;
  }
  if (known !== undefined && state === 'partly running') {
    console.error(`Only some of the services in ${folder} run:`);
    printServers(known, console.error);
    console.error('Stop them first, then start again; the data stay.');
    return 1;
  }
  removeServices(folder);
  if (!beginServices(folder)) {
    console.error(`Another process has just begun to start the services in ${folder}.`);
    return 1;
  }
  try {
    const services = await launchAll(options);
    console.log(`The services run, with their data in ${folder}.`);
    printUrls(services);
    return 0;
  } catch (fault) {
    await stopServers(readServices(folder)?.servers ?? []);
    removeServices(folder);
    console.error(`The services did not start. ${fault instanceof Error ? fault.message : fault}`);
    return 1;
  }
}

async function launchAll(options: StartOptions): Promise<ServicesFile> {
  const { folder, natsNodes, withPostgres } = options;
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
  services.starter = null;
  writeServices(folder, services);
  return services;
}

export async function stop({ folder }: { folder: string }): Promise<number> {
  const services = readServices(folder);
  if (services === undefined) {
    console.log(`Nothing was started in ${folder}.`);
    return 0;
  }
  if (stateOf(services) === 'starting') {
    console.error(`A process is still starting the services in ${folder}; wait for its end.`);
    return 1;
  }
  await stopServers(services.servers);
  removeServices(folder);
  console.log(`The services in ${folder} are stopped. Their data stay.`);
  return 0;
}

async function stopServers(servers: readonly StartedServer[]): Promise<void> {
  await Promise.all(servers.map(stopServer));
}

async function stopServer(server: StartedServer): Promise<void> {
  if (!isRunning(server)) {
    console.log(`${server.name}: ran no longer`);
    return;
  }
  const isGone = () => !isRunning(server);
  signalProcess(server, server.stopSignal);
  // A paused process can not hear the request.
  signalProcess(server, 'SIGCONT');
  try {
    await waitUntil({ what: 'it ends', timeoutMs: stopPatienceMs, question: isGone });
    console.log(`${server.name}: stopped`);
  } catch {
    signalProcess(server, 'SIGKILL');
    const what = `process ${server.pid} (${server.name}) ends after SIGKILL`;
    await waitUntil({ what, timeoutMs: killPatienceMs, question: isGone });
    console.log(`${server.name}: did not stop when asked, so it was killed`);
  }
}

export function status({ folder }: { folder: string }): number {
  const services = readServices(folder);
  if (services === undefined) {
    console.log(`Nothing was started in ${folder}.`);
    return 1;
  }
  const state = stateOf(services);
  console.log(`The services in ${folder} are ${state}.`);
  printServers(services, console.log);
  if (state === 'running') printUrls(services);
  else console.log(`${servicesPath(folder)} has the details.`);
  return state === 'running' ? 0 : 1;
}

export async function install(): Promise<number> {
  const nats = await report('NATS server', installNats());
  const postgres = await report('PostgreSQL', installPostgres());
  return nats && postgres ? 0 : 1;
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
    const state = isRunning(server) ? `runs as process ${server.pid}` : 'is gone';
    print(`  ${server.name} ${state}`);
  }
}

// The last line is for programs.
function printUrls({ nats, natsMonitors, postgres }: ServicesFile): void {
  for (const url of nats) console.log(`  NATS        ${url}`);
  for (const url of natsMonitors) console.log(`  its monitor ${url}`);
  if (postgres !== null) console.log(`  PostgreSQL  ${postgres}`);
  console.log(JSON.stringify({ nats, postgres }));
}
