// Lighthouse on the trade screen, as a desktop without an account. Lighthouse has 116 packages, so
// it is not a dependency of the repository: a separate lock file pins them by content, and the
// first full run installs them into the cache.

import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromiumPath } from '../../tools/client/test-runtimes.ts';
import { cacheFolder } from '../../tools/services/install-nats.ts';
import { runProgram } from '../../tools/services/run-program.ts';
import type { Check } from './check.ts';
import { loadAverage } from './load.ts';
import { SYMBOL } from './moving-market.ts';

const FOLDER = join(import.meta.dirname, 'lighthouse');
const FILES = ['package.json', 'package-lock.json'];
const PERFORMANCE_MIN = 95;
const INSTALLED_WITHIN_MS = 600_000;
const MEASURED_WITHIN_MS = 300_000;

export const lighthouse: Check = {
  name: 'Lighthouse: performance, accessibility and best practices on a desktop',
  from: 'full',
  lane: 'alone',
  needsQuietMarket: true,
  async run(stage) {
    const program = await installLighthouse();
    const loadBefore = loadAverage();
    const scores = await measure(program, `${stage.url}/trade/${SYMBOL}`);
    const figures = {
      lighthousePerformance: scores.performance,
      lighthouseAccessibility: scores.accessibility,
      lighthouseBestPractices: scores['best-practices'],
      lighthouseLoadAverage: loadBefore,
    };
    assert.equal(scores.accessibility, 100, 'accessibility');
    assert.equal(scores['best-practices'], 100, 'best practices');
    // Performance is wall-clock time, which is meaningless on a machine with queued processes.
    const isQuiet = loadBefore <= availableParallelism();
    if (isQuiet) assert.ok(scores.performance >= PERFORMANCE_MIN, `${scores.performance}`);
    else console.log(`  note: load ${loadBefore}, performance is reported but not checked`);
    return figures;
  },
};

/** Returns the path of the locked version's program. Installs it once. */
async function installLighthouse(): Promise<string> {
  const cache = cacheFolder(process.env);
  const lock = readFileSync(join(FOLDER, 'package-lock.json'));
  const home = join(cache, `lighthouse-${hash('sha256', lock).slice(0, 16)}`);
  const program = join(home, 'node_modules/lighthouse/cli/index.js');
  if (existsSync(program)) return program;
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'fetching-'));
  for (const name of FILES) copyFileSync(join(FOLDER, name), join(folder, name));
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  const timeoutMs = INSTALLED_WITHIN_MS;
  const { output, succeeded } = await runProgram('npm', args, { folder, timeoutMs });
  if (!succeeded) throw new Error(`npm ci of Lighthouse failed: ${output.trim().slice(-500)}`);
  // A rename is atomic, so other processes see the complete folder or none.
  if (!existsSync(home)) renameSync(folder, home);
  return program;
}

type Category = 'performance' | 'accessibility' | 'best-practices';
const CATEGORIES: readonly Category[] = ['performance', 'accessibility', 'best-practices'];

interface Audit {
  readonly title: string;
  readonly score: number | null;
  readonly details?: { readonly items?: readonly unknown[] };
}

/** Returns points from 0 to 100 by category. */
async function measure(program: string, url: string): Promise<Record<Category, number>> {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-lighthouse-'));
  const path = join(folder, 'report.json');
  const args = [
    program,
    url,
    '--preset=desktop',
    `--only-categories=${CATEGORIES.join(',')}`,
    '--output=json',
    `--output-path=${path}`,
    '--quiet',
    '--chrome-flags=--headless=new --no-sandbox --disable-dev-shm-usage',
  ];
  const environment = { CHROME_PATH: await chromiumPath() };
  const timeoutMs = MEASURED_WITHIN_MS;
  const { output, succeeded } = await runProgram(process.execPath, args, {
    environment,
    timeoutMs,
  });
  if (!succeeded) throw new Error(`Lighthouse failed: ${output.trim().slice(-500)}`);
  const report = JSON.parse(readFileSync(path, 'utf8')) as {
    readonly categories: Readonly<Record<Category, { readonly score: number }>>;
    readonly audits: Readonly<Record<string, Audit>>;
  };
  for (const [id, { details, score, title }] of Object.entries(report.audits)) {
    if (score === null || score >= 0.9) continue;
    const [first] = details?.items ?? [];
    console.log(`  note ${id} ${score}: ${title} ${JSON.stringify(first)?.slice(0, 200) ?? ''}`);
  }
  rmSync(folder, { recursive: true });
  const points = CATEGORIES.map((name) => [name, Math.round(report.categories[name].score * 100)]);
  return Object.fromEntries(points);
}
