// Installs Debian packages, which needs root. Their servers are not started, because tests and
// tools start the programs that they need.

import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { runProgram } from './run-program.ts';

const ATTEMPTS_MAX = 3;
const LOCK_TIMEOUT_MS = 300_000;
const PAUSE_MS = 3_000;
const IS_LOCKED = /could not get lock|unable to (?:lock|acquire)/i;

export interface Installation {
  readonly packages: readonly string[];
  /** Returns the result for the caller; undefined if it is not installed yet. */
  find(): Promise<string | undefined> | string | undefined;
  /** Collects the reasons for failed attempts. */
  readonly tried: string[];
}

/** Returns undefined if all attempts failed. */
export async function installDebian(wanted: Installation): Promise<string | undefined> {
  const { find, packages, tried } = wanted;
  if (process.getuid?.() !== 0) {
    tried.push('installation: needs root');
    return undefined;
  }
  // Another process might be installing packages; on a new machine, the system itself.
  const deadlineMs = performance.now() + LOCK_TIMEOUT_MS;
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; ) {
    const reason = await withoutStarts(() => runApt(packages));
    const installed = await find();
    if (installed !== undefined) return installed;
    const isLocked = IS_LOCKED.test(reason ?? '');
    if (!isLocked || performance.now() > deadlineMs) {
      tried.push(`installation ${attempt} of ${ATTEMPTS_MAX}: ${reason ?? 'no effect'}`);
      attempt += 1;
    }
    await delay(PAUSE_MS);
  }
  return undefined;
}

async function runApt(packages: readonly string[]): Promise<string | undefined> {
  const options = ['-y', '-o', 'Acquire::Retries=2', '-o', 'DPkg::Lock::Timeout=120'];
  const steps = [['update'], ['install', '--no-install-recommends', ...packages]];
  for (const step of steps) {
    const { succeeded, output } = await runProgram('apt-get', [...options, ...step], {
      environment: { DEBIAN_FRONTEND: 'noninteractive' },
      timeoutMs: 600_000,
    });
    const end = output.trim().split('\n').slice(-3).join(' / ');
    if (!succeeded) return `apt-get ${step.join(' ')} failed: ${end}`;
  }
  return undefined;
}

const START_POLICY = '/usr/sbin/policy-rc.d';

/** Debian runs this program before it starts a server; 101 prevents the start. */
async function withoutStarts<Result>(work: () => Promise<Result>): Promise<Result> {
  if (existsSync(START_POLICY)) return work();
  writeFileSync(START_POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    return await work();
  } finally {
    rmSync(START_POLICY, { force: true });
  }
}
