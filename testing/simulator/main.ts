// `npm run simulate -- [--seed N] [--schedules K] [--trace]`: runs K schedules from seed N on, and
// stops at the first that violates something. The last line of standard output is one JSON object.

import { parseArgs } from 'node:util';
import { runSchedule, type ScheduleResult } from './schedule.ts';

const PROGRESS_MS = 5_000;
const TAIL_LINES = 120;
/** What came of it; all the rest that is counted was done on purpose. */
const OUTCOMES = [
  'crashes',
  'takeovers',
  'snapshots',
  'poison_met',
  'ended_stopped',
  'ended_fenced',
  'ended_halted',
];

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    schedules: { type: 'string', default: '1000' },
    trace: { type: 'boolean', default: false },
  },
});

const first = wholeNumber('seed');
const schedules = wholeNumber('schedules');
const begun = performance.now();
const totals = new Map<string, number>();
let commands = 0;
let answered = 0;
let frames = 0;
let done = 0;
let violated: ScheduleResult | undefined;
let told = begun;

while (done < schedules && violated === undefined) {
  const result = runSchedule({ seed: first + done, isTraced: values.trace });
  done++;
  if (values.trace) for (const line of result.trace) console.log(line);
  if (result.violations.length > 0) violated = result;
  commands += result.commands;
  answered += result.answered;
  frames += result.frames;
  for (const [kind, count] of result.counts) totals.set(kind, (totals.get(kind) ?? 0) + count);
  if (performance.now() - told > PROGRESS_MS) {
    told = performance.now();
    console.log(`${done} of ${schedules} schedules`);
  }
}

if (violated !== undefined) {
  report(violated);
  process.exitCode = 1;
}
const seconds = (performance.now() - begun) / 1_000;
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
      [...totals].filter(([kind]) => !OUTCOMES.includes(kind)).sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
    seconds: Math.round(seconds * 10) / 10,
    schedulesPerMinute: Math.round((60 * done) / seconds),
  }),
);

/** The same seed again, with its trace: it does exactly the same. */
function report({ seed }: ScheduleResult): void {
  const again = runSchedule({ seed, isTraced: true });
  console.log(`\nseed ${seed} violates:`);
  for (const violation of again.violations) console.log(`  ${violation}`);
  if (!values.trace) for (const line of again.trace.slice(-TAIL_LINES)) console.log(line);
  console.log(`\nreplay it: npm run simulate -- --seed ${seed} --schedules 1 --trace`);
}

function wholeNumber(name: 'seed' | 'schedules'): number {
  const number = Number(values[name]);
  if (!Number.isSafeInteger(number) || number < 1) {
    console.error(`--${name} must be a whole number from 1 on`);
    process.exit(2);
  }
  return number;
}
