// A service under a supervisor: a process that logs to a file and is restarted a moment after it
// exits, until `stop`. Signals only its own pid.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { waitUntil } from '../../../tools/services/wait-until.ts';

const REPOSITORY = resolve(import.meta.dirname, '../../..');
/** With setpriv, the kernel kills the services when the drill is killed. */
const GUARD =
  spawnSync('setpriv', ['--version']).status === 0 ? ['setpriv', '--pdeathsig', 'KILL', '--'] : [];
const RESTART_AFTER_MS = 200;
const ANSWER_WITHIN_MS = 1_000;
const EXIT_WITHIN_MS = 20_000;

export interface Exit {
  readonly pid: number;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Last lines of its log. */
  readonly logTail: string;
}

export interface SupervisedOptions {
  readonly name: string;
  /** Relative to the repository, or absolute. */
  readonly program: string;
  /** Its complete environment: nothing is inherited from this process. */
  readonly settings: Readonly<Record<string, string>>;
  readonly logFile: string;
  onExit(exit: Exit): void;
}

/** running ──exit──▶ waiting ──a moment──▶ running; any ──stop──▶ stopped, permanently. */
export class SupervisedProcess {
  readonly name: string;
  readonly #options: SupervisedOptions;
  readonly #exits: Exit[] = [];
  #child: ChildProcess | undefined;
  #restart: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: SupervisedOptions) {
    this.#options = options;
    this.name = options.name;
    this.#launch();
  }

  /** Undefined while it is not running. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get exits(): readonly Exit[] {
    return this.#exits;
  }

  kill(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  async waitUntilExited(pid: number): Promise<Exit> {
    const find = () => this.#exits.find((exit) => exit.pid === pid);
    const question = () => find() !== undefined;
    await waitUntil({ what: `${this.name} has exited`, timeoutMs: EXIT_WITHIN_MS, question });
    return find()!;
  }

  /** Sends SIGTERM, then SIGKILL if it does not exit, and does not restart it. */
  async stop(): Promise<Exit | undefined> {
    this.#isStopped = true;
    clearTimeout(this.#restart);
    const { pid } = this;
    if (pid === undefined) return this.#exits.at(-1);
    this.kill('SIGTERM');
    this.kill('SIGCONT');
    try {
      return await this.waitUntilExited(pid);
    } catch {
      this.kill('SIGKILL');
      return this.waitUntilExited(pid);
    }
  }

  /** Returns the last match of the first group in its log. */
  lastLogged(pattern: RegExp): string | undefined {
    const text = readFileSync(this.#options.logFile, 'utf8');
    return [...text.matchAll(new RegExp(pattern, 'g'))].at(-1)?.[1];
  }

  /** Queries its health server; status 0 if it does not respond. */
  async ask(path: string): Promise<{ status: number; text: string }> {
    try {
      const port = this.lastLogged(/"healthPort":(\d+)/);
      const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { signal });
      return { status: answer.status, text: await answer.text() };
    } catch {
      return { status: 0, text: '' };
    }
  }

  #launch(): void {
    const { logFile, program, settings } = this.#options;
    const log = openSync(logFile, 'a');
    try {
      const [first, ...rest] = [...GUARD, process.execPath, resolve(REPOSITORY, program)];
      const env = { PATH: process.env.PATH, ...settings };
      const child = spawn(first, rest, { stdio: ['ignore', log, log], env });
      this.#child = child;
      child.once('exit', (code, signal) => this.#ended(child, { code, signal }));
    } finally {
      closeSync(log);
    }
  }

  #ended(child: ChildProcess, { code, signal }: Pick<Exit, 'code' | 'signal'>): void {
    const tail = readFileSync(this.#options.logFile, 'utf8').trimEnd().split('\n').slice(-5);
    const exit = { pid: child.pid ?? 0, code, signal, logTail: tail.join('\n') };
    this.#child = undefined;
    this.#exits.push(exit);
    this.#options.onExit(exit);
    if (!this.#isStopped) this.#restart = setTimeout(() => this.#launch(), RESTART_AFTER_MS);
  }
}
