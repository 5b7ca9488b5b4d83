// Processes for the benches: a sequencer, programs that print their metrics as JSON, and the
// processor time of a process.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

export type Figures = Readonly<Record<string, number>>;

const TICKS_PER_SECOND = 100;
const SEQUENCER = join(import.meta.dirname, '../../services/sequencer/main.ts');
const runFile = promisify(execFile);

/** Its standard output is not read, except with `stdout: 'pipe'`. */
export function startSequencer(options: {
  readonly natsUrls: readonly string[];
  readonly exchange?: string;
  readonly replicas?: number;
  readonly stdout?: 'pipe';
}): ChildProcess {
  const { exchange = 'rialto', natsUrls, replicas = 1, stdout = 'ignore' } = options;
  return spawn(process.execPath, [SEQUENCER], {
    stdio: ['ignore', stdout, 'inherit'],
    env: {
      PATH: process.env.PATH,
      RIALTO_MODE: 'development',
      RIALTO_EXCHANGE: exchange,
      RIALTO_NATS_URLS: natsUrls.join(','),
      RIALTO_REPLICAS: String(replicas),
      RIALTO_INSTANCE: 'bench',
    },
  });
}

export async function stopProcess(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
}

/** Runs a program until it exits and returns the JSON in its last line. */
export async function runProgram<Result = Figures>(
  program: string,
  parameters: readonly string[],
): Promise<Result> {
  const { stderr, stdout } = await runFile(process.execPath, [program, ...parameters]);
  if (stderr !== '') console.error(stderr.trim());
  return lastLine(stdout);
}

export function lastLine<Result>(output: string): Result {
  return JSON.parse(output.trim().split('\n').at(-1) ?? '{}') as Result;
}

/** Returns the user and system time of a process so far, as counted by the kernel. */
export function cpuSeconds(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
