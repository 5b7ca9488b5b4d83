// A projector run as in production: a separate process, started, observed through its log lines and
// its progress in the database, and killed.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Connection } from '../../../infra/postgres/index.ts';
import { waitUntil } from '../../services/wait-until.ts';

export interface ProjectorProcessOptions {
  readonly natsUrls: readonly string[];
  readonly postgresUrl: string;
  readonly schema: string;
  readonly exchange?: string;
  readonly environment?: NodeJS.ProcessEnv;
}

const PROGRAM = join(import.meta.dirname, '../../../services/projector/main.ts');

export class ProjectorProcess {
  readonly child: ChildProcess;
  readonly ended: Promise<unknown>;
  /** Resolves when it has read its cursor and begins to project. */
  readonly started: Promise<void>;

  constructor(options: ProjectorProcessOptions) {
    this.child = spawn(process.execPath, [PROGRAM], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        RIALTO_MODE: 'development',
        RIALTO_REPLICAS: '1',
        RIALTO_EXCHANGE: options.exchange ?? 'rialto',
        RIALTO_NATS_URLS: options.natsUrls.join(','),
        RIALTO_POSTGRES_URL: options.postgresUrl,
        RIALTO_POSTGRES_SCHEMA: options.schema,
        ...options.environment,
      },
    });
    this.ended = once(this.child, 'exit');
    this.started = this.#watch();
  }

  get exitCode(): number | null {
    return this.child.exitCode;
  }

  async kill(signal: NodeJS.Signals): Promise<void> {
    if (this.child.exitCode === null) this.child.kill(signal);
    await this.ended;
  }

  #watch(): Promise<void> {
    return new Promise((done) => {
      void this.ended.then(() => done());
      createInterface({ input: this.child.stdout! }).on('line', (line) => {
        const { level, msg } = JSON.parse(line) as { level: string; msg: string };
        if (msg === 'projection resumed') done();
        if (level === 'fatal') console.error(line);
      });
    });
  }
}

export async function cursorOf(connection: Connection): Promise<number> {
  const { rows } = await connection.query('select events_sequence from projection');
  return Number(rows[0]?.events_sequence ?? 0);
}

export async function waitForCursor(
  connection: Connection,
  wanted: { readonly sequence: number; readonly timeoutMs: number },
): Promise<void> {
  const { sequence, timeoutMs } = wanted;
  await waitUntil({
    what: `the tables are at message ${sequence}`,
    timeoutMs,
    question: async () => (await cursorOf(connection)) >= sequence,
  });
}
