// Runs tests against a copy of the repository and returns the first failure.

import { spawn } from 'node:child_process';
import { join, relative } from 'node:path';

/** Returns the test that failed first; undefined if all passed. */
export async function firstFailure(
  folder: string,
  files: readonly string[],
  timeoutMs: number,
): Promise<string | undefined> {
  const program = join(import.meta.dirname, 'until-first-failure/main.ts');
  const paths = files.map((file) => join(folder, file));
  const { exitCode, output, isLate } = await runProgram(folder, [program, ...paths], timeoutMs);
  if (isLate) return `no result within ${Math.round(timeoutMs / 1_000)} s`;
  if (exitCode === 0) return undefined;
  const last = output.trim().split('\n').at(-1) ?? '';
  try {
    const { name, file } = JSON.parse(last) as { name: string; file?: string };
    return `${relative(folder, file ?? '')}: ${name}`;
  } catch {
    // The tests did not load, or the process crashed.
    return `the process exited with code ${exitCode}`;
  }
}

async function runProgram(
  folder: string,
  program: readonly string[],
  timeoutMs: number,
): Promise<{ exitCode: number | null; output: string; isLate: boolean }> {
  const child = spawn(process.execPath, program, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let output = '';
  let isLate = false;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const timer = setTimeout(() => {
    isLate = true;
    child.kill('SIGKILL');
  }, timeoutMs);
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  clearTimeout(timer);
  return { exitCode, output, isLate };
}
