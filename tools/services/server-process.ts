// A server as a child process: its output goes to a file, and only its own pid gets signals.
// absent ──launch──▶ running (or paused by SIGSTOP) ──▶ ended ──launch──▶ running

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { waitUntil } from './wait-until.ts';

export type ServerCommand = {
  name: string;
  program: string;
  args: readonly string[];
  folder: string;
  logFile: string;
  /** True if the kernel ends the server with this process. False if the server keeps running. */
  untilParentDies: boolean;
  user?: { uid: number; gid: number } | undefined;
  /** Complete environment; by default that of this process. */
  environment?: NodeJS.ProcessEnv | undefined;
  /** Called as soon as the process exists, before it is ready. */
  onLaunch?: ((server: { name: string; pid: number }) => void) | undefined;
};

const logLinesShown = 20;
const timeoutMs = 15_000;
/** A process that exits fails immediately, so only a busy machine needs this long. */
const READY_WITHIN_MS = 240_000;

export class ServerProcess {
  readonly #command: ServerCommand;
  #child: ChildProcess | undefined;
  #ending: string | undefined;

  constructor(command: ServerCommand) {
    this.#command = command;
  }

  /** Undefined if the server is not running. */
  get pid(): number | undefined {
    return this.#ending === undefined ? this.#child?.pid : undefined;
  }

  /** How the last process exited; undefined while one runs, and before the first. */
  get ending(): string | undefined {
    return this.#ending;
  }

  launch(): void {
    const { name, program, args, folder, logFile, untilParentDies, user } = this.#command;
    const { environment } = this.#command;
    if (this.pid !== undefined)
      throw new Error(`${name} is already running as process ${this.pid}`);
    // After a kill -9 a test cannot stop its servers, so the kernel does.
    const isGuarded = untilParentDies && hasSetpriv();
    const guard = isGuarded ? ['setpriv', '--pdeathsig', 'KILL', '--'] : [];
    const [first, ...rest] = [...guard, program, ...args];
    const log = openSync(logFile, 'a');
    try {
      this.#ending = undefined;
      const child = spawn(first, rest, {
        cwd: folder,
        stdio: ['ignore', log, log],
        // Ctrl-C signals the entire process group, but this process stops the server in order
        // instead.
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

  /** Waits for a condition of the running server; fails with its log as soon as it exits. */
  async waitUntil(
    what: string,
    question: () => Promise<boolean>,
    options: { readonly pauseMs?: number } = {},
  ): Promise<void> {
    try {
      await waitUntil({
        ...options,
        what: `${this.#command.name} ${what}`,
        timeoutMs: READY_WITHIN_MS,
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

  /** Resolves when the process has exited, for SIGSTOP when it is stopped, for SIGCONT directly. */
  async kill(signal: NodeJS.Signals): Promise<void> {
    const { pid } = this;
    if (pid === undefined) return;
    this.#child?.kill(signal);
    if (signal === 'SIGCONT') return;
    if (signal === 'SIGSTOP') {
      await waitUntil({
        what: `${this.#command.name} stands after SIGSTOP`,
        timeoutMs: timeoutMs,
        question: () => this.pid === undefined || areThreadsStopped(pid),
      });
      return;
    }
    await waitUntil({
      what: `${this.#command.name} ends after ${signal}`,
      timeoutMs: timeoutMs,
      question: () => this.pid === undefined,
    });
  }

  /** Sends the signal, then SIGKILL after a timeout. Continues a paused process first. */
  async stop(request: NodeJS.Signals): Promise<void> {
    try {
      const ended = this.kill(request);
      await this.kill('SIGCONT');
      await ended;
    } catch {
      await this.kill('SIGKILL');
    }
  }

  logTail(): string {
    return logTail(this.#command.logFile);
  }
}

/** Returns the last lines of a log, or the reason why there are none. */
export function logTail(logFile: string): string {
  try {
    const lines = readFileSync(logFile, 'utf8').trimEnd().split('\n');
    return lines.slice(-logLinesShown).join('\n');
  } catch (fault) {
    return `(no log: ${fault instanceof Error ? fault.message : fault})`;
  }
}

/** A busy machine stops the threads of a process one after another. */
function areThreadsStopped(pid: number): boolean {
  try {
    return readdirSync(`/proc/${pid}/task`).every((thread) =>
      /\) [TtXZ] /.test(readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')),
    );
  } catch {
    // A thread exited in between, so query again.
    return false;
  }
}

let setprivFound: boolean | undefined;

function hasSetpriv(): boolean {
  setprivFound ??= spawnSync('setpriv', ['--pdeathsig', 'KILL', '--', 'true']).status === 0;
  return setprivFound;
}
