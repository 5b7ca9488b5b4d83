// Starts `npm run dev` for a test, and stops it like Ctrl-C.

import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { waitUntil } from '../services/wait-until.ts';

export const DEV_PROGRAM = join(import.meta.dirname, 'main.ts');
const STOPPED_WITHIN_MS = 60_000;

export interface RunningDev {
  readonly child: ChildProcess;
  /** Output before it was ready. */
  readonly text: string;
  readonly startedInMs: number;
}

export async function startDev(
  context: TestContext,
  args: readonly string[],
  timeoutMs = 120_000,
): Promise<RunningDev> {
  const beganMs = performance.now();
  const child = spawn(process.execPath, [DEV_PROGRAM, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  context.after(() => child.kill('SIGKILL'));
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      text += chunk;
    });
  }
  await waitUntil({
    what: 'npm run dev is ready',
    timeoutMs,
    question: () => {
      if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}\n${text}`);
      return text.includes('Press Ctrl-C to stop.');
    },
  });
  return { child, text, startedInMs: performance.now() - beganMs };
}

export async function interrupt(child: ChildProcess): Promise<void> {
  const beganMs = performance.now();
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  const [code] = await ended;
  assert.equal(code, 0);
  assert.ok(performance.now() - beganMs < STOPPED_WITHIN_MS);
}

/** Runs the text between two headings in a shell. */
export function runPrinted(text: string, from: string, to: string): unknown {
  const [, script] = text.split(from);
  const output = execFileSync('sh', ['-c', script.split(to)[0]], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return JSON.parse(output);
}
