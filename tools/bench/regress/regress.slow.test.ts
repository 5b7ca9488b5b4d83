// Whole comparisons in real processes: planted slowdowns are found, equal trees are not reported,
// and a workload that the base cannot run is not a failure.

import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { regress } from './regress.ts';
import { openRepository, STEPS } from './repository-for-test.ts';

async function compare(t: TestContext, stepsNow: number) {
  const { root, write } = openRepository(t);
  write('steps.ts', `export const STEPS = ${stepsNow};`);
  return compareBurn(root);
}

async function compareBurn(root: string) {
  const measured = { workloads: ['burn'], rounds: 2, windowsPerRound: 30 };
  const { workloads } = await regress({ root, base: 'HEAD', ...measured });
  const { exitCode } = process;
  process.exitCode = undefined;
  return { result: workloads.burn, exitCode };
}

test('equal trees have a ratio of about 1 and pass', async (t) => {
  const { exitCode, result } = await compare(t, STEPS);
  assert.ok('ratio' in result);
  assert.ok(result.ratio > 0.97 && result.ratio < 1.03, JSON.stringify(result));
  assert.deepEqual([result.windows, exitCode], [60, undefined]);
});

test('a slowdown of 8% is reported with an interval above 1', async (t) => {
  const { result } = await compare(t, 1.08 * STEPS);
  assert.ok('ratio' in result);
  assert.ok(result.low > 1 && result.ratio > 1.04, JSON.stringify(result));
  assert.ok(result.low <= result.ratio && result.ratio <= result.high, JSON.stringify(result));
});

test('a slowdown of 15% fails the run', async (t) => {
  const { exitCode, result } = await compare(t, 1.15 * STEPS);
  assert.ok('ratio' in result);
  assert.ok(result.low > 1.05, JSON.stringify(result));
  assert.equal(exitCode, 1);
});

test('a workload whose imports the base does not have is not comparable and passes', async (t) => {
  const { git, root, write } = openRepository(t);
  git('rm', '--quiet', 'steps.ts');
  git('commit', '--quiet', '--message', 'without the imported file');
  write('steps.ts', `export const STEPS = ${STEPS};`);
  const { exitCode, result } = await compareBurn(root);
  assert.ok('notComparable' in result);
  assert.match(result.notComparable, /Cannot find module/);
  assert.equal(exitCode, undefined);
});
