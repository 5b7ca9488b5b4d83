// Injects one fault after another while a prober sends commands, and measures for each the longest
// time without an acknowledgment and the leader changes.

import type { LogStage } from './log-stage.ts';
import type { Prober } from './prober.ts';

export interface ProbedStage {
  readonly log: LogStage;
  readonly prober: Prober;
}

export interface StagedFault<Stage extends ProbedStage> {
  readonly name: string;
  /** Undefined if every machine can stage it. */
  isPossible?(stage: Stage): boolean;
  /**
   * Starts and ends the fault. Resolves with the time during which nothing could be acknowledged,
   * regardless of the sequencers.
   */
  strike(stage: Stage, options: { readonly quick: boolean }): Promise<number>;
}

export interface Struck<Fault> {
  readonly fault: Fault;
  readonly gapMs: number;
  /** Part of the gap that the fault itself takes. */
  readonly ownMs: number;
  readonly leaderChanges: number;
}

export async function strikeFaults<Stage extends ProbedStage, Fault extends StagedFault<Stage>>(
  stage: Stage,
  faults: readonly Fault[],
  options: { readonly quick: boolean },
): Promise<Struck<Fault>[]> {
  const { log, prober } = stage;
  const struck: Struck<Fault>[] = [];
  for (const fault of faults) {
    if (fault.isPossible?.(stage) === false) continue;
    await log.waitUntilPaired();
    const sinceMs = performance.now();
    const { epoch } = prober;
    const ownMs = Math.round(await fault.strike(stage, options));
    await prober.waitUntilResumed();
    const gapMs = prober.longestGapMs(sinceMs);
    await log.waitUntilPaired();
    const leaderChanges = prober.epoch - epoch;
    struck.push({ fault, gapMs, ownMs, leaderChanges });
    console.log(JSON.stringify({ name: fault.name, gapMs, ownMs, leaderChanges }));
  }
  return struck;
}
