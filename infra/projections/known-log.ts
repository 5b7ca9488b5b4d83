// How far the tables have the log, and of which exchange. Every service with tables compares this
// with the log when it starts: PostgreSQL survives servers that lose the log.

import { setTimeout as delay } from 'node:timers/promises';
import {
  type ConnectionOptions,
  isPassingFault,
  openConnection,
  postgresAddress,
} from '../postgres/index.ts';

type TablesConfig = Parameters<typeof postgresAddress>[0] & {
  readonly mode: 'production' | 'development';
  readonly postgresSchema: string;
  readonly instance: string;
};

export interface LogInTables {
  readonly by: 'the tables';
  readonly exchangeId: string | undefined;
  /** The last frame of which they have events. */
  readonly frame: number;
}

const RETRY_AFTER_MS = 500;
const STATEMENT_TIMEOUT_MS = 10_000;
/** No such table, column or schema: the check of migrations reports it. */
const NOT_MIGRATED = ['42P01', '42703', '3F000'];

/** Reads undefined if the tables have nothing of a log. Waits while PostgreSQL is down. */
export function logInTables(config: TablesConfig): () => Promise<LogInTables | undefined> {
  const options = {
    ...postgresAddress(config, config.mode),
    schema: config.postgresSchema,
    name: config.instance,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  };
  return () => readUntilUp(options);
}

async function readUntilUp(options: ConnectionOptions): Promise<LogInTables | undefined> {
  for (;;) {
    try {
      return await readOnce(options);
    } catch (fault) {
      if (NOT_MIGRATED.includes((fault as { code?: string }).code ?? '')) return undefined;
      if (!isPassingFault(fault)) throw fault;
      await delay(RETRY_AFTER_MS);
    }
  }
}

async function readOnce(options: ConnectionOptions): Promise<LogInTables | undefined> {
  const connection = await openConnection(options);
  try {
    const { rows } = await connection.query('select exchange_id, frame_sequence from projection');
    if (rows.length === 0) return undefined;
    const [{ exchange_id, frame_sequence }] = rows;
    return {
      by: 'the tables',
      exchangeId: exchange_id ?? undefined,
      frame: Number(frame_sequence),
    };
  } finally {
    await connection.end().catch(() => {});
  }
}
