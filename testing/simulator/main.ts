// `npm run simulate`: runs schedules of the simulator, starting at a seed, and stops at the first
// violation. The last line of standard output is one JSON object.

import { EXIT_FAILED, EXIT_OK, runTool, wholeNumber } from '../../tools/command-line.ts';
import { hasPart } from './run-trials.ts';
import { runSchedule, type ScheduleResult } from './schedule.ts';
import { planOf } from './world.ts';

const PROGRESS_MS = 5_000;
const TAIL_LINES = 120;
/** Outcome counts; all other counts are injected faults. */
const OUTCOMES = [
  'crashes',
  'takeovers',
  'snapshots',
  'poison_met',
  'ended_stopped',
  'ended_fenced',
  'ended_halted',
  'rules_raised',
  'rules_refused',
  'trades_by_next_rules',
  'careless_found',
  'live_switches',
];

await runTool({
  usage: `Usage: npm run simulate -- [--seed N] [--schedules K] [--with PART] [--trace]

Runs sequencers, clients and log in virtual time with injected faults, and stops
at the first schedule with a violation. The same seed gives the same schedule.

  --seed N        the seed of the first schedule (default 1)
  --schedules K   how many schedules (default 1000)
  --with PART     only schedules with this trial, release ('next', 'careless') or 'floods'
  --trace         print everything that happens`,
  options: {
    seed: { type: 'string', default: '1' },
    schedules: { type: 'string', default: '1000' },
    with: { type: 'string', default: '' },
    trace: { type: 'boolean', default: false },
  },
  run({ values }) {
    const first = wholeNumber('seed', values.seed, { min: 1 });
    const schedules = wholeNumber('schedules', values.schedules, { min: 1 });
    return simulate({ first, schedules, part: values.with, isTraced: values.trace });
  },
});

interface Plan {
  readonly first: number;
  readonly schedules: number;
  /** Only schedules with this part; all if empty. */
  readonly part: string;
  readonly isTraced: boolean;
}

async function simulate({ first, isTraced, part, schedules }: Plan): Promise<number> {
  const startedMs = performance.now();
  const totals = new Map<string, number>();
  const gaps = new Map<string, number>();
  let commands = 0;
  let answered = 0;
  let frames = 0;
  let done = 0;
  let violated: ScheduleResult | undefined;
  let printedMs = startedMs;

  for (let seed = first; done < schedules && violated === undefined; seed++) {
    if (part !== '' && !hasPart(planOf(seed), part)) continue;
    const result = await runSchedule({ seed, isTraced });
    done++;
    if (isTraced) for (const line of result.trace) console.log(line);
    if (result.violations.length > 0) violated = result;
    commands += result.commands;
    answered += result.answered;
    frames += result.frames;
    for (const [trial, ms] of result.longestGaps)
      gaps.set(trial, Math.max(gaps.get(trial) ?? 0, ms));
    for (const [kind, count] of result.counts) totals.set(kind, (totals.get(kind) ?? 0) + count);
    if (performance.now() - printedMs > PROGRESS_MS) {
      printedMs = performance.now();
      console.log(`${done} of ${schedules} schedules`);
    }
  }

  if (violated !== undefined) await report(violated, isTraced);
  const seconds = (performance.now() - startedMs) / 1_000;
  console.log(
    JSON.stringify({
      schedules: done,
      violations: violated === undefined ? 0 : 1,
      ...(violated === undefined ? undefined : { failingSeed: violated.seed }),
      commands,
      answered,
      frames,
      ...Object.fromEntries(OUTCOMES.map((kind) => [kind, totals.get(kind) ?? 0])),
      faultsInjected: Object.fromEntries(
        [...totals]
          .filter(([kind]) => !OUTCOMES.includes(kind))
          .sort(([a], [b]) => (a < b ? -1 : 1)),
      ),
      longestGapMs: Object.fromEntries(gaps),
      seconds: Math.round(seconds * 10) / 10,
      schedulesPerMinute: Math.round((60 * done) / seconds),
    }),
  );
  return violated === undefined ? EXIT_OK : EXIT_FAILED;
}

/** Runs the same seed again with its trace; the schedule is identical. */
async function report({ seed }: ScheduleResult, isTraced: boolean): Promise<void> {
  const again = await runSchedule({ seed, isTraced: true });
  console.log(`\nseed ${seed} has violations:`);
  for (const violation of again.violations) console.log(`  ${violation}`);
  if (!isTraced) for (const line of again.trace.slice(-TAIL_LINES)) console.log(line);
  console.log(`\nreplay it: npm run simulate -- --seed ${seed} --schedules 1 --trace`);
}
