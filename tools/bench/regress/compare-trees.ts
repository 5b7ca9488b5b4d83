// Compares the processor time of workloads between a base commit and the working tree. Every round
// of a workload is a new process, and rounds alternate which tree is loaded first, because both
// the compiler's choices and the order of loading can favor one side.

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { withBaseTree } from './base-tree.ts';
import type { Measured } from './measure/main.ts';
import { type Ratio, ratioOf } from './ratio.ts';

export interface Comparison {
  /** The root of the working tree. */
  readonly root: string;
  readonly base: string;
  readonly workloads: readonly string[];
  readonly rounds: number;
  readonly windowsPerRound: number;
}

export type Result = Ratio | { readonly notComparable: string };

const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;
/**
 * One thread, so compiling and garbage collection count in the window that caused them; enough room
 * for a window's garbage, which is collected at its end.
 */
const NODE_OPTIONS = [
  '--single-threaded',
  '--expose-gc',
  '--min-semi-space-size=64',
  '--max-semi-space-size=64',
];
const MEASURE = fileURLToPath(new URL('./measure/main.ts', import.meta.url));

export function compareTrees(
  comparison: Comparison,
  onCompared: (workload: string, result: Result) => void = () => {},
): Promise<Record<string, Result>> {
  return withBaseTree(comparison, async (base) => {
    const results: Record<string, Result> = {};
    for (const workload of comparison.workloads) {
      const result = await compareWorkload(comparison, workload, base);
      results[workload] = result;
      onCompared(workload, result);
    }
    return results;
  });
}

async function compareWorkload(
  { root, rounds, windowsPerRound }: Comparison,
  workload: string,
  base: string,
): Promise<Result> {
  const measuredRounds: (readonly number[])[] = [];
  for (let round = 0; round < rounds; round++) {
    const words = ['--workload', workload, '--current', root, '--base', base];
    words.push('--windows', `${windowsPerRound}`, ...(round % 2 === 0 ? ['--base-first'] : []));
    const running = promisify(execFile)(process.execPath, [...NODE_OPTIONS, MEASURE, ...words], {
      cwd: root,
      maxBuffer: OUTPUT_BYTES_MAX,
    });
    const stop = () => running.child.kill();
    process.once('exit', stop);
    const { stdout } = await running.finally(() => process.off('exit', stop));
    const measured = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Measured;
    if ('reason' in measured) return { notComparable: measured.reason };
    measuredRounds.push(measured.ratios);
  }
  return ratioOf(measuredRounds);
}
