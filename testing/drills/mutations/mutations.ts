// The mutation drill: puts one deliberate fault at a time into a copy of the core and lets the
// fast tests meet it. A fault that no test notices is a hole in the tests.

import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Random } from '../../flows/index.ts';
import { type Fault, occurrencesOf } from './fault.ts';
import { FAULTS } from './faults.ts';
import { firstFailure } from './run-tests.ts';
import { stagesFor } from './stages.ts';
import { openWorkshop, REPOSITORY } from './working-copy.ts';

/** A sample that takes well under a minute, the same every time. */
const QUICK_FAULTS = 20;
const QUICK_SEED = 7;

/** A list of tests takes a few seconds; a fault that makes it take this long has been noticed. */
const TIMEOUT_MS = 60_000;

export async function run({ quick }: { quick: boolean }): Promise<Record<string, unknown>> {
  const started = performance.now();
  for (const fault of FAULTS) {
    const count = occurrencesOf(readFileSync(join(REPOSITORY, fault.file), 'utf8'), fault);
    if (count !== 1) throw new Error(`${fault.file} has ${count} places for '${fault.name}'`);
  }
  const faults = quick ? sampleOf(FAULTS) : FAULTS;
  const survived: string[] = [];
  const soundTests = new SoundTests();
  try {
    await soundTests.check(faults.flatMap(({ file }) => stagesFor(REPOSITORY, file)[0]));
    const waiting = [...faults];
    const lanes = Array.from({ length: Math.min(2, availableParallelism()) }, async () => {
      for await (const { fault, caughtBy, seconds } of meetFaults(waiting, soundTests)) {
        if (caughtBy === undefined) survived.push(fault.name);
        console.log(`${fault.name}\n    ${caughtBy ?? 'SURVIVED'} (${seconds} s)`);
      }
    });
    await Promise.all(lanes);
  } finally {
    soundTests.remove();
  }
  if (survived.length > 0) process.exitCode = 1;
  const caught = faults.length - survived.length;
  return { faults: faults.length, caught, survived, seconds: secondsSince(started) };
}

interface Met {
  readonly fault: Fault;
  readonly caughtBy: string | undefined;
  readonly seconds: number;
}

/** Takes faults from those that wait, one after the other, into a workshop of its own. */
async function* meetFaults(waiting: Fault[], soundTests: SoundTests): AsyncGenerator<Met> {
  const workshop = openWorkshop();
  const { folder } = workshop;
  try {
    for (let fault = waiting.shift(); fault !== undefined; fault = waiting.shift()) {
      const begun = performance.now();
      let caughtBy: string | undefined;
      for (const files of stagesFor(folder, fault.file)) {
        await soundTests.check(files);
        caughtBy = await workshop.withFault(fault, () => firstFailure(folder, files, TIMEOUT_MS));
        if (caughtBy !== undefined) break;
      }
      yield { fault, caughtBy, seconds: secondsSince(begun) };
    }
  } finally {
    workshop.remove();
  }
}

/** Sees to it that tests pass without any fault: a broken one would seem to catch everything. */
class SoundTests {
  readonly #workshop = openWorkshop();
  readonly #checks = new Map<string, Promise<string | undefined>>();

  async check(files: readonly string[]): Promise<void> {
    const unknown = [...new Set(files)].filter((file) => !this.#checks.has(file));
    if (unknown.length > 0) {
      const check = firstFailure(this.#workshop.folder, unknown, TIMEOUT_MS);
      for (const file of unknown) this.#checks.set(file, check);
    }
    for (const failure of await Promise.all(files.map((file) => this.#checks.get(file)))) {
      if (failure !== undefined) throw new Error(`without any fault there fails ${failure}`);
    }
  }

  remove(): void {
    this.#workshop.remove();
  }
}

function secondsSince(begun: number): number {
  return Math.round((performance.now() - begun) / 100) / 10;
}

function sampleOf(faults: readonly Fault[]): Fault[] {
  const random = new Random(QUICK_SEED);
  const sample = new Set<Fault>();
  while (sample.size < Math.min(QUICK_FAULTS, faults.length)) sample.add(random.pick(faults));
  return faults.filter((fault) => sample.has(fault));
}
