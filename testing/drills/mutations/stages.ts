// The tests for a fault, in stages: first those that detect a typical fault within seconds, then
// the others. The core has fast tests and scenarios; the domain has tests on a real PostgreSQL.

import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Tests of code that no fault changes, and the test of the faults themselves. */
const IRRELEVANT = /^(?:core\/messages|testing\/(?:drills|flows|reference-models))\//;

/** The one slow test that catches faults which no other does. */
const DETERMINISM = 'testing/determinism/determinism.slow.test.ts';

const SCENARIOS = 'testing/scenarios/scenarios.test.ts';

/** Lists of test files: the next list runs only if all tests of the previous one passed. */
export function stagesFor(folder: string, faultyFile: string): string[][] {
  return faultyFile.startsWith('core/')
    ? stagesOfCore(folder, faultyFile)
    : stagesOfDomain(folder, faultyFile);
}

/** Tests that import the file, then those beside it: rules over tables need a real PostgreSQL. */
function stagesOfDomain(folder: string, faultyFile: string): string[][] {
  const home = dirname(faultyFile);
  const paths = [`'./${basename(faultyFile)}'`, `/${basename(home)}/${basename(faultyFile)}'`];
  const isFirst = (path: string) => {
    if (basename(path).startsWith(`${basename(faultyFile, '.ts')}.`)) return true;
    const text = readFileSync(join(folder, path), 'utf8');
    return text.includes(paths[1]) || (dirname(path) === home && text.includes(paths[0]));
  };
  const tests = globSync('domain/*/*.test.ts', { cwd: folder }).sort();
  const first = tests.filter(isFirst);
  const others = tests.filter((path) => dirname(path) === home && !first.includes(path));
  return [first, others].filter(({ length }) => length > 0);
}

function stagesOfCore(folder: string, faultyFile: string): string[][] {
  const tests = globSync('{core,testing}/**/*.test.ts', { cwd: folder })
    .filter((path) => !IRRELEVANT.test(path))
    .filter((path) => !path.endsWith('.slow.test.ts') || path === DETERMINISM)
    .sort();
  // The engine has many tests; the scenarios cover most of it.
  const isEngine = faultyFile.startsWith('core/engine/');
  const isNear = (path: string) =>
    isEngine
      ? path === faultyFile.replace(/\.ts$/, '.test.ts')
      : dirname(path) === dirname(faultyFile);
  const first = [...tests.filter(isNear), SCENARIOS];
  const others = tests.filter((path) => !first.includes(path));
  const isSecond = (path: string) => /^(?:core|testing\/scenarios)\//.test(path);
  return [first, others.filter(isSecond), others.filter((path) => !isSecond(path))];
}
