// One server as a child process: its output goes to a file, it is waited for, it is ended by pid.
// States: absent, running (perhaps paused by SIGSTOP), gone. Launching again begins anew.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { waitUntil } from './wait-until.ts';

export type ServerCommand = {
  name: string;
  program: string;
  args: readonly string[];
  folder: string;
  logFile: string;
  /** True: the kernel ends the server when this process ends. False: it lives on, detached. */
  untilParentDies: boolean;
  user?: { uid: number; gid: number } | undefined;
  /** All that it gets of an environment; without it, that of this process. */
  environment?: NodeJS.ProcessEnv | undefined;
  /** Called as soon as there is a process, long before it is ready. */
  onLaunch?: ((server: { name: string; pid: number }) => void) | undefined;
};

const logLinesShown = 20;
const patienceMs = 15_000;

export class ServerProcess {
  readonly #command: ServerCommand;
  #child: ChildProcess | undefined;
  #ending: string | undefined;

  constructor(command: ServerCommand) {
    this.#command = command;
  }

  /** Undefined when the server does not run. */
  get pid(): number | undefined {
    return this.#ending === undefined ? this.#child?.pid : undefined;
  }

  /** How its last life ended; undefined while it runs, and before its first. */
  get ending(): string | undefined {
    return this.#ending;
  }

  launch(): void {
    const { name, program, args, folder, logFile, untilParentDies, user } = this.#command;
    const { environment } = this.#command;
    if (this.pid !== undefined) throw new Error(`${name} runs already, as process ${this.pid}`);
    // A kill -9 of a test's process gives it no chance to stop its servers; the kernel does it.
    const isGuarded = untilParentDies && hasSetpriv();
    const guard = isGuarded ? ['setpriv', '--pdeathsig', 'KILL', '--'] : [];
    const [first, ...rest] = [...guard, program, ...args];
    const log = openSync(logFile, 'a');
    try {
      this.#ending = undefined;
      const child = spawn(first, rest, {
        cwd: folder,
        stdio: ['ignore', log, log],
        // A terminal's Ctrl-C goes to whole groups of processes. Who started it stops it, in order.
        detached: !untilParentDies || isGuarded,
        ...(environment === undefined ? {} : { env: environment }),
        ...user,
      });
      this.#child = child;
      child.once('error', (fault) => {
        if (child === this.#child) this.#ending = `could not be started: ${fault.message}`;
      });
      child.once('exit', (code, signal) => {
        if (child === this.#child) this.#ending = `ended with ${signal ?? `code ${code}`}`;
      });
      child.unref();
      if (child.pid !== undefined) this.#command.onLaunch?.({ name, pid: child.pid });
    } finally {
      closeSync(log);
    }
  }

  /** Waits for an answer of the running server; fails at once, with its log, when it ends. */
  async waitUntil(what: string, question: () => Promise<boolean>): Promise<void> {
    try {
      await waitUntil({
        what: `${this.#command.name} ${what}`,
        timeoutMs: patienceMs * 2,
        question: () => {
          if (this.#ending !== undefined) {
            throw new Error(`${this.#command.name} ${this.#ending}`);
          }
          return question();
        },
      });
    } catch (fault) {
      const reason = fault instanceof Error ? fault.message : String(fault);
      throw new Error(`${reason}\n${this.#command.logFile} ends with:\n${this.logTail()}`);
    }
  }

  /** Resolves when the process is gone; for SIGSTOP and SIGCONT as soon as they are sent. */
  async kill(signal: NodeJS.Signals): Promise<void> {
    if (this.pid === undefined) return;
    this.#child?.kill(signal);
    if (signal === 'SIGSTOP' || signal === 'SIGCONT') return;
    await waitUntil({
      what: `${this.#command.name} is gone after ${signal}`,
      timeoutMs: patienceMs,
      question: () => this.pid === undefined,
    });
  }

  /** Asks to end, then insists. A paused process is woken, since it could not hear the request. */
  async stop(request: NodeJS.Signals): Promise<void> {
    try {
      const gone = this.kill(request);
      await this.kill('SIGCONT');
      await gone;
    } catch {
      await this.kill('SIGKILL');
    }
  }

  logTail(): string {
    return logTail(this.#command.logFile);
  }
}

/** The last lines of a log, or a word on why there are none. */
export function logTail(logFile: string): string {
  try {
    const lines = readFileSync(logFile, 'utf8').trimEnd().split('\n');
    return lines.slice(-logLinesShown).join('\n');
  } catch (fault) {
    return `(no log: ${fault instanceof Error ? fault.message : fault})`;
  }
}

let setprivFound: boolean | undefined;

function hasSetpriv(): boolean {
  setprivFound ??= spawnSync('setpriv', ['--pdeathsig', 'KILL', '--', 'true']).status === 0;
  return setprivFound;
}
