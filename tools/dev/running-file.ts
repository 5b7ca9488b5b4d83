// Lock file of a data folder: two exchanges on the same data would damage it.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning, type KnownProcess, knownProcess } from '../services/running-processes.ts';

/** Returns the process that already uses the folder; undefined if this process now owns it. */
export function claimFolder(folder: string): KnownProcess | undefined {
  mkdirSync(folder, { recursive: true });
  const other = readRunning(folder);
  if (other !== undefined && isRunning(other)) return other;
  writeFileSync(pathOf(folder), JSON.stringify(knownProcess(process.pid)));
  return undefined;
}

export function leaveFolder(folder: string): void {
  rmSync(pathOf(folder), { force: true });
}

function readRunning(folder: string): KnownProcess | undefined {
  try {
    return JSON.parse(readFileSync(pathOf(folder), 'utf8')) as KnownProcess;
  } catch {
    return undefined;
  }
}

function pathOf(folder: string): string {
  return join(folder, 'running.json');
}
