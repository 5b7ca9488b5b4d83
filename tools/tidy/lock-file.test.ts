// The lock file has a checksum for every package that a release contains or that builds one, and
// names no registry.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const LOCK = join(import.meta.dirname, '../../package-lock.json');

interface LockedPackage {
  readonly integrity?: string;
  readonly resolved?: string;
  /** One or more names; `!win32` means all others. */
  readonly os?: string | readonly string[];
  readonly cpu?: string | readonly string[];
}

const { packages }: { readonly packages: Readonly<Record<string, LockedPackage>> } = JSON.parse(
  readFileSync(LOCK, 'utf8'),
);
const locked = Object.entries(packages).filter(([path]) => path !== '');

/** Releases are built and run on Linux, on these processors. */
const CPUS = ['x64', 'arm64'];

function isForReleases({ cpu = CPUS, os = 'linux' }: LockedPackage): boolean {
  return admits(os, 'linux') && CPUS.some((one) => admits(cpu, one));
}

function admits(named: string | readonly string[], name: string): boolean {
  const names = [named].flat();
  return names.some((one) => one.startsWith('!'))
    ? !names.includes(`!${name}`)
    : names.includes(name);
}

test('every package that Linux installs has a SHA-512', () => {
  const needed = locked.filter(([, one]) => isForReleases(one));
  assert.ok(needed.length > 400, `${needed.length} packages`);
  const open = needed.filter(([, { integrity = '' }]) => !/^sha512-[\w+/]{86}==$/.test(integrity));
  assert.deepEqual(
    open.map(([path]) => path),
    [],
  );
});

test('a package without a checksum is for another system by its own metadata', () => {
  const open = locked.filter(([, { integrity }]) => integrity === undefined);
  for (const [path, one] of open) assert.ok(!isForReleases(one), path);
});

test("no package names a registry, so npm uses the machine's", () => {
  const named = locked.filter(([, { resolved }]) => resolved !== undefined);
  assert.deepEqual(named, []);
});
