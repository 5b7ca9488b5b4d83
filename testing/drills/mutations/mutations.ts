// The mutation drill: inserts one fault at a time into a copy of the core and runs the fast tests
// against it. A fault that no test detects is a gap in the tests.

import { availableParallelism } from 'node:os';
import { Random } from '../../flows/index.ts';
import type { Fault } from './fault.ts';
import { FAULTS } from './faults.ts';
import { firstFailure } from './run-tests.ts';
import { stagesFor } from './stages.ts';
import { openWorkingCopy, textWithFault } from './working-copy.ts';

/** A fixed sample of the faults, for `--quick`. */
const QUICK_FAULTS = 10;
const QUICK_SEED = 7;

/**
 * A stage of tests takes seconds, longer on a busy machine; a fault that hangs counts as detected.
 */
const TIMEOUT_MS = 180_000;
/** Without a fault nothing hangs, and an entire package can be one stage. */
const UNCHANGED_TIMEOUT_MS = 900_000;

export async function run({ quick, only }: Options): Promise<Record<string, unknown>> {
  const started = performance.now();
  // Throws before the first test runs if a fault has lost its place.
  for (const fault of FAULTS) textWithFault(fault);
  const chosen = FAULTS.filter(({ file, name }) => `${file} ${name}`.includes(only));
  const faults = quick ? sampleOf(chosen) : chosen;
  const survived: string[] = [];
  const passingTests = new PassingTests();
  try {
    const remaining = [...faults];
    const lanes = Array.from({ length: Math.min(2, availableParallelism()) }, async () => {
      for await (const { fault, detectedBy, seconds } of testFaults(remaining, passingTests)) {
        if (detectedBy === undefined) survived.push(fault.name);
        console.log(`${fault.name}\n    ${detectedBy ?? 'SURVIVED'} (${seconds} s)`);
      }
    });
    await Promise.all(lanes);
  } finally {
    passingTests.remove();
  }
  if (survived.length > 0) process.exitCode = 1;
  const caught = faults.length - survived.length;
  return { faults: faults.length, caught, survived, seconds: secondsSince(started) };
}

interface Options {
  readonly quick: boolean;
  /** Part of the file or name of the faults to run; empty for all. */
  readonly only: string;
}

interface TestedFault {
  readonly fault: Fault;
  readonly detectedBy: string | undefined;
  readonly seconds: number;
}

/** Takes faults from the shared list, one after another, into its own working copy. */
async function* testFaults(
  remaining: Fault[],
  passingTests: PassingTests,
): AsyncGenerator<TestedFault> {
  const workingCopy = openWorkingCopy();
  const { folder } = workingCopy;
  try {
    for (let fault = remaining.shift(); fault !== undefined; fault = remaining.shift()) {
      const startedAt = performance.now();
      let detectedBy: string | undefined;
      for (const files of stagesFor(folder, fault.file)) {
        await passingTests.check(files);
        detectedBy = await workingCopy.withFault(fault, () =>
          firstFailure(folder, files, TIMEOUT_MS),
        );
        if (detectedBy !== undefined) break;
      }
      yield { fault, detectedBy, seconds: secondsSince(startedAt) };
    }
  } finally {
    workingCopy.remove();
  }
}

/**
 * Checks that tests pass without a fault, because a broken test would appear to detect everything.
 */
class PassingTests {
  readonly #workingCopy = openWorkingCopy();
  readonly #checked = new Set<string>();
  /** One check at a time, because domain tests start their own PostgreSQL. */
  #last: Promise<void> = Promise.resolve();

  check(files: readonly string[]): Promise<void> {
    this.#last = this.#last.then(async () => {
      const unknown = files.filter((file) => !this.#checked.has(file));
      if (unknown.length === 0) return;
      const failure = await firstFailure(this.#workingCopy.folder, unknown, UNCHANGED_TIMEOUT_MS);
      if (failure !== undefined) throw new Error(`a test fails without any fault: ${failure}`);
      for (const file of unknown) this.#checked.add(file);
    });
    return this.#last;
  }

  remove(): void {
    this.#workingCopy.remove();
  }
}

function secondsSince(startedAt: number): number {
  return Math.round((performance.now() - startedAt) / 100) / 10;
}

function sampleOf(faults: readonly Fault[]): Fault[] {
  const random = new Random(QUICK_SEED);
  const sample = new Set<Fault>();
  while (sample.size < Math.min(QUICK_FAULTS, faults.length)) sample.add(random.pick(faults));
  return faults.filter((fault) => sample.has(fault));
}
