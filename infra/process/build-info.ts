// The build that runs: the version of the package, and the commit that the packager set or, in a
// working copy, git knows.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export interface BuildInfo {
  readonly version: string;
  /** `unknown` if neither the setting nor git has it. */
  readonly commit: string;
}

const REPOSITORY = resolve(import.meta.dirname, '../..');
const GIT_TIMEOUT_MS = 1_000;

/** `commit` is the setting of a packager; a working copy needs none. */
export function readBuildInfo(commit?: string): BuildInfo {
  const { version } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8'));
  return { version, commit: commit ?? commitOfGit() };
}

function commitOfGit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], {
      cwd: REPOSITORY,
      encoding: 'utf8',
      timeout: GIT_TIMEOUT_MS,
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return 'unknown';
  }
}
