// The base commit's tree has the base's code and the current workloads, and is always removed.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { withBaseTree } from './base-tree.ts';
import { openRepository } from './repository-for-test.ts';
import { WORKLOAD_FOLDER } from './workload.ts';

test('the base tree has the code of the commit and the current workloads', async (t) => {
  const { git, root, write } = openRepository(t);
  write('steps.ts', 'export const STEPS = 7;');
  write(join(WORKLOAD_FOLDER, 'burn.bench.ts'), '// changed');
  const tree = await withBaseTree({ root, base: 'HEAD' }, async (tree) => {
    assert.match(readFileSync(join(tree, 'steps.ts'), 'utf8'), /STEPS = 4000000/);
    const workload = readFileSync(join(tree, WORKLOAD_FOLDER, 'burn.bench.ts'), 'utf8');
    assert.equal(workload, '// changed');
    return tree;
  });
  assert.equal(existsSync(join(tree, '..')), false);
  assert.equal(git('worktree', 'list').trim().split('\n').length, 1);
});

test('the base tree is removed after a failure', async (t) => {
  const { git, root } = openRepository(t);
  let tree = '';
  const failing = withBaseTree({ root, base: 'HEAD' }, async (path) => {
    tree = path;
    throw new Error('the work failed');
  });
  await assert.rejects(failing, /the work failed/);
  assert.equal(existsSync(join(tree, '..')), false);
  assert.equal(git('worktree', 'list').trim().split('\n').length, 1);
});

test('a base that is not a commit is rejected in one sentence', async (t) => {
  const { root } = openRepository(t);
  const missing = withBaseTree({ root, base: 'no-such-tag' }, async () => {});
  await assert.rejects(missing, {
    name: 'ToolFault',
    message: "'no-such-tag' is not a commit of this repository.",
  });
});
