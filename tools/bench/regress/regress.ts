// `npm run bench -- regress --base REF`: fails if the working tree needs more processor time than
// REF for the same work. It measures the code in one process, without servers, disks and sockets;
// packages are those of the working tree on both sides.

import { resolve } from 'node:path';
import { EXIT_FAILED, UsageFault } from '../../command-line.ts';
import { commitOf } from './base-tree.ts';
import { type Comparison, compareTrees, type Result } from './compare-trees.ts';
import { isTooSlow, RATIO_MAX } from './ratio.ts';

/** Stable subset: `--quick` runs only these. */
const STABLE = ['engine', 'codec', 'command-link', 'publisher'];
const OTHERS = ['sequencer', 'gateway-order', 'projector'];
const ROOT = resolve(import.meta.dirname, '../../..');
const NAME_COLUMNS = 16;

export async function run({
  base,
  quick,
}: {
  quick: boolean;
  base?: string | undefined;
}): Promise<Record<string, unknown>> {
  if (base === undefined) throw new UsageFault('The option --base is required.');
  return regress({
    root: ROOT,
    base,
    workloads: quick ? STABLE : [...STABLE, ...OTHERS],
    rounds: quick ? 2 : 6,
    windowsPerRound: quick ? 60 : 120,
  });
}

/** Prints the table and sets the exit code. */
export async function regress(comparison: Comparison) {
  const { base } = comparison;
  const commit = commitOf(comparison);
  console.log(`processor time per unit of the working tree, relative to ${base} (${commit})`);
  const workloads = await compareTrees(comparison, (name, result) =>
    console.log(`${name.padEnd(NAME_COLUMNS)}${textOf(result)}`),
  );
  const failed = Object.keys(workloads).filter((name) => isFailure(workloads[name]));
  if (failed.length > 0) {
    console.error(`More than ${RATIO_MAX} times the cost of ${base}: ${failed.join(', ')}.`);
    process.exitCode = EXIT_FAILED;
  }
  return { base, workloads };
}

function isFailure(result: Result): boolean {
  return 'ratio' in result && isTooSlow(result);
}

function textOf(result: Result): string {
  if (!('ratio' in result)) return `not comparable: ${result.notComparable}`;
  const { high, low, ratio, windows } = result;
  const interval = `${low.toFixed(3)}–${high.toFixed(3)}`;
  const end = isTooSlow(result) ? `: above ${RATIO_MAX}` : '';
  return `${ratio.toFixed(3)}  (95%: ${interval}, ${windows} windows)${end}`;
}
