// The file that remembers what `npm run services -- start` has started, so that a later command
// can find and stop it. It is written with every server that is launched, not only at the end.

import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isRunning, type KnownProcess, knownProcess } from './running-processes.ts';

export type StartedServer = KnownProcess & { name: string; stopSignal: NodeJS.Signals };

export type ServicesFile = {
  /** The command that starts them, while it has not finished. */
  starter: KnownProcess | null;
  servers: StartedServer[];
  nats: string[];
  natsMonitors: string[];
  postgres: string | null;
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
    throw new Error(`${servicesPath(folder)} is not readable; remove it by hand`, { cause });
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
  return { starter, servers: [], nats: [], natsMonitors: [], postgres: null };
}

/** Makes the file for this process; false when another process has made it in the meantime. */
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

export type ServicesState = 'starting' | 'running' | 'partly running' | 'gone';

export function stateOf({ starter, servers }: ServicesFile): ServicesState {
  if (starter !== null && isRunning(starter)) return 'starting';
  const running = servers.filter(isRunning).length;
  if (running === 0) return 'gone';
  // A starter that did not finish has left something out.
  return running === servers.length && starter === null ? 'running' : 'partly running';
}
