// The worker as a child process: restarted after each kill, and given one day after another.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { WorkLine } from './worker.ts';

export class WorkerProcess {
  readonly #values: readonly string[];
  #child: ChildProcess | undefined;
  #lines: AsyncIterator<string> | undefined;
  kills = 0;

  /** URL of the database and its schema. */
  constructor(values: readonly string[]) {
    this.#values = values;
  }

  /** Returns the number of statements; undefined if the worker was killed. */
  async work(line: WorkLine): Promise<number | undefined> {
    this.#child ??= this.#start();
    this.#child.stdin!.write(`${JSON.stringify(line)}\n`);
    const { done, value } = await this.#lines!.next();
    if (done !== true) return Number(value);
    const child = this.#child;
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    this.#child = undefined;
    if (child.signalCode !== 'SIGKILL') throw new Error(`the worker exited with ${child.exitCode}`);
    this.kills += 1;
    return undefined;
  }

  stop(): void {
    this.#child?.kill('SIGKILL');
  }

  #start(): ChildProcess {
    const file = new URL('worker.ts', import.meta.url).pathname;
    const child = spawn(process.execPath, [file, ...this.#values], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    // A killed worker does not read its input.
    child.stdin.on('error', () => {});
    this.#lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    return child;
  }
}
