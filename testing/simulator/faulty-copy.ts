// Copies the sources to a temporary folder, applies one seeded bug, and runs the simulator or a
// test there. Only reads the repository.

import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Fault, withFault } from '../drills/mutations/fault.ts';
import { firstFailure } from '../drills/mutations/run-tests.ts';
import type { SeededBug } from './seeded-bugs.ts';

export const REPOSITORY = resolve(import.meta.dirname, '../..');
const COPIED = ['core', 'infra', 'services', 'testing', 'tools/command-line.ts', 'package.json'];

export interface Finding {
  /** The number of schedules run. */
  readonly schedules: number;
  /** The seed of the schedule that found the bug; undefined if a test did, or none. */
  readonly seed?: number | undefined;
  readonly isFound: boolean;
  /** The first violation, or the end of the output. */
  readonly words: string;
}

interface Summary {
  readonly schedules: number;
  readonly violations: number;
  readonly failingSeed?: number;
}

const TEST_MS_MAX = 60_000;

/** Looks for the bug with its test, or in at most `schedulesMax` schedules. */
export function findBug(bug: SeededBug, schedulesMax: number): Promise<Finding> {
  const { test } = bug;
  return inCopyWith(bug, async (folder) => {
    if (test === undefined) return simulate(folder, schedulesMax, bug);
    const words = await firstFailure(folder, [test], TEST_MS_MAX);
    return { schedules: 0, isFound: words !== undefined, words: words ?? '' };
  });
}

async function inCopyWith<Result>(
  fault: Fault,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const sound = readFileSync(join(REPOSITORY, fault.file), 'utf8');
  const faulty = withFault(sound, fault);
  const folder = mkdtempSync(join(tmpdir(), 'rialto-simulator-'));
  try {
    for (const name of COPIED) {
      cpSync(join(REPOSITORY, name), join(folder, name), { recursive: true });
    }
    symlinkSync(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, fault.file), faulty);
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function simulate(
  folder: string,
  schedules: number,
  { part = '', seed = 1 }: SeededBug,
): Promise<Finding> {
  const options = ['--seed', `${seed}`, '--schedules', `${schedules}`, '--with', part];
  const program = ['testing/simulator/main.ts', ...options];
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
  const summary = JSON.parse(lines.at(-1) ?? '') as Summary;
  const violates = lines.findIndex((line) => line.endsWith(' has violations:'));
  return {
    schedules: summary.schedules,
    seed: summary.failingSeed,
    isFound: exitCode === 1 && summary.violations === 1,
    words: (lines[violates + 1] ?? '').trim(),
  };
}
