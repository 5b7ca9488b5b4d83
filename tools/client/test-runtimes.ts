// Runtimes for testing the published client: other Node releases, downloaded once into the cache
// and verified by hash, and a Chromium, found on the machine or installed with apt-get.

import { hash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { cacheFolder } from '../services/install-nats.ts';
import { runProgram } from '../services/run-program.ts';
import packages from './node-packages.json' with { type: 'json' };

interface NodePackage {
  readonly name: string;
  readonly version: string;
  /** Hash of the registry's tarball; a different download is rejected. */
  readonly integrity: string;
}

export type NodeMajor = '22' | '26';

/** npm packages that contain the Node binary, by platform. */
const nodePackages: Readonly<Record<string, Readonly<Record<NodeMajor, NodePackage>>>> = packages;

/** Returns the path of a Node binary of that major version. */
export async function installNode(major: NodeMajor): Promise<string> {
  const platform = `${process.platform}-${process.arch}`;
  const wanted = nodePackages[platform]?.[major];
  if (wanted === undefined) throw new Error(`No Node ${major} is known for ${platform}`);
  const { integrity, name, version } = wanted;
  const cache = cacheFolder(process.env);
  const home = join(cache, `${name}-${version}`);
  const binary = join(home, 'bin/node');
  if (existsSync(binary)) return binary;
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'fetching-'));
  try {
    const packing = ['pack', '--silent', `${name}@${version}`];
    const { output, succeeded } = await runProgram('npm', packing, { folder });
    if (!succeeded) throw new Error(`npm ${packing.join(' ')} failed: ${output}`);
    const archive = join(folder, `${name}-${version}.tgz`);
    const actual = `sha512-${hash('sha512', readFileSync(archive), 'base64')}`;
    if (actual !== integrity) {
      throw new Error(`${name}@${version} has integrity ${actual}, expected ${integrity}`);
    }
    const unpacked = await runProgram('tar', ['-xzf', archive], { folder });
    if (!unpacked.succeeded) throw new Error(`tar failed: ${unpacked.output}`);
    // A rename is atomic: another process sees the complete folder or none.
    if (!existsSync(home)) renameSync(join(folder, 'package'), home);
    return binary;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const CHROMIUM_NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Returns a working Chromium. Installs it on Debian if it is missing, which needs root. */
export async function installChromium(environment = process.env): Promise<string> {
  const named = environment.RIALTO_CHROMIUM;
  const candidates = named === undefined || named === '' ? CHROMIUM_NAMES : [named];
  const found = await firstThatRuns(candidates);
  if (found !== undefined) return found;
  const reasons: string[] = [];
  if (candidates === CHROMIUM_NAMES && process.getuid?.() === 0) {
    for (const step of [['update'], ['install', '--no-install-recommends', 'chromium']]) {
      const options = ['-y', '-o', 'Acquire::Retries=2', '-o', 'DPkg::Lock::Timeout=300'];
      const { output, succeeded } = await runProgram('apt-get', [...options, ...step], {
        environment: { DEBIAN_FRONTEND: 'noninteractive' },
        timeoutMs: 600_000,
      });
      if (!succeeded) reasons.push(`apt-get ${step[0]} failed: ${output.trim().slice(-300)}`);
    }
    const installed = await firstThatRuns(CHROMIUM_NAMES);
    if (installed !== undefined) return installed;
  }
  throw new Error(
    [
      `No Chromium found (tried ${candidates.join(', ')}).`,
      ...reasons,
      'Install it (on Debian: apt-get install chromium), or set RIALTO_CHROMIUM to its path.',
    ].join('\n'),
  );
}

/** Returns the path of a Chromium, installed first if needed; Playwright accepts no name. */
export async function chromiumPath(): Promise<string> {
  const program = await installChromium();
  if (isAbsolute(program)) return program;
  const folders = (process.env.PATH ?? '').split(delimiter);
  const found = folders.map((folder) => join(folder, program)).find(isExecutable);
  if (found === undefined) throw new Error(`${program} is not in PATH`);
  return found;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function firstThatRuns(programs: readonly string[]): Promise<string | undefined> {
  for (const program of programs) {
    const { succeeded } = await runProgram(program, ['--version'], { timeoutMs: 20_000 });
    if (succeeded) return program;
  }
  return undefined;
}
