// A dispatcher like an operator runs it: a separate process, started, watched by its log lines, and
// killed.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const PROGRAM = join(import.meta.dirname, '../../services/outbox-dispatcher/main.ts');

export class DispatcherProcess {
  readonly child: ChildProcess;
  readonly ended: Promise<unknown>;
  /** Resolves when it holds the lock and starts to send. */
  readonly sends: Promise<void>;
  /** Log lines of level error and fatal. */
  readonly complaints: string[] = [];
  #lookedUp = 0;

  constructor(environment: NodeJS.ProcessEnv) {
    const { NODE_COMPILE_CACHE, PATH } = process.env;
    this.child = spawn(process.execPath, [PROGRAM], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { PATH, NODE_COMPILE_CACHE, ...environment },
    });
    this.ended = once(this.child, 'exit');
    // A failing test leaves no process behind.
    process.once('exit', () => void this.child.kill('SIGKILL'));
    this.sends = this.#watch();
  }

  /** Number of positions whose outcome it read from the log. */
  get lookedUp(): number {
    return this.#lookedUp;
  }

  async kill(signal: NodeJS.Signals): Promise<void> {
    if (this.child.exitCode === null) this.child.kill(signal);
    await this.ended;
  }

  #watch(): Promise<void> {
    return new Promise((done) => {
      void this.ended.then(() => done());
      createInterface({ input: this.child.stdout! }).on('line', (line) => {
        const { count = 0, level, msg } = JSON.parse(line) as Line;
        if (msg === 'dispatcher active') done();
        if (msg === 'outcomes looked up') this.#lookedUp += count;
        if (level === 'fatal' || level === 'error') this.complaints.push(line);
      });
    });
  }
}

interface Line {
  readonly level: string;
  readonly msg: string;
  readonly count?: number;
}
