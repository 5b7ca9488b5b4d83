// `npm test` and `npm run test:all`: runs the test files of the repository, or of the folders and
// files that are named, with node's own test runner. It uses every core, and a test file that gets
// stuck fails instead of hanging the run: node's own test timeout ends a test, not its file.

import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { runTool, UsageFault } from '../command-line.ts';

const repository = resolve(import.meta.dirname, '../..');

/** Slow tests start servers, and some run for minutes. */
const LIMITS = {
  fast: { testMs: 60_000, fileMs: 120_000 },
  slow: { testMs: 600_000, fileMs: 1_800_000 },
};

const SLOWEST_SHOWN = 20;
/** Of free memory: some times what the tests of all cores need. */
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
    runTests({ slow, globPatterns: places.map((place) => patternOf(place, slow)) });
  },
});

interface Options {
  readonly slow: boolean;
  readonly globPatterns: readonly string[];
}

function patternOf(place: string, slow: boolean): string {
  if (!existsSync(place)) throw new UsageFault(`No such file or folder: ${place}`);
  if (statSync(place).isFile()) return resolve(place);
  return join(resolve(place), slow ? '**/*.test.ts' : '**/!(*.slow).test.ts');
}

function runTests({ globPatterns, slow }: Options): void {
  const { fileMs, testMs } = slow ? LIMITS.slow : LIMITS.fast;
  killFilesAfter(fileMs);
  // Every test file is a process of its own. With compiled modules in a cache it starts in half
  // the time.
  process.env.NODE_COMPILE_CACHE ??= join(repository, 'node_modules/.cache/node-compile');
  keepFilesInMemory();
  const preloads = [new URL('./close-check.ts', import.meta.url)];
  if (process.env.RIALTO_SEED !== undefined) {
    preloads.push(new URL('./replay-seed.ts', import.meta.url));
  }
  const tests = run({
    cwd: repository,
    globPatterns: [...globPatterns],
    concurrency: availableParallelism(),
    timeout: testMs,
    execArgv: preloads.map((file) => `--import=${file}`),
  });
  tests.on('test:fail', () => {
    process.exitCode = 1;
  });
  tests.compose(spec).pipe(process.stdout);
  printSlowestAtExit(tests);
}

/**
 * Databases and logs of tests wait for the disk more than they work. The writes of a process
 * outlive its kill in memory too; the drills use the disk.
 */
function keepFilesInMemory(): void {
  const memory = '/dev/shm';
  if (process.env.TMPDIR !== undefined || !existsSync(memory)) return;
  const { bavail, bsize } = statfsSync(memory);
  if (bavail * bsize < MEMORY_BYTES_MIN) return;
  const folder = mkdtempSync(join(memory, 'rialto-tests-'));
  // The servers of the tests run as users of their own.
  chmodSync(folder, 0o755);
  process.env.TMPDIR = folder;
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
}

/** A run that became slow names the files to look at. */
function printSlowestAtExit(tests: ReturnType<typeof run>): void {
  const taken: { readonly file: string; readonly ms: number }[] = [];
  tests.on('test:summary', ({ duration_ms: ms, file }) => {
    if (file !== undefined) taken.push({ file, ms });
  });
  process.on('exit', () => {
    const slowest = taken.sort((one, other) => other.ms - one.ms).slice(0, SLOWEST_SHOWN);
    for (const { file, ms } of slowest) {
      console.log(`${(ms / 1_000).toFixed(1)} s ${relative(repository, file)}`);
    }
  });
}

/** Every child of this process is a test file. Only a signal ends a file that never yields. */
function killFilesAfter(limitMs: number): void {
  subscribe('child_process', (message) => {
    const { process: child } = message as { process: ChildProcess };
    const timer = setTimeout(() => {
      console.error(`${child.spawnargs.at(-1)} did not end within ${limitMs} ms and is killed`);
      child.kill('SIGKILL');
    }, limitMs);
    child.once('exit', () => clearTimeout(timer));
  });
}
