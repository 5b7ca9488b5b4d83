// `npm test` and `npm run test:all`: runs the repository's test files, or the given folders and
// files, with Node's own test runner. Fast tests share processes, slow ones get one each. A stuck
// file fails instead of hanging the run: Node's own timeout ends a test, not its process.

import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import {
  chmodSync,
  existsSync,
  globSync,
  mkdtempSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { runTool, UsageFault } from '../command-line.ts';
import { writeBundles } from './bundles.ts';

const repository = resolve(import.meta.dirname, '../..');

/** Slow tests start servers, and some run for minutes. */
const LIMITS = {
  fast: { testMs: 60_000, processMs: 900_000 },
  slow: { testMs: 600_000, processMs: 1_800_000 },
};

/** More than one, so the cores finish at about the same time; each loads most modules again. */
const BUNDLES_PER_CORE = 2;
const SLOWEST_SHOWN = 40;
/** Minimum free memory: several times what the tests on all cores need. */
const MEMORY_BYTES_MIN = 8 * 2 ** 30;

await runTool({
  usage: `Usage: npm test -- [--slow] [FOLDER | FILE]...

Runs the fast tests of the repository, or of the given folders and files.

  --slow      include slow tests

RIALTO_SEED=N replays the property tests of a failed run that printed this seed.`,
  options: { slow: { type: 'boolean', default: false } },
  takesPositionals: true,
  run({ positionals, values: { slow } }) {
    const places = positionals.length === 0 ? [repository] : positionals;
    const files = new Set(places.flatMap((place) => testFilesAt(place, slow)));
    runTests([...files], slow ? LIMITS.slow : LIMITS.fast);
  },
});

function testFilesAt(place: string, slow: boolean): string[] {
  if (!existsSync(place)) throw new UsageFault(`No such file or folder: ${place}`);
  const folder = resolve(place);
  if (statSync(folder).isFile()) return [folder];
  return globSync(slow ? '**/*.test.ts' : '**/!(*.slow).test.ts', {
    cwd: folder,
    exclude: ['**/node_modules', '**/tmp'],
  }).map((file) => join(folder, file));
}

function runTests(files: readonly string[], limits: { testMs: number; processMs: number }): void {
  killProcessesAfter(limits.processMs);
  // Compiled modules in a cache halve the start of a process.
  process.env.NODE_COMPILE_CACHE ??= join(repository, 'node_modules/.cache/node-compile');
  // Far from UTC, to reveal a time read as local.
  process.env.TZ = 'Asia/Tokyo';
  keepFilesInMemory();
  const preloads = [new URL('./close-check.ts', import.meta.url)];
  if (process.env.RIALTO_SEED !== undefined) {
    preloads.push(new URL('./replay-seed.ts', import.meta.url));
  }
  const slowFiles = files.filter((file) => file.endsWith('.slow.test.ts'));
  const fastFiles = files.filter((file) => !file.endsWith('.slow.test.ts'));
  const cores = availableParallelism();
  const bundles = mkdtempSync(join(tmpdir(), 'rialto-bundles-'));
  process.on('exit', () => rmSync(bundles, { recursive: true, force: true }));
  const tests = run({
    cwd: repository,
    // The longest slow files are in the last folders, so short ones fill the lanes at the end.
    files: [
      ...slowFiles.sort().reverse(),
      ...writeBundles(fastFiles, BUNDLES_PER_CORE * cores, { repository, bundles }),
    ],
    concurrency: cores,
    timeout: limits.testMs,
    execArgv: preloads.map((file) => `--import=${file}`),
  });
  tests.compose(spec).pipe(process.stdout);
  printSlowestAtExit(tests);
  printFailedAtExit(tests);
}

/**
 * Test databases and logs spend more time on the disk than on work. A killed process's writes
 * survive in memory too; the drills use the disk.
 */
function keepFilesInMemory(): void {
  const memory = '/dev/shm';
  if (process.env.TMPDIR !== undefined || !existsSync(memory)) return;
  const { bavail, bsize } = statfsSync(memory);
  if (bavail * bsize < MEMORY_BYTES_MIN) return;
  const folder = mkdtempSync(join(memory, 'rialto-tests-'));
  // The test servers run as other users.
  chmodSync(folder, 0o755);
  process.env.TMPDIR = folder;
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
}

/** Names the slowest files, for a run that became slow. */
function printSlowestAtExit(tests: ReturnType<typeof run>): void {
  const taken = new Map<string, number>();
  // A file in a bundle is a suite named by its path; a separate file has a summary.
  const add = ({ details, name, nesting }: { details: object; name: string; nesting: number }) => {
    if (nesting > 0 || !name.endsWith('.test.ts')) return;
    taken.set(name, (details as { duration_ms: number }).duration_ms);
  };
  tests.on('test:pass', add);
  tests.on('test:fail', add);
  tests.on('test:summary', ({ duration_ms: ms, file }) => {
    if (file?.endsWith('.test.ts')) taken.set(relative(repository, file), ms);
  });
  process.on('exit', () => {
    const slowest = [...taken].sort(([, one], [, other]) => other - one).slice(0, SLOWEST_SHOWN);
    for (const [file, ms] of slowest) console.log(`${(ms / 1_000).toFixed(1)} s ${file}`);
  });
}

/** Repeats failures as the last lines, which remain when a long output is cut. */
function printFailedAtExit(tests: ReturnType<typeof run>): void {
  const failed: string[] = [];
  tests.on('test:fail', ({ details, file, name }) => {
    process.exitCode = 1;
    const { cause, failureType } = details.error as { cause?: unknown; failureType?: string };
    if (failureType === 'subtestsFailed') return;
    const [reason] = String(cause).split('\n');
    failed.push(`✖ ${relative(repository, file ?? '')}: ${name}: ${reason}`);
  });
  process.on('exit', () => {
    for (const line of failed) console.log(line);
  });
}

/** Every child of this process is a test file or a bundle. Only a signal ends a hanging one. */
function killProcessesAfter(limitMs: number): void {
  subscribe('child_process', (message) => {
    const { process: child } = message as { process: ChildProcess };
    const timer = setTimeout(() => {
      console.error(`${child.spawnargs.at(-1)} did not end within ${limitMs} ms and is killed`);
      child.kill('SIGKILL');
    }, limitMs);
    child.once('exit', () => clearTimeout(timer));
  });
}
