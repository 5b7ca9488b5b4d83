// Tree of the base commit: a temporary git worktree with the packages and workloads of the working
// tree. It must be removed at the end, even after a failure or an interrupt.

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ToolFault } from '../../command-line.ts';

/** The same code must do the work on both trees: the workloads and the flows that they use. */
const COPIED = 'tools/bench';
const INTERRUPTED = 130;

interface BaseTree {
  readonly root: string;
  readonly base: string;
}

/** Returns the full name of the commit. Throws a ToolFault if there is no such commit. */
export function commitOf({ base, root }: BaseTree): string {
  try {
    return git(root, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${base}^{commit}`);
  } catch (cause) {
    throw new ToolFault(`'${base}' is not a commit of this repository.`, { cause });
  }
}

export async function withBaseTree<Result>(
  { base, root }: BaseTree,
  work: (tree: string) => Promise<Result>,
): Promise<Result> {
  const commit = commitOf({ base, root });
  const folder = mkdtempSync(join(tmpdir(), 'rialto-regress-'));
  const tree = join(folder, 'base');
  const remove = () => {
    if (existsSync(tree)) git(root, 'worktree', 'remove', '--force', tree);
    rmSync(folder, { recursive: true, force: true });
  };
  const interrupt = () => {
    remove();
    process.exit(INTERRUPTED);
  };
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    git(root, 'worktree', 'add', '--quiet', '--detach', tree, commit);
    rmSync(join(tree, COPIED), { recursive: true, force: true });
    cpSync(join(root, COPIED), join(tree, COPIED), { recursive: true });
    const packages = join(root, 'node_modules');
    if (existsSync(packages)) symlinkSync(packages, join(tree, 'node_modules'));
    return await work(tree);
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
    remove();
  }
}

function git(root: string, ...words: string[]): string {
  return execFileSync('git', words, { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim();
}
