// Copies the sources to a temporary folder, applies one seeded bug, and runs the simulator there.
// The repository itself is only read.

import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Fault, occurrencesOf, withFault } from '../drills/mutations/fault.ts';

export const REPOSITORY = resolve(import.meta.dirname, '../..');
const COPIED = ['core', 'infra', 'services', 'testing', 'tools/command-line.ts', 'package.json'];

export interface Finding {
  /** The number of schedules run; the last one found the bug. */
  readonly schedules: number;
  readonly isFound: boolean;
  /** The first violation, or the end of the output. */
  readonly words: string;
}

export async function simulateWith(fault: Fault, schedules: number): Promise<Finding> {
  const sound = readFileSync(join(REPOSITORY, fault.file), 'utf8');
  const count = occurrencesOf(sound, fault);
  if (count !== 1)
    throw new Error(`${fault.file} matches ${count} places for '${fault.name}'; expected 1`);
  const folder = mkdtempSync(join(tmpdir(), 'rialto-simulator-'));
  try {
    for (const name of COPIED) {
      cpSync(join(REPOSITORY, name), join(folder, name), { recursive: true });
    }
    symlinkSync(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, fault.file), withFault(sound, fault));
    return await simulate(folder, schedules);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function simulate(folder: string, schedules: number): Promise<Finding> {
  const program = ['testing/simulator/main.ts', '--schedules', String(schedules)];
  const child = spawn(process.execPath, program, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const exitCode = await new Promise<number | null>((done, fail) => {
    child.on('error', fail);
    child.on('close', done);
  });
  const lines = output.trim().split('\n');
  const summary = JSON.parse(lines.at(-1) ?? '') as { schedules: number; violations: number };
  const violates = lines.findIndex((line) => line.endsWith(' has violations:'));
  return {
    schedules: summary.schedules,
    isFound: exitCode === 1 && summary.violations === 1,
    words: (lines[violates + 1] ?? '').trim(),
  };
}
