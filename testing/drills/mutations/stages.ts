// Tests for a fault, in stages: first those that detect a typical fault within seconds, then the
// others. The core has fast tests and scenarios; the domain has tests on a real PostgreSQL.

import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Tests of code that no fault changes, and the test of the faults themselves. */
const IRRELEVANT = /^(?:core\/messages|testing\/(?:drills|flows|reference-models))\//;

/** The only slow test, for faults that no other test detects. */
const DETERMINISM = 'testing/determinism/determinism.slow.test.ts';

const SCENARIOS = 'testing/scenarios/scenarios.test.ts';

/** Returns lists of test files; the next list runs only if all tests of the previous one passed. */
export function stagesFor(folder: string, faultyFile: string): string[][] {
  return faultyFile.startsWith('core/')
    ? stagesOfCore(folder, faultyFile)
    : stagesOfDomain(folder, faultyFile);
}

/**
 * The file's test, tests that import it, tests in its folder, and the package's tests over recorded
 * events and over HTTP. Most need a real PostgreSQL.
 */
function stagesOfDomain(folder: string, faultyFile: string): string[][] {
  const home = dirname(faultyFile);
  const isOwn = (path: string) => path.startsWith(`${faultyFile.slice(0, -'.ts'.length)}.`);
  const imports = (path: string) => {
    const text = readFileSync(join(folder, path), 'utf8');
    const targets = text.matchAll(/'(\.\.?\/[^']*\.ts)'/g);
    return targets.some(([, target]) => join(dirname(path), target) === faultyFile);
  };
  const homes = [
    '{features,platform}/{*,*/*}',
    'infra/*',
    'protocol',
    'services/{*,*/*}',
    'tools/*/*',
  ];
  const places = `{${homes.join()},testing/identity,testing/projections}/*.test.ts`;
  const tests = globSync(places, { cwd: folder }).sort();
  const isBeside = (path: string) => dirname(path) === home;
  const ofPackage = `${basename(home)}.slow.test.ts`;
  const isOverHttp = (path: string) => path === `testing/identity/${ofPackage}`;
  const isOverEvents = (path: string) => path === `testing/projections/${ofPackage}`;
  const kinds = [isOwn, imports, isBeside, isOverEvents, isOverHttp];
  const stages = kinds.map((isWanted) => tests.filter(isWanted));
  const isNew = (path: string, at: number) =>
    stages.slice(0, at).every((earlier) => !earlier.includes(path));
  return stages
    .map((stage, at) => stage.filter((path) => isNew(path, at)))
    .filter(({ length }) => length > 0);
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
