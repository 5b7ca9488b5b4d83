// Lists the servers of `npm run services -- start`, so a later command can find and stop them. The
// file is updated with every launched server, not only at the end.

import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isRunning, type KnownProcess, knownProcess } from './running-processes.ts';

export type StartedServer = KnownProcess & { name: string; stopSignal: NodeJS.Signals };

export type ServicesFile = {
  /** Process that starts the servers, until it has finished. */
  starter: KnownProcess | null;
  servers: StartedServer[];
  nats: string[];
  natsMonitors: string[];
  postgres: string | null;
  /** URL of the local EVM chain. */
  chain: string | null;
};

export function servicesPath(folder: string): string {
  return join(folder, 'services.json');
}

export function readServices(folder: string): ServicesFile | undefined {
  let text: string;
  try {
    text = readFileSync(servicesPath(folder), 'utf8');
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw fault;
  }
  try {
    return JSON.parse(text) as ServicesFile;
  } catch (cause) {
    throw new Error(`${servicesPath(folder)} is not valid JSON; remove it`, { cause });
  }
}

export function writeServices(folder: string, services: ServicesFile): void {
  const path = servicesPath(folder);
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, `${JSON.stringify(services, null, 2)}\n`);
  renameSync(unfinished, path);
}

export function removeServices(folder: string): void {
  rmSync(servicesPath(folder), { force: true });
}

export function noServices(): ServicesFile {
  const starter = knownProcess(process.pid);
  return { starter, servers: [], nats: [], natsMonitors: [], postgres: null, chain: null };
}

/** Creates the file for this process; returns false if another process has created it. */
export function beginServices(folder: string): boolean {
  const path = servicesPath(folder);
  mkdirSync(dirname(path), { recursive: true });
  try {
    writeFileSync(path, `${JSON.stringify(noServices(), null, 2)}\n`, { flag: 'wx' });
    return true;
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw fault;
  }
}

export type ServicesState = 'starting' | 'running' | 'partly running' | 'not running';

export function stateOf({ starter, servers }: ServicesFile): ServicesState {
  if (starter !== null && isRunning(starter)) return 'starting';
  const running = servers.filter(isRunning).length;
  if (running === 0) return 'not running';
  // If the starting process did not finish, servers are missing.
  return running === servers.length && starter === null ? 'running' : 'partly running';
}
