// A process on a machine under a supervisor, like under systemd: restarted when it exits, except
// after exit codes that require an operator. Signals only its own pid.

import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { logTail } from '../../../tools/services/server-process.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';

export interface SupervisedCommand {
  readonly name: string;
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  readonly logFile: string;
  readonly stopSignal?: NodeJS.Signals;
  /** Status from its health server; always true without one. */
  isReady?(): Promise<boolean>;
}

const RESTART_AFTER_MS = 200;
const STOPS_WITHIN_MS = 15_000;
/** Exit codes for a bug and for a wrong configuration: a restart does not help. */
const FINAL_CODES = [70, 78];

/** stopped ──start──▶ running ──exit──▶ waiting ──▶ running; running ──stop, kill──▶ stopped */
export class Supervised {
  readonly name: string;
  /** Exits that a supervisor does not repair. */
  readonly failures: string[] = [];
  readonly #options: SupervisedCommand;
  #child: ChildProcess | undefined;
  #restart: NodeJS.Timeout | undefined;
  #isWanted = false;

  constructor(options: SupervisedCommand) {
    this.#options = options;
    this.name = options.name;
  }

  get isWanted(): boolean {
    return this.#isWanted;
  }

  start(): void {
    if (this.#isWanted) return;
    this.#isWanted = true;
    this.#launch();
  }

  isReady(): Promise<boolean> {
    return this.#options.isReady?.() ?? Promise.resolve(true);
  }

  /** Kills the process like a power failure. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  async stop(): Promise<void> {
    try {
      await this.#end(this.#options.stopSignal ?? 'SIGTERM');
    } catch {
      await this.#end('SIGKILL');
    }
  }

  log(): string {
    return logTail(this.#options.logFile);
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    this.#isWanted = false;
    clearTimeout(this.#restart);
    const child = this.#child;
    if (child === undefined) return;
    child.kill(signal);
    await waitUntil({
      what: `${this.name} ends after ${signal}`,
      timeoutMs: STOPS_WITHIN_MS,
      question: () => child.exitCode !== null || child.signalCode !== null,
    });
  }

  #launch(): void {
    const { command, environment, folder, logFile } = this.#options;
    const log = openSync(logFile, 'a');
    const [program, ...args] = command;
    const child = spawn(program, args, {
      cwd: folder,
      env: { ...environment },
      stdio: ['ignore', log, log],
      detached: true,
    });
    closeSync(log);
    child.unref();
    child.once('error', (fault) => void this.failures.push(`${this.name}: ${fault.message}`));
    child.once('exit', (code) => {
      if (this.#child === child) this.#child = undefined;
      if (!this.#isWanted) return;
      if (code !== null && FINAL_CODES.includes(code)) {
        this.failures.push(`${this.name} exited with ${code}: ${this.log()}`);
        return;
      }
      this.#restart = setTimeout(() => this.#launch(), RESTART_AFTER_MS);
    });
    this.#child = child;
  }
}
