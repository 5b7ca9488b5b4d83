// `npm run screens -- mutations`: breaks a copy of the apps on purpose, one fault at a time, builds
// it and runs the check that must catch it. A fault that passes its check is a gap.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '../../tools/services/run-program.ts';
import { withFault } from '../drills/mutations/fault.ts';
import { ALL_CHECKS } from './all-checks.ts';
import { buildCopy, copySources } from './built-copy.ts';
import type { Check } from './check.ts';
import { withSlack } from './load.ts';
import { SYMBOL } from './moving-market.ts';
import { isTest, MUTANTS, type Mutant } from './mutants.ts';
import { forgetSeen } from './seen-screens.ts';
import { Stage } from './stage.ts';

/** Until a broken screen counts as caught; a sound one is ready long before. */
const PATIENCE_MS = 10_000;
const PATIENCE_MAX_MS = 25_000;
const SURVIVED = 'SURVIVED';

/** True if every fault is caught. */
export async function runMutations(only: string): Promise<boolean> {
  const mutants = MUTANTS.filter(({ name }) => name.includes(only));
  const inBrowser = mutants.filter((mutant) => !isTest(mutant));
  const rows: (readonly [mutant: Mutant, how: string])[] = [];
  const add = (mutant: Mutant, how: string) => {
    rows.push([mutant, how]);
    console.log(`${how === SURVIVED ? SURVIVED : 'caught  '} ${mutant.name}`);
  };
  for (const mutant of mutants.filter(isTest)) add(mutant, await byTest(mutant));
  if (inBrowser.length > 0) {
    const stage = await Stage.open({ hasAgents: false, isSmall: true });
    try {
      await catchInBrowser(stage, inBrowser, add);
    } finally {
      await stage.close();
    }
  }
  return report(rows);
}

/** Sound files first, then each fault. */
export async function catchInBrowser(
  stage: Stage,
  mutants: readonly Mutant[],
  add: (mutant: Mutant, how: string) => void,
): Promise<void> {
  await passSound(stage, mutants);
  for (const mutant of mutants) add(mutant, await byCheck(stage, mutant));
}

/** The checks must pass on sound files: one that always fails would seem to catch everything. */
async function passSound(stage: Stage, mutants: readonly Mutant[]): Promise<void> {
  const copy = copySources();
  try {
    // Built and shown as the broken ones are.
    stage.shownFolder = await buildCopy(copy);
    for (const check of new Set(mutants.map(checkOf))) {
      try {
        await check.run(stage, { extent: 'quick' });
      } catch (cause) {
        throw new Error(`'${check.name}' fails without any fault`, { cause });
      }
      console.log(`sound    ${check.name}`);
      await tidy(stage);
    }
  } finally {
    stage.shownFolder = undefined;
    copy.remove();
  }
}

function checkOf({ caughtBy }: Mutant): Check {
  return ALL_CHECKS.find(({ name }) => name.includes(caughtBy))!;
}

async function byCheck(stage: Stage, mutant: Mutant): Promise<string> {
  const copy = copySources();
  try {
    insert(copy.folder, mutant);
    stage.shownFolder = await buildCopy(copy);
    stage.patienceMs = Math.min(PATIENCE_MAX_MS, withSlack(PATIENCE_MS));
    await checkOf(mutant).run(stage, { extent: 'quick' });
    return SURVIVED;
  } catch (fault) {
    return String(fault instanceof Error ? fault.message : fault).split('\n')[0];
  } finally {
    stage.shownFolder = undefined;
    copy.remove();
    await tidy(stage);
  }
}

/** The next check finds the stage as a new one. */
async function tidy(stage: Stage): Promise<void> {
  forgetSeen(stage);
  stage.wire.mend();
  for (const context of stage.browser.contexts()) await context.close();
  await stage.clientOf('alice').delete('/order/all', { symbol: SYMBOL });
}

async function byTest(mutant: Mutant): Promise<string> {
  const copy = copySources();
  try {
    insert(copy.folder, mutant);
    const args = ['--test', '--test-reporter=tap', join(copy.folder, mutant.caughtBy)];
    const { output, succeeded } = await runProgram(process.execPath, args, copy);
    if (succeeded) return SURVIVED;
    return output.match(/^ *not ok \d+ - (.*)$/m)?.[1] ?? 'the test does not load';
  } finally {
    copy.remove();
  }
}

function insert(folder: string, mutant: Mutant): void {
  const file = join(folder, mutant.file);
  writeFileSync(file, withFault(readFileSync(file, 'utf8'), mutant));
}

function report(rows: readonly (readonly [mutant: Mutant, how: string])[]): boolean {
  const survived = rows.filter(([, how]) => how === SURVIVED).map(([{ name }]) => name);
  for (const [{ caughtBy, name }, how] of rows) {
    console.log(`${name}\n    ${caughtBy}: ${how.slice(0, 120)}`);
  }
  const caught = rows.length - survived.length;
  console.log(JSON.stringify({ mutants: rows.length, caught, survived }));
  return survived.length === 0;
}
