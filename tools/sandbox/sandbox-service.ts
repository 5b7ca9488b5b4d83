// One process of a sandbox with one service or several, run as in production: each service has its
// own environment and ports that it keeps across restarts. The process is ready when the health
// server of every service reports it.

import { mkdirSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gatewayIdentity, streamIdentity } from '../../infra/identities/index.ts';
import { SETTINGS } from '../../infra/settings/index.ts';
import { freePorts } from '../services/free-ports.ts';
import type { IdentityFiles } from '../services/identity-files.ts';
import { logTail, ServerProcess } from '../services/server-process.ts';

export interface SandboxServiceOptions {
  /** Process name, for example `sequencer-1`. */
  readonly name: string;
  /** Folder under services/. */
  readonly service: string;
  /** Complete configuration, except ports: the environment is not inherited. */
  readonly settings: Readonly<Record<string, string>>;
  /** Variable for the client port, if it has one. */
  readonly portVariable?: string;
  /** Client port; by default a free one. */
  readonly port?: number;
  readonly logFolder: string;
  /** Key of each identity. */
  readonly identities: IdentityFiles;
  /** Module that the process loads first, with which a test injects a fault. */
  readonly preload?: string | undefined;
}

/** Services that share a process. */
export interface SandboxGroup {
  readonly name: string;
  readonly members: readonly SandboxServiceOptions[];
}

const REPOSITORY = resolve(import.meta.dirname, '../..');
const START_PROGRAM = 'tools/start/main.ts';
/** With its modules compiled earlier, a service needs half the processor time to start. */
const COMPILE_CACHE = join(REPOSITORY, 'node_modules/.cache/node-compile');
const ATTEMPTS_MAX = 5;
const ANSWER_WITHIN_MS = 2_000;
/** Exit code 75 requests a restart, for example because another sequencer leads. */
const SUPERSEDED = 'ended with code 75';
/**
 * Exit code 69 means that NATS or PostgreSQL did not respond in time, which can happen on a busy
 * machine.
 */
const UNAVAILABLE = 'ended with code 69';
const POLL_EVERY_MS = 250;
/** A start takes about a second of processor time, which more frequent polls would prolong. */
const READY_POLL_MS = 50;

/**
 * absent ──start──▶ running ──kill, stop──▶ absent. A restart uses the same ports. Like a
 * supervisor, it restarts a superseded process, and one that found a server unavailable at its
 * start; not a process that fails.
 */
export class SandboxService {
  readonly name: string;
  readonly logFile: string;
  readonly #members: readonly SandboxServiceOptions[];
  readonly #ports = new Map<string, { readonly health: number; readonly client: number }>();
  #server: ServerProcess | undefined;
  #polling: NodeJS.Timeout | undefined;
  #startings = 0;
  #sources = REPOSITORY;

  /** With several services, the process has the name of the group. */
  constructor(options: SandboxServiceOptions | SandboxGroup) {
    this.#members = 'members' in options ? options.members : [options];
    this.name = options.name;
    this.logFile = join(this.#members[0].logFolder, `${options.name}.log`);
  }

  /** Returns another process for the same service, not started yet. */
  beside(name: string, settings: Readonly<Record<string, string>>): SandboxService {
    const options = { ...this.#members[0], name };
    return new SandboxService({ ...options, settings: { ...options.settings, ...settings } });
  }

  /** Undefined if it is not running. */
  get pid(): number | undefined {
    return this.#server?.pid;
  }

  get healthUrl(): string {
    return `http://127.0.0.1:${this.#ports.get(this.#members[0].name)?.health ?? 0}`;
  }

  /** The URL for clients. */
  get url(): string {
    return this.urlOf(this.#members[0].name);
  }

  /** The URL for clients of one of its services. */
  urlOf(member: string): string {
    return `http://127.0.0.1:${this.#ports.get(member)?.client ?? 0}`;
  }

  get isStarting(): boolean {
    return this.#startings > 0;
  }

  /** Resolves when the service is ready. */
  async start(): Promise<void> {
    this.#startings++;
    try {
      await this.#startWithRetries();
    } finally {
      this.#startings--;
    }
  }

  async #startWithRetries(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const isFirst = this.#server === undefined;
      if (isFirst) await this.#prepare();
      const server = this.#server!;
      server.launch();
      try {
        const isReady = async () => (await this.#listen()) && this.isReady();
        await server.waitUntil('is ready', isReady, { pauseMs: READY_POLL_MS });
        this.#polling ??= setInterval(() => this.#restartIfSuperseded(), POLL_EVERY_MS).unref();
        return;
      } catch (fault) {
        if (attempt === ATTEMPTS_MAX) throw fault;
        // Another process might have bound the port in the meantime.
        const isTaken = fault instanceof Error && /EADDRINUSE/.test(fault.message);
        const isUnavailable = server.ending === UNAVAILABLE && !isTaken;
        if (server.ending === SUPERSEDED || isUnavailable) continue;
        await server.stop('SIGTERM');
        if (!isFirst || !isTaken) throw fault;
        this.#server = undefined;
        this.#ports.clear();
      }
    }
  }

  async isReady(): Promise<boolean> {
    const ports = [...this.#ports.values()];
    const found = await Promise.all(ports.map(({ health }) => isReadyAt(health)));
    return found.every(Boolean);
  }

  async #listen(): Promise<boolean> {
    for (const { health } of this.#ports.values()) if (!(await listens(health))) return false;
    return true;
  }

  /** Resolves when it has exited, or for SIGSTOP when it is stopped. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (signal !== 'SIGSTOP' && signal !== 'SIGCONT') this.#stopPolling();
    await this.#server?.kill(signal);
  }

  async stop(): Promise<void> {
    this.#stopPolling();
    await this.#server?.stop('SIGTERM');
  }

  /** Stops it, and starts it from another release's sources, on the same ports. */
  async replaceWith(sources: string): Promise<void> {
    await this.stop();
    this.#sources = sources;
    this.#server = undefined;
    await this.start();
  }

  /** How the process exited; undefined while it runs. */
  get ending(): string | undefined {
    return this.#server?.ending;
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** Returns the last lines of its log. */
  log(): string {
    return logTail(this.logFile);
  }

  #restartIfSuperseded(): void {
    if (this.#server?.ending === SUPERSEDED) this.#server.launch();
  }

  #stopPolling(): void {
    clearInterval(this.#polling);
    this.#polling = undefined;
  }

  async #prepare(): Promise<void> {
    if (this.#ports.size === 0) {
      const free = await freePorts(this.#members.length * 2);
      for (const [at, { name, port }] of this.#members.entries()) {
        this.#ports.set(name, { health: free[at * 2], client: port ?? free[at * 2 + 1] });
      }
    }
    const [{ preload, service }] = this.#members;
    const isGroup = this.#members.length > 1;
    this.#server = new ServerProcess({
      name: this.name,
      program: process.execPath,
      args: [
        ...(preload === undefined ? [] : ['--import', pathToFileURL(preload).href]),
        ...(isGroup ? this.#groupProgram() : [join(this.#sources, 'services', service, 'main.ts')]),
      ],
      folder: this.#sources,
      logFile: this.logFile,
      untilParentDies: true,
      environment: {
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: COMPILE_CACHE,
        ...(isGroup ? {} : this.#environmentOf(this.#members[0])),
      },
    });
  }

  /** Writes the settings of each service to a file. */
  #groupProgram(): string[] {
    const folder = join(this.#members[0].logFolder, `${this.name}-settings`);
    mkdirSync(folder, { recursive: true });
    for (const member of this.#members) {
      const lines = Object.entries(this.#environmentOf(member)).map(
        ([name, value]) => `${name}=${value}\n`,
      );
      writeFileSync(join(folder, `${startName(member)}.env`), lines.join(''), { mode: 0o600 });
    }
    const names = this.#members.map(startName);
    return [join(this.#sources, START_PROGRAM), '--settings', folder, ...names];
  }

  #environmentOf(member: SandboxServiceOptions): Readonly<Record<string, string>> {
    const { identities, name, portVariable, service, settings } = member;
    const { client, health } = this.#ports.get(name)!;
    return {
      RIALTO_INSTANCE: name,
      RIALTO_HEALTH_PORT: String(health),
      RIALTO_IDENTITY_KEY_FILE: identities.seedFile(identityOf(service, settings)),
      ...(portVariable === undefined ? {} : { [portVariable]: String(client) }),
      ...settings,
    };
  }
}

/** The console has the routes of `gateway-admin`. */
function startName({ name, service }: SandboxServiceOptions): string {
  return name === 'gateway-console' ? 'gateway-admin' : service;
}

async function isReadyAt(healthPort: number): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
    const answer = await fetch(`http://127.0.0.1:${healthPort}/ready`, { signal });
    await answer.arrayBuffer();
    return answer.status === 200;
  } catch {
    return false;
  }
}

/** Costs a tenth of a failed request, because six starting processes are polled often. */
function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

function identityOf(service: string, settings: Readonly<Record<string, string>>): string {
  if (service === 'gateway-websocket') {
    return streamIdentity(settings.RIALTO_STREAM_AUDIENCE === 'operators' ? 'operators' : 'users');
  }
  if (service !== 'gateway-http') return service;
  const all = SETTINGS.modules.fallback!.value;
  return gatewayIdentity(settings.RIALTO_GATEWAY_MODULES?.split(',') ?? all);
}
