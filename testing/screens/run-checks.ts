// Runs the checks on a stage and prints the report.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describeFault } from '../../infra/process/index.ts';
import { ALL_CHECKS } from './all-checks.ts';
import { type Check, type Extent, type Figures, isDue, type Lane } from './check.ts';
import { loadAverage } from './load.ts';
import { savePictures } from './pictures.ts';
import { Stage } from './stage.ts';

export interface ChecksOptions {
  readonly extent: Extent;
  /** Parts of check names, comma-separated. */
  readonly only: string;
}

interface Outcome {
  readonly check: Check;
  readonly figures: Figures | undefined;
  readonly hasFailed: boolean;
}

/** Returns true if all checks pass. */
export async function runChecks({ extent, only }: ChecksOptions): Promise<boolean> {
  const beganMs = performance.now();
  const parts = only.split(',');
  const chosen = ALL_CHECKS.filter(
    (one) => isDue(one, extent) && parts.some((part) => one.name.includes(part)),
  );
  const needsQuiet = (one: Check) => extent !== 'full' || one.needsQuietMarket === true;
  const found: StageReport[] = [];
  for (const hasAgents of [true, false]) {
    const due = chosen.filter((one) => needsQuiet(one) !== hasAgents);
    if (due.length === 0) continue;
    found.push(await runOnStage(due, extent, hasAgents));
  }
  return report(found, (performance.now() - beganMs) / 1_000);
}

interface StageReport {
  readonly outcomes: readonly Outcome[];
  readonly axeSerious: number | undefined;
  readonly violations: readonly string[];
  readonly foreignRequests: readonly string[];
  readonly faults: readonly string[];
}

async function runOnStage(
  checks: readonly Check[],
  extent: Extent,
  hasAgents: boolean,
): Promise<StageReport> {
  const beganMs = performance.now();
  const stage = await Stage.open({ hasAgents, isSmall: extent === 'smoke' });
  const market = hasAgents ? 'agents' : 'one maker';
  console.log(`stage opened (${seconds(beganMs)}), market with ${market}, load ${loadAverage()}`);
  try {
    const of = (lane: Lane) => checks.filter((one) => one.lane === lane);
    const beside = await Promise.all([
      runLane(stage, of('people'), extent),
      runLane(stage, of('views'), extent),
    ]);
    const alone = await runLane(stage, of('alone'), extent);
    const { axeSerious, faults, foreignRequests, violations } = stage;
    const outcomes = [...beside.flat(), ...alone];
    return { outcomes, axeSerious, violations, foreignRequests, faults };
  } finally {
    await stage.close();
  }
}

async function runLane(
  stage: Stage,
  checks: readonly Check[],
  extent: Extent,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const check of checks) {
    const beganMs = performance.now();
    try {
      const figures = await check.run(stage, { extent });
      outcomes.push({ check, figures, hasFailed: false });
      const text = figures === undefined ? '' : JSON.stringify(figures);
      console.log(`ok     ${check.name} (${seconds(beganMs)}) ${text}`);
    } catch (fault) {
      outcomes.push({ check, figures: undefined, hasFailed: true });
      console.log(`FAILED ${check.name} (${seconds(beganMs)})\n${describeFault(fault)}`);
      for (const file of await picturesOfPages(stage)) console.log(`  picture ${file}`);
    }
  }
  return outcomes;
}

const FAILED_FOLDER = join(import.meta.dirname, '../../tmp/screens-failed');
const PICTURE_WITHIN_MS = 10_000;

/** Takes pictures of all open pages when a check fails, including pages of concurrent checks. */
export async function picturesOfPages(stage: Stage): Promise<string[]> {
  mkdirSync(FAILED_FOLDER, { recursive: true });
  const pages = stage.browser.contexts().flatMap((context) => context.pages());
  const taken = pages.map(async (page, at) => {
    const path = join(FAILED_FOLDER, `${Date.now()}-${at}.png`);
    await page.screenshot({ path, timeout: PICTURE_WITHIN_MS });
    return path;
  });
  const ends = await Promise.allSettled(taken);
  return ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
}

function seconds(beganMs: number): string {
  return `${((performance.now() - beganMs) / 1_000).toFixed(1)} s`;
}

/** Takes pictures of all screens in all looks. */
export async function takePictures(): Promise<boolean> {
  const stage = await Stage.open({ hasAgents: true });
  try {
    const pictures = await savePictures(stage);
    console.log(JSON.stringify({ pictures }));
    return true;
  } finally {
    await stage.close();
  }
}

function report(found: readonly StageReport[], took: number): boolean {
  const outcomes = found.flatMap((one) => one.outcomes);
  const violations = found.flatMap((one) => one.violations);
  const foreignRequests = found.flatMap((one) => one.foreignRequests);
  const faults = found.flatMap((one) => one.faults);
  for (const one of new Set([...violations, ...foreignRequests, ...faults]))
    console.log(`! ${one}`);
  const failed = outcomes.filter(({ hasFailed }) => hasFailed).length;
  console.log(
    JSON.stringify({
      checks: outcomes.length,
      journeys: outcomes.filter(({ check }) => check.isJourney === true).length,
      failed,
      axeSerious: found.find((one) => one.axeSerious !== undefined)?.axeSerious,
      cspViolations: violations.length,
      foreignRequests: foreignRequests.length,
      pageFaults: faults.length,
      ...Object.assign({}, ...outcomes.map(({ figures }) => figures)),
      loadAverage: loadAverage(),
      seconds: Number(took.toFixed(1)),
    }),
  );
  return failed + violations.length + foreignRequests.length + faults.length === 0;
}
