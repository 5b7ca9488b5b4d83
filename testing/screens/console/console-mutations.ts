// Breaks a copy of the console on purpose, one fault at a time, and runs the check or table test
// that must catch the fault. An uncaught fault is a gap in the tests.

import { join } from 'node:path';
import { runProgram } from '../../../tools/services/run-program.ts';
import { copySources } from '../built-copy.ts';
import { isTest, type Mutant } from '../mutants.ts';
import { byTest, insert, report, SURVIVED } from '../mutations.ts';
import { CONSOLE_CHECKS } from './console-checks.ts';
import { CONSOLE_MUTANTS } from './console-mutants.ts';
import { type ConsoleCheck, ConsoleStage } from './console-stage.ts';

const ROOT = join(import.meta.dirname, '../../..');
const VITE = join(ROOT, 'node_modules/vite/bin/vite.js');
/** Timeout after which a broken console counts as caught. */
const PATIENCE_MS = 20_000;

/** Returns true if every fault whose name or check contains one of the words is caught. */
export async function runConsoleMutations(only: string): Promise<boolean> {
  const words = only.split(',');
  const mutants = CONSOLE_MUTANTS.filter(({ caughtBy, name }) =>
    words.some((word) => `${name} ${caughtBy}`.includes(word)),
  );
  const rows: (readonly [mutant: Mutant, how: string])[] = [];
  for (const mutant of mutants.filter(isTest)) rows.push([mutant, await byTest(mutant)]);
  const inBrowser = mutants.filter((mutant) => !isTest(mutant));
  if (inBrowser.length > 0) {
    const stage = await ConsoleStage.open();
    try {
      // A check that always fails would appear to catch everything.
      for (const check of new Set(inBrowser.map(checkOf))) await check.run(stage);
      for (const mutant of inBrowser) rows.push([mutant, await byCheck(stage, mutant)]);
    } finally {
      await stage.close();
    }
  }
  return report(rows);
}

function checkOf({ caughtBy }: Mutant): ConsoleCheck {
  return CONSOLE_CHECKS.find(({ name }) => name.includes(caughtBy))!;
}

export async function byCheck(stage: ConsoleStage, mutant: Mutant): Promise<string> {
  const copy = copySources();
  const patienceMs = stage.patienceMs;
  try {
    insert(copy.folder, mutant);
    stage.shownFolder = await buildConsole(copy.folder);
    stage.patienceMs = PATIENCE_MS;
    await checkOf(mutant).run(stage);
    return SURVIVED;
  } catch (fault) {
    return String(fault instanceof Error ? fault.message : fault).split('\n')[0];
  } finally {
    stage.shownFolder = undefined;
    stage.patienceMs = patienceMs;
    copy.remove();
    for (const context of stage.browser.contexts()) await context.close();
  }
}

async function buildConsole(folder: string): Promise<string> {
  const built = join(folder, 'built');
  const config = join(folder, 'apps/vite.config.ts');
  const app = join(folder, 'apps/console');
  const args = [VITE, 'build', app, '--config', config, '--outDir', built, '--logLevel', 'warn'];
  const { output, succeeded } = await runProgram(process.execPath, args, { folder });
  if (!succeeded) throw new Error(`Cannot build the copy.\n${output.trim()}`);
  return built;
}
