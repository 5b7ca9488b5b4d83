// Starts a real PostgreSQL server on loopback, with its data in a given folder. For development,
// tests, benches and drills: it has no password.

import { createHash } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePorts } from './free-ports.ts';
import { cacheFolder } from './install-nats.ts';
import { installPostgres } from './install-postgres.ts';
import { greetPostgres } from './postgres-greeting.ts';
import { runProgram } from './run-program.ts';
import { ServerProcess } from './server-process.ts';
import { allowTraversal, postgresUser, type ServerUser } from './server-user.ts';

export interface PostgresServer {
  readonly url: string;
  readonly port: number;
  readonly dataFolder: string;
  readonly logFile: string;
  /** Undefined if the server is not running. */
  readonly pid: number | undefined;
  /** Uses the same port and data. Resolves when it accepts sessions. */
  start(): Promise<void>;
  /** Resolves when the process has exited, or for SIGSTOP when it is stopped. */
  kill(signal: NodeJS.Signals): Promise<void>;
  stop(): Promise<void>;
}

export type PostgresOptions = {
  /** Contains data and log; created if missing, never emptied. */
  folder: string;
  /** Content of a new folder; by default an empty database. */
  template?: PostgresTemplate;
  /** False leaves the server running when this process exits. */
  untilParentDies?: boolean;
  /** Called for every process as soon as it runs. */
  onLaunch?: (server: { name: string; pid: number }) => void;
};

/** Filled once, then copied, which takes a tenth of the time of most migrations. */
export interface PostgresTemplate {
  /** Identifies everything that determines the content; different content has a different key. */
  readonly key: string;
  fill(url: string): Promise<void>;
}

/** Ends all sessions, then the server. SIGTERM would block until every client has disconnected. */
export const postgresStopSignal = 'SIGINT';

const superuser = 'postgres';
const database = 'postgres';
const portAttemptsMax = 5;
const KEPT_PREFIX = 'postgres-';

// After a kill -9, the session processes need a moment to release the data.
const releaseTimeoutMs = 10_000;
const releasePauseMs = 100;

/** A copy that no process used for this long belongs to older sources. */
const KEPT_UNUSED_MS = 3 * 86_400_000;

export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const programs = await installPostgres();
  const user = postgresUser();
  const folder = resolve(options.folder);
  mkdirSync(folder, { recursive: true });
  if (user !== undefined) allowTraversal(folder, user);
  const dataFolder = join(folder, 'data');
  if (!existsSync(dataFolder)) {
    await initialise({ programs, dataFolder, user, template: options.template });
  }
  for (let attempt = 1; ; attempt += 1) {
    const [port] = await freePorts(1);
    const server = postgresServer({ ...options, folder, programs, dataFolder, port, user });
    try {
      await server.start();
      return server;
    } catch (fault) {
      await server.stop();
      // Another process might have bound the port in the meantime.
      const isPortTaken = fault instanceof Error && /Address already in use/.test(fault.message);
      if (!isPortTaken || attempt === portAttemptsMax) throw fault;
    }
  }
}

interface NewDatabase {
  readonly programs: string;
  readonly dataFolder: string;
  readonly user: ServerUser | undefined;
  readonly template: PostgresTemplate | undefined;
}

// A rename creates the data folder, so an interrupted initdb does not look like a database.
async function initialise({ dataFolder, programs, template, user }: NewDatabase): Promise<void> {
  const unfinished = `${dataFolder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  const kept = keptDatabase(programs, template);
  if (!(await copyFolder(kept, unfinished))) {
    if (template === undefined) await makeDatabase(programs, unfinished, user);
    else await fillDatabase(template, unfinished);
    const copy = mkdtempSync(`${kept}.`);
    // Another process might have stored its own copy at the same time; both are equivalent.
    if (await copyFolder(unfinished, join(copy, 'data'))) keep(join(copy, 'data'), kept);
    rmSync(copy, { recursive: true, force: true });
    removeUnused(dirname(kept));
  }
  markUsed(kept);
  renameSync(unfinished, dataFolder);
}

/** Copying a database takes a tenth of the time of initdb. One for each PostgreSQL and template. */
function keptDatabase(programs: string, template: PostgresTemplate | undefined): string {
  const cache = cacheFolder(process.env);
  mkdirSync(cache, { recursive: true });
  const { mtimeMs } = statSync(join(programs, 'postgres'));
  const text = [programs, mtimeMs, ...(template === undefined ? [] : [template.key])].join(' ');
  const name = createHash('sha256').update(text).digest('hex').slice(0, 12);
  return join(cache, `${KEPT_PREFIX}${name}`);
}

/** Fills an empty database in a server, which has exited when this resolves. */
async function fillDatabase(template: PostgresTemplate, dataFolder: string): Promise<void> {
  const folder = `${dataFolder}.filled`;
  rmSync(folder, { recursive: true, force: true });
  const server = await startPostgres({ folder });
  try {
    await template.fill(server.url);
  } finally {
    await server.stop();
  }
  renameSync(join(folder, 'data'), dataFolder);
  rmSync(folder, { recursive: true, force: true });
}

function markUsed(kept: string): void {
  const now = new Date();
  try {
    utimesSync(kept, now, now);
  } catch {
    // Another process removed it; the next one creates another.
  }
}

function removeUnused(cache: string): void {
  const unusedMs = Date.now() - KEPT_UNUSED_MS;
  for (const name of readdirSync(cache).filter((one) => one.startsWith(KEPT_PREFIX))) {
    const { mtimeMs } = statSync(join(cache, name), { throwIfNoEntry: false }) ?? {};
    if (mtimeMs === undefined || mtimeMs > unusedMs) continue;
    rmSync(join(cache, name), { recursive: true, force: true });
  }
}

async function copyFolder(from: string, to: string): Promise<boolean> {
  if (!existsSync(from)) return false;
  if ((await runProgram('cp', ['-a', from, to])).succeeded) return true;
  rmSync(to, { recursive: true, force: true });
  return false;
}

function keep(made: string, kept: string): void {
  try {
    renameSync(made, kept);
  } catch (fault) {
    if (!existsSync(kept)) throw fault;
  }
}

async function makeDatabase(
  programs: string,
  folder: string,
  user: ServerUser | undefined,
): Promise<void> {
  mkdirSync(folder, { mode: 0o700 });
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  const choices = ['--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C'];
  const { succeeded, output } = await runProgram(
    join(programs, 'initdb'),
    ['--pgdata', folder, '--username', superuser, ...choices],
    { folder, user },
  );
  if (!succeeded) throw new Error(`initdb could not create a database in ${folder}:\n${output}`);
}

function postgresServer(
  options: PostgresOptions & {
    programs: string;
    dataFolder: string;
    port: number;
    user: ServerUser | undefined;
  },
): PostgresServer {
  const { programs, folder, dataFolder, port, user } = options;
  const logFile = join(folder, 'postgres.log');
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    // The length of a socket path is limited, and a test's folder might exceed it.
    unix_socket_directories: '',
    timezone: 'UTC',
    log_timezone: 'UTC',
  };
  const server = new ServerProcess({
    name: 'postgres',
    program: join(programs, 'postgres'),
    args: ['-D', dataFolder, ...Object.entries(settings).flatMap(([k, v]) => ['-c', `${k}=${v}`])],
    folder: dataFolder,
    logFile,
    untilParentDies: options.untilParentDies ?? true,
    user,
    onLaunch: options.onLaunch,
  });
  return {
    url: `postgres://${superuser}@127.0.0.1:${port}/${database}`,
    port,
    dataFolder,
    logFile,
    get pid() {
      return server.pid;
    },
    start: () => launch(server, port),
    kill: (signal) => server.kill(signal),
    stop: () => server.stop(postgresStopSignal),
  };
}

async function launch(server: ServerProcess, port: number): Promise<void> {
  const isReady = async () =>
    (await greetPostgres({ port, user: superuser, database })) === 'ready';
  const deadlineMs = performance.now() + releaseTimeoutMs;
  for (;;) {
    server.launch();
    try {
      return await server.waitUntil('accepts sessions', isReady);
    } catch (fault) {
      const isLocked = /lock file|shared memory block/.test(
        fault instanceof Error ? fault.message : '',
      );
      if (!isLocked || server.pid !== undefined || performance.now() > deadlineMs) throw fault;
      await delay(releasePauseMs);
    }
  }
}
