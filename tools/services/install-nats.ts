// Finds a recent NATS server, or downloads one from Debian's archive into a cache. Changes neither
// the installed packages nor the package manager's state, and needs no root.

import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type SourcesFile, sidSources } from './debian-sources.ts';
import { runProgram } from './run-program.ts';

/** Older servers lack features that the log depends on; see docs/decisions/0002-jetstream.md. */
export const natsVersionMin = '2.15.0';

const downloadAttemptsMax = 4;
const pauseBetweenAttemptsMs = 2_000;

/** Returns the path of a recent NATS server. Safe for concurrent processes. */
export async function installNats(environment: NodeJS.ProcessEnv = process.env): Promise<string> {
  const named = environment.RIALTO_NATS_SERVER;
  const cached = join(cacheFolder(environment), 'nats-server');
  const tried: string[] = [];
  if (named !== undefined && named !== '') {
    const reason = await refuseServer(named);
    if (reason === undefined) return named;
    throw new Error(`RIALTO_NATS_SERVER cannot be used. ${requirement([`${named}: ${reason}`])}`);
  }
  for (const program of ['nats-server', cached]) {
    const reason = await refuseServer(program);
    if (reason === undefined) return program;
    tried.push(`${program === cached ? program : 'nats-server on the PATH'}: ${reason}`);
  }
  for (let attempt = 1; attempt <= downloadAttemptsMax; attempt += 1) {
    const reason = await downloadInto(cached);
    if (reason === undefined) return cached;
    tried.push(`download ${attempt} of ${downloadAttemptsMax}: ${reason}`);
    if (attempt < downloadAttemptsMax) await delay(pauseBetweenAttemptsMs);
  }
  throw new Error(requirement(tried));
}

export function cacheFolder(environment: NodeJS.ProcessEnv): string {
  const named = environment.RIALTO_CACHE;
  return named === undefined || named === '' ? join(homedir(), '.cache', 'rialto') : named;
}

/** Returns the version in the output of `nats-server --version`; undefined if there is none. */
export function parseNatsVersion(output: string): string | undefined {
  return output.match(/^nats-server: v(\d+\.\d+\.\d+)/m)?.[1];
}

/** Returns whether the version is supported. */
export function isNewEnough(version: string): boolean {
  const [major, minor] = version.split('.').map(Number);
  const [majorMin, minorMin] = natsVersionMin.split('.').map(Number);
  return major > majorMin || (major === majorMin && minor >= minorMin);
}

async function refuseServer(program: string): Promise<string | undefined> {
  const { output } = await runProgram(program, ['--version'], { timeoutMs: 20_000 });
  const version = parseNatsVersion(output);
  if (version === undefined) {
    return /ENOENT/.test(output) ? 'not found' : `printed no version but "${output.trim()}"`;
  }
  return isNewEnough(version) ? undefined : `is version ${version}, which is too old`;
}

// A rename puts the binary into the cache, so other processes see it complete or not at all.
async function downloadInto(cached: string): Promise<string | undefined> {
  const sources = sidSources(machineSources());
  if (sources === undefined) return '/etc/apt lists no Debian archive';
  const cache = join(cached, '..');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'download-'));
  try {
    const reason = await downloadAndUnpack(folder, sources);
    if (reason !== undefined) return reason;
    const binary = join(folder, 'unpacked', 'usr', 'sbin', 'nats-server');
    const refusal = await refuseServer(binary);
    if (refusal !== undefined) return `the downloaded server ${refusal}`;
    chmodSync(binary, 0o755);
    await rename(binary, cached);
    return undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function downloadAndUnpack(folder: string, sources: string): Promise<string | undefined> {
  const list = join(folder, 'sid.sources');
  await writeFile(list, sources);
  mkdirSync(join(folder, 'lists', 'partial'), { recursive: true });
  mkdirSync(join(folder, 'cache', 'archives', 'partial'), { recursive: true });
  const options = {
    'Dir::Etc::sourcelist': list,
    'Dir::Etc::sourceparts': '/nonexistent',
    'Dir::State::lists': join(folder, 'lists'),
    'Dir::Cache': join(folder, 'cache'),
    // As root, apt would download as its own user, which has no access to this folder.
    'APT::Sandbox::User': 'root',
    // Descriptions and translations are not needed to fetch one package.
    'Acquire::Languages': 'none',
    'Acquire::Retries': '2',
    'Acquire::http::Timeout': '30',
  };
  const apt = Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  // Without this, apt reports success even if it could not download the lists.
  const update = [...apt, '-o', 'APT::Update::Error-Mode=any', 'update'];
  const steps: [string, string[]][] = [
    ['apt-get', update],
    ['apt-get', [...apt, 'download', 'nats-server']],
  ];
  for (const [program, args] of steps) {
    const { succeeded, output } = await runProgram(program, args, { folder });
    if (!succeeded) return `apt-get ${args.at(-1)} failed: ${lastLines(output)}`;
  }
  const archive = readdirSync(folder).find((name) => name.endsWith('.deb'));
  if (archive === undefined) return 'apt-get downloaded no package';
  const unpack = ['-x', join(folder, archive), join(folder, 'unpacked')];
  const { succeeded, output } = await runProgram('dpkg-deb', unpack);
  return succeeded ? undefined : `dpkg-deb failed: ${lastLines(output)}`;
}

function machineSources(): SourcesFile[] {
  const parts = '/etc/apt/sources.list.d';
  const names = filesOf(parts).filter((name) => /\.(?:sources|list)$/.test(name));
  // Debian's own files come first; others might list an archive that only looks like Debian's.
  const own = ['/etc/apt/sources.list.d/debian.sources', '/etc/apt/sources.list'];
  const paths = [...own, ...names.map((name) => join(parts, name))];
  return paths.flatMap((name) => {
    const text = readIfExists(name);
    return text === undefined ? [] : [{ name, text }];
  });
}

function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

function readIfExists(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function lastLines(output: string): string {
  return output.trim().split('\n').slice(-3).join(' / ');
}

function requirement(tried: readonly string[]): string {
  return [
    `Rialto needs a NATS server of version ${natsVersionMin} or newer. Attempts:`,
    ...tried.map((line) => `  - ${line}`),
    'Install one and set its path: RIALTO_NATS_SERVER=/path/to/nats-server',
  ].join('\n');
}
