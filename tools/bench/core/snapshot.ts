// Measures snapshot and restore of a large exchange: a million open orders over a million accounts.
// Each runs in a separate process, to measure its own peak memory.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RestoreFigures, WriteFigures } from './snapshot-process.ts';

const MILLION = 1_000_000;

export function measureSnapshot(quick: boolean): Record<string, unknown> {
  const size = String(quick ? MILLION / 5 : MILLION);
  const folder = mkdtempSync(join(tmpdir(), 'rialto-bench-'));
  try {
    const file = join(folder, 'snapshot');
    const { hash, ...written } = runProcess<WriteFigures>('write', file, size);
    const { hash: hashAfter, ...restored } = runProcess<RestoreFigures>('restore', file);
    return { ...written, ...restored, hashEqual: hash === hashAfter };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function runProcess<Figures>(...words: readonly string[]): Figures {
  const program = fileURLToPath(new URL('./snapshot-process.ts', import.meta.url));
  const output = execFileSync(process.execPath, [program, ...words], { encoding: 'utf8' });
  return JSON.parse(output) as Figures;
}
