// Which tests meet a fault, in which order: first those beside the code and the stories, which
// catch a typical fault in a second or two, then all the other fast ones.

import { globSync } from 'node:fs';
import { dirname } from 'node:path';

/** Tests of code that no fault changes, and the test of the faults themselves. */
const BESIDE_THE_POINT = /^(?:core\/messages|testing\/(?:drills|flows|reference-models))\//;

/** The one slow test that catches faults which no other does. */
const DETERMINISM = 'testing/determinism/determinism.slow.test.ts';

const STORIES = 'testing/scenarios/scenarios.test.ts';

/** Lists of test files: a fault goes to the next list only when it has passed the one before. */
export function stagesFor(folder: string, faultyFile: string): string[][] {
  const tests = globSync('{core,testing}/**/*.test.ts', { cwd: folder })
    .filter((path) => !BESIDE_THE_POINT.test(path))
    .filter((path) => !path.endsWith('.slow.test.ts') || path === DETERMINISM)
    .sort();
  // The engine has many tests, and the stories tell most about it.
  const isEngine = faultyFile.startsWith('core/engine/');
  const isNear = (path: string) =>
    isEngine
      ? path === faultyFile.replace(/\.ts$/, '.test.ts')
      : dirname(path) === dirname(faultyFile);
  const first = [...tests.filter(isNear), STORIES];
  const others = tests.filter((path) => !first.includes(path));
  const isSecond = (path: string) => /^(?:core|testing\/scenarios)\//.test(path);
  return [first, others.filter(isSecond), others.filter((path) => !isSecond(path))];
}
