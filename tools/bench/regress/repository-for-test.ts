// A small git repository with one workload that only computes. The working tree can be changed
// after the commit. Only tests import it.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { WORKLOAD_FOLDER } from './workload.ts';

/** Loop steps per window, 5–20 ms. */
export const STEPS = 4_000_000;

const WORKLOAD = `
  import { STEPS } from '../../../../steps.ts';
  export function open() {
    let state = 1;
    return {
      windows: 10,
      restart() {},
      run() {
        for (let at = 0; at < STEPS; at++) state = Math.imul(state ^ at, 0x5bd1e995);
        return state === 0 ? 0 : 1;
      },
    };
  }`;

export function openRepository(t: TestContext) {
  const root = mkdtempSync(join(tmpdir(), 'rialto-repository-'));
  t.after(() => rmSync(root, { recursive: true }));
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...words], {
      cwd: root,
      encoding: 'utf8',
    });
  const write = (path: string, text: string) => writeFileSync(join(root, path), text);
  mkdirSync(join(root, WORKLOAD_FOLDER), { recursive: true });
  write('package.json', '{ "type": "module" }');
  write('steps.ts', `export const STEPS = ${STEPS};`);
  write(join(WORKLOAD_FOLDER, 'burn.bench.ts'), WORKLOAD);
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message', 'base');
  return { root, git, write };
}
