// Runs the checks on one stage and prints the report.

import { describeFault } from '../../infra/process/index.ts';
import { accessibility } from './accessibility.ts';
import type { Check, Figures } from './check.ts';
import { journeys } from './journeys.ts';
import { savePictures } from './pictures.ts';
import { Stage } from './stage.ts';
import { stylesheet } from './stylesheet.ts';
import { weight } from './weight.ts';
import { widths } from './widths.ts';

const CHECKS: readonly Check[] = [weight, ...stylesheet, ...journeys, accessibility, widths];
const MID_PRICE = 60_000;

export interface ChecksOptions {
  readonly quick: boolean;
  readonly only: string;
}

/** True if all checks pass. */
export async function runChecks({ only, quick: isQuick }: ChecksOptions): Promise<boolean> {
  const isDue = (one: Check) => (isQuick ? one.isQuick : one.needsQuietMarket !== true);
  const chosen = CHECKS.filter((one) => isDue(one) && one.name.includes(only));
  const stage = await openStage(isQuick);
  let figures: Figures = {};
  const failed: string[] = [];
  try {
    for (const check of chosen) {
      const beganMs = performance.now();
      const end = () => `${((performance.now() - beganMs) / 1_000).toFixed(1)} s`;
      try {
        const found = await check.run(stage, { isQuick });
        figures = { ...figures, ...found };
        console.log(`ok     ${check.name} (${end()}) ${found ? JSON.stringify(found) : ''}`);
      } catch (fault) {
        failed.push(check.name);
        console.log(`FAILED ${check.name} (${end()})\n${describeFault(fault)}`);
      }
    }
    return report(stage, { chosen, failed, figures });
  } finally {
    await stage.close();
  }
}

/** Takes the pictures of all screens and looks. */
export async function takePictures(): Promise<boolean> {
  const stage = await openStage(false);
  try {
    const pictures = await savePictures(stage);
    console.log(JSON.stringify({ pictures }));
    return true;
  } finally {
    await stage.close();
  }
}

async function openStage(isQuick: boolean): Promise<Stage> {
  const stage = await Stage.open({ isQuick });
  if (isQuick) {
    await stage.market.quote(MID_PRICE);
    stage.market.start(MID_PRICE);
  }
  return stage;
}

interface Outcome {
  readonly chosen: readonly Check[];
  readonly failed: readonly string[];
  readonly figures: Figures;
}

function report(stage: Stage, { chosen, failed, figures }: Outcome): boolean {
  const { faults, foreignRequests, violations } = stage;
  for (const one of new Set([...violations, ...foreignRequests, ...faults]))
    console.log(`! ${one}`);
  console.log(
    JSON.stringify({
      checks: chosen.length,
      journeys: chosen.filter(({ isJourney }) => isJourney === true).length,
      failed: failed.length,
      axeSerious: stage.axeSerious,
      cspViolations: violations.length,
      foreignRequests: foreignRequests.length,
      pageFaults: faults.length,
      ...figures,
    }),
  );
  const isClean = violations.length + foreignRequests.length + faults.length === 0;
  return failed.length === 0 && isClean;
}
