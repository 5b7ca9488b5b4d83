// One service of the sandbox as an operator runs it: a process with an environment of its own, on
// ports that it keeps over restarts, ready when its health server says so. Ended by its pid only.

import { join, resolve } from 'node:path';
import { freePorts } from '../services/free-ports.ts';
import { logTail, ServerProcess } from '../services/server-process.ts';

export interface SandboxServiceOptions {
  /** The process's name: `sequencer-1`. */
  readonly name: string;
  /** The folder under services/. */
  readonly service: string;
  /** Its whole configuration, except ports: variables of our own are not handed on. */
  readonly settings: Readonly<Record<string, string>>;
  /** The name of the variable for the port that clients use, if there is one. */
  readonly portVariable?: string;
  /** The port for clients that is asked for; a free one otherwise. */
  readonly port?: number;
  readonly logFolder: string;
}

const REPOSITORY = resolve(import.meta.dirname, '../..');
const ATTEMPTS_MAX = 5;
const ANSWER_WITHIN_MS = 2_000;
/** A service that ends with this code asks to be started again: another one leads, for instance. */
const ASKS_TO_BE_STARTED = 'ended with code 75';
const LOOK_EVERY_MS = 250;

/**
 * absent ──start──▶ running ──kill, stop──▶ absent. Starting again takes the same ports. As under
 * an operator's supervisor, a process that asks for it is started again; one that fails stays away.
 */
export class SandboxService {
  readonly name: string;
  readonly logFile: string;
  readonly #options: SandboxServiceOptions;
  #server: ServerProcess | undefined;
  #healthPort = 0;
  #port = 0;
  #looking: NodeJS.Timeout | undefined;
  #startings = 0;

  constructor(options: SandboxServiceOptions) {
    this.#options = options;
    this.name = options.name;
    this.logFile = join(options.logFolder, `${options.name}.log`);
  }

  /** Undefined while it does not run. */
  get pid(): number | undefined {
    return this.#server?.pid;
  }

  get healthUrl(): string {
    return `http://127.0.0.1:${this.#healthPort}`;
  }

  /** Where clients reach it. */
  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get isStarting(): boolean {
    return this.#startings > 0;
  }

  /** Resolves when it is ready for work. */
  async start(): Promise<void> {
    this.#startings++;
    try {
      await this.#startSomehow();
    } finally {
      this.#startings--;
    }
  }

  async #startSomehow(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const isFirst = this.#server === undefined;
      if (isFirst) await this.#prepare();
      const server = this.#server!;
      server.launch();
      try {
        await server.waitUntil('is ready', () => this.isReady());
        this.#looking ??= setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
        return;
      } catch (fault) {
        if (attempt === ATTEMPTS_MAX) throw fault;
        if (server.ending === ASKS_TO_BE_STARTED) continue;
        await server.stop('SIGTERM');
        // Between finding a port and binding it, someone else may have taken it.
        const isTaken = fault instanceof Error && /EADDRINUSE/.test(fault.message);
        if (!isFirst || !isTaken) throw fault;
        this.#server = undefined;
      }
    }
  }

  async isReady(): Promise<boolean> {
    try {
      const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
      const answer = await fetch(`${this.healthUrl}/ready`, { signal });
      await answer.arrayBuffer();
      return answer.status === 200;
    } catch {
      return false;
    }
  }

  /** Resolves when it is gone; for SIGSTOP and SIGCONT as soon as they are sent. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (signal !== 'SIGSTOP' && signal !== 'SIGCONT') this.#stopLooking();
    await this.#server?.kill(signal);
  }

  async stop(): Promise<void> {
    this.#stopLooking();
    await this.#server?.stop('SIGTERM');
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** The last lines that it wrote. */
  log(): string {
    return logTail(this.logFile);
  }

  #look(): void {
    if (this.#server?.ending === ASKS_TO_BE_STARTED) this.#server.launch();
  }

  #stopLooking(): void {
    clearInterval(this.#looking);
    this.#looking = undefined;
  }

  async #prepare(): Promise<void> {
    const { name, port, portVariable, service, settings } = this.#options;
    const [healthPort, freePort] = await freePorts(2);
    this.#healthPort = healthPort;
    this.#port = port ?? freePort;
    this.#server = new ServerProcess({
      name,
      program: process.execPath,
      args: [join(REPOSITORY, 'services', service, 'main.ts')],
      folder: REPOSITORY,
      logFile: this.logFile,
      untilParentDies: true,
      environment: {
        PATH: process.env.PATH,
        RIALTO_INSTANCE: name,
        RIALTO_HEALTH_PORT: String(healthPort),
        ...(portVariable === undefined ? {} : { [portVariable]: String(this.#port) }),
        ...settings,
      },
    });
  }
}
