// Runs the console checks on a separate stage and prints the report.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describeFault } from '../../../infra/process/index.ts';
import { loadAverage } from '../load.ts';
import { CONSOLE_CHECKS } from './console-checks.ts';
import { type ConsoleCheck, ConsoleStage } from './console-stage.ts';

const FAILED_FOLDER = join(import.meta.dirname, '../../../tmp/screens-failed');
const PICTURE_WITHIN_MS = 10_000;

/** Returns true if all checks whose names contain one of the words pass. */
export async function runConsoleChecks(only: string): Promise<boolean> {
  const words = only.split(',');
  const chosen = CONSOLE_CHECKS.filter(({ name }) => words.some((word) => name.includes(word)));
  const beganMs = performance.now();
  const stage = await ConsoleStage.open();
  console.log(`stage opened (${seconds(beganMs)}), load ${loadAverage()}`);
  const figures: Record<string, number> = {};
  let failed = 0;
  try {
    for (const check of chosen) {
      const found = await runOne(stage, check);
      if (found === undefined) failed += 1;
      else Object.assign(figures, found);
    }
  } finally {
    await stage.close();
  }
  const { faults, foreignRequests, violations } = stage;
  for (const one of new Set([...violations, ...foreignRequests, ...faults]))
    console.log(`! ${one}`);
  console.log(
    JSON.stringify({
      checks: chosen.length,
      journeys: chosen.filter(({ isJourney }) => isJourney === true).length,
      failed,
      cspViolations: violations.length,
      foreignRequests: foreignRequests.length,
      pageFaults: faults.length,
      ...figures,
      loadAverage: loadAverage(),
      seconds: Number(((performance.now() - beganMs) / 1_000).toFixed(1)),
    }),
  );
  return failed + violations.length + foreignRequests.length + faults.length === 0;
}

async function runOne(
  stage: ConsoleStage,
  check: ConsoleCheck,
): Promise<Readonly<Record<string, number>> | undefined> {
  const beganMs = performance.now();
  try {
    const figures = (await check.run(stage)) ?? {};
    console.log(`ok     ${check.name} (${seconds(beganMs)}) ${JSON.stringify(figures)}`);
    return figures;
  } catch (fault) {
    console.log(`FAILED ${check.name} (${seconds(beganMs)})\n${describeFault(fault)}`);
    await savePages(stage);
    return undefined;
  } finally {
    for (const context of stage.browser.contexts()) await context.close();
  }
}

/** Saves pictures of a failed check's open pages. */
async function savePages({ browser }: ConsoleStage): Promise<void> {
  mkdirSync(FAILED_FOLDER, { recursive: true });
  const pages = browser.contexts().flatMap((context) => context.pages());
  for (const [at, page] of pages.entries()) {
    const path = join(FAILED_FOLDER, `console-${Date.now()}-${at}.png`);
    await page.screenshot({ path, timeout: PICTURE_WITHIN_MS }).catch(() => undefined);
    console.log(`  picture ${path}`);
  }
}

function seconds(beganMs: number): string {
  return `${((performance.now() - beganMs) / 1_000).toFixed(1)} s`;
}
