// Snapshot and restore of a large exchange: a million open orders over a million accounts, in a
// process of its own, so that peak memory is this exchange's and nobody else's.

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const MILLION = 1_000_000;

export interface SnapshotFigures {
  readonly orders: number;
  readonly accounts: number;
  readonly bytes: number;
  readonly snapshotMs: number;
  readonly restoreMs: number;
  readonly hashMs: number;
  readonly peakMiB: number;
  readonly hashEqual: boolean;
}

export function measureSnapshot(quick: boolean): SnapshotFigures {
  const program = fileURLToPath(new URL('./snapshot-process.ts', import.meta.url));
  const size = String(quick ? MILLION / 5 : MILLION);
  const output = execFileSync(process.execPath, [program, size], { encoding: 'utf8' });
  return JSON.parse(output) as SnapshotFigures;
}
