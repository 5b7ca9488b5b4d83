// `npm run screens -- mutations`: breaks a copy of the apps on purpose, one fault at a time, builds
// it and runs the check that must catch the fault. An uncaught fault is a gap in the tests.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { runProgram } from '../../tools/services/run-program.ts';
import { withFault } from '../drills/mutations/fault.ts';
import { ALL_CHECKS } from './all-checks.ts';
import { buildCopy, copySources, type SourceCopy } from './built-copy.ts';
import type { Check } from './check.ts';
import { withSlack } from './load.ts';
import { SYMBOL } from './moving-market.ts';
import { isTest, MUTANTS, type Mutant } from './mutants.ts';
import { forgetSeen } from './seen-screens.ts';
import { Stage } from './stage.ts';

/** Timeout after which a broken screen counts as caught. An intact screen is ready much earlier. */
const PATIENCE_MS = 10_000;
const PATIENCE_MAX_MS = 60_000;
export const SURVIVED = 'SURVIVED';
const UNPROVEN = 'UNPROVEN: the check fails without any fault';
const GAPS = [SURVIVED, UNPROVEN];

/** Returns true if every fault is caught. */
export async function runMutations(only: string): Promise<boolean> {
  const mutants = MUTANTS.filter(({ name }) => name.includes(only));
  const inBrowser = mutants.filter((mutant) => !isTest(mutant));
  const rows: (readonly [mutant: Mutant, how: string])[] = [];
  const add = (mutant: Mutant, how: string) => {
    rows.push([mutant, how]);
    console.log(`${GAPS.includes(how) ? how.slice(0, 8) : 'caught  '} ${mutant.name}`);
  };
  for (const mutant of mutants.filter(isTest)) add(mutant, await byTest(mutant));
  if (inBrowser.length > 0) await catchInBrowser(inBrowser, add);
  return report(rows);
}

/** A copy of the apps and its built files. */
interface Built {
  readonly copy: SourceCopy;
  readonly files: string;
}

async function catchInBrowser(
  mutants: readonly Mutant[],
  add: (mutant: Mutant, how: string) => void,
): Promise<void> {
  const stage = await Stage.open({ hasAgents: false, isSmall: true });
  try {
    const failing = await failingOnSound(stage, mutants);
    for (const mutant of mutants) {
      const isProof = !failing.has(checkOf(mutant));
      add(mutant, isProof ? await byCheck(stage, mutant) : UNPROVEN);
    }
  } finally {
    await stage.close();
  }
}

async function build(mutant: Mutant | undefined): Promise<Built> {
  const copy = copySources();
  try {
    if (mutant !== undefined) insert(copy.folder, mutant);
    return { copy, files: await buildCopy(copy) };
  } catch (fault) {
    copy.remove();
    throw fault;
  }
}

/** Returns checks that fail even on intact files. They would appear to catch everything. */
async function failingOnSound(
  stage: Stage,
  mutants: readonly Mutant[],
): Promise<ReadonlySet<Check>> {
  const failing = new Set<Check>();
  const { copy, files } = await build(undefined);
  for (const check of new Set(mutants.map(checkOf))) {
    const fault = await runOn(stage, check, files);
    console.log(`${fault === undefined ? 'sound   ' : 'UNSOUND '} ${check.name}`);
    if (fault === undefined) continue;
    console.log(fault);
    failing.add(check);
  }
  copy.remove();
  return failing;
}

function checkOf({ caughtBy }: Mutant): Check {
  return ALL_CHECKS.find(({ name }) => name.includes(caughtBy))!;
}

async function byCheck(stage: Stage, mutant: Mutant): Promise<string> {
  const { copy, files } = await build(mutant);
  const fault = await runOn(stage, checkOf(mutant), files);
  copy.remove();
  return fault === undefined ? SURVIVED : inOneLine(fault);
}

/** Returns the message of a failing check, or undefined if the check passes. */
async function runOn(stage: Stage, check: Check, files: string): Promise<string | undefined> {
  stage.shownFolder = files;
  stage.patienceMs = Math.min(PATIENCE_MAX_MS, withSlack(PATIENCE_MS));
  try {
    await check.run(stage, { extent: 'quick' });
    return undefined;
  } catch (fault) {
    // Without a browser every check fails, which proves nothing.
    if (!stage.browser.isConnected()) throw fault;
    return String(fault instanceof Error ? fault.message : fault);
  } finally {
    stage.shownFolder = undefined;
    await tidy(stage);
  }
}

/** Strips colors. The second line of a timeout message names the element. */
function inOneLine(message: string): string {
  const lines = stripVTControlCharacters(message).split('\n');
  const texts = lines.map((line) => line.trim()).filter((line) => line && line !== 'Call log:');
  return texts.slice(0, 3).join(' ');
}

/** Resets the stage for the next check. */
async function tidy(stage: Stage): Promise<void> {
  forgetSeen(stage);
  stage.wire.mend();
  for (const context of stage.browser.contexts()) await context.close();
  await stage.clientOf('alice').delete('/order/all', { symbol: SYMBOL });
}

export async function byTest(mutant: Mutant): Promise<string> {
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

export function insert(folder: string, mutant: Mutant): void {
  const file = join(folder, mutant.file);
  writeFileSync(file, withFault(readFileSync(file, 'utf8'), mutant));
}

export function report(rows: readonly (readonly [mutant: Mutant, how: string])[]): boolean {
  const survived = rows.filter(([, how]) => GAPS.includes(how)).map(([{ name }]) => name);
  for (const [{ caughtBy, name }, how] of rows) {
    console.log(`${name}\n    ${caughtBy}: ${how.slice(0, 160)}`);
  }
  const caught = rows.length - survived.length;
  console.log(JSON.stringify({ mutants: rows.length, caught, survived }));
  return survived.length === 0;
}
