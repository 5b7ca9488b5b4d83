// Measures rows per second: the projector catches up with an existing log, and then its rows are
// copied, table by table, into empty tables with the same indexes, and into bare ones.

import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { connectNats } from '../../../infra/bus/index.ts';
import { migrate, type OwnConnection, openConnection } from '../../../infra/postgres/index.ts';
import {
  makeMonthPartitions,
  makeOrderPartition,
  monthOf,
  readProjectionMigrations,
} from '../../../infra/projections/index.ts';
import { cpuSeconds } from '../processes.ts';
import { eventsLog } from './nats-events.ts';
import { ProjectorProcess, waitForCursor } from './projector-process.ts';
import { writeFlow } from './write-flow.ts';

export interface ThroughputOptions {
  readonly natsUrls: readonly string[];
  readonly postgresUrl: string;
  readonly round: number;
  readonly commands: number;
}

/** Tables that grow; the others have a handful of rows. */
const TABLES = [
  ...(['orders', 'trades', 'fills', 'ledger_entries', 'balances', 'candles', 'deposits'] as const),
];
const INSTANCE = 'projected';
const COPYING = 'copying';
const ORDERS_PER_PARTITION = 100_000_000;
const CATCH_UP_TIMEOUT_MS = 600_000;
const STATEMENT_TIMEOUT_MS = 600_000;

export async function measureThroughput(
  options: ThroughputOptions,
): Promise<Record<string, number>> {
  const { natsUrls, postgresUrl, round } = options;
  const exchange = `bench${round}`;
  const nats = await connectNats({ urls: natsUrls, name: 'bench' });
  const log = await eventsLog(nats, exchange);
  const written = await writeFlow({ nats, exchange, commands: options.commands });
  const open = async (schema: string, name = 'bench') => {
    const connection = await openConnection({
      url: postgresUrl,
      schema,
      name,
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    });
    await migrate(connection, schema, readProjectionMigrations());
    return connection;
  };
  const session = await open(exchange);
  const startedMs = performance.now();
  const projector = new ProjectorProcess({
    natsUrls,
    postgresUrl,
    schema: exchange,
    exchange,
    environment: { RIALTO_INSTANCE: INSTANCE },
  });
  await projector.started;
  const begunMs = performance.now();
  const { messages: sequence } = written;
  await waitForCursor(session, { sequence, timeoutMs: CATCH_UP_TIMEOUT_MS });
  const projectedMs = performance.now() - begunMs;
  const cpu = {
    projector: cpuSeconds(projector.child.pid),
    writing: cpuSeconds(await backendOf(session, INSTANCE)),
  };
  await projector.kill('SIGTERM');
  const copied = await readRows(session);
  const indexed = await open(`${exchange}_indexed`, COPYING);
  await makeOrderPartition(indexed, 0, ORDERS_PER_PARTITION);
  await makeMonthPartitions(indexed, monthOf(written.timeMs));
  const idleCpu = cpuSeconds(await backendOf(session, COPYING));
  const indexedMs = await copyRows(indexed, copied);
  const copyingCpu = cpuSeconds(await backendOf(session, COPYING)) - idleCpu;
  const bare = await open(`${exchange}_bare`);
  const plain = TABLES.map((table) => `create table bare_${table} (like ${table});`);
  await bare.query(plain.join('\n'));
  const bareMs = await copyRows(bare, copied, 'bare_');
  for (const each of [session, indexed, bare]) await each.end();
  log.stop();
  await nats.close();
  const rows = copied.reduce((sum, table) => sum + table.rows, 0);
  const perRow = (seconds: number) => Number(((seconds * 1e6) / rows).toFixed(2));
  const perSecond = (ms: number) => Math.round((rows * 1_000) / ms);
  return {
    ratioToBare: Number((indexedMs / projectedMs).toFixed(3)),
    ratioToHeap: Number((bareMs / projectedMs).toFixed(3)),
    rowsPerSecond: perSecond(projectedMs),
    bareCopyRowsPerSecond: perSecond(indexedMs),
    heapCopyRowsPerSecond: perSecond(bareMs),
    commandsPerSecond: Math.round((options.commands * 1_000) / projectedMs),
    // Processor time, which is more meaningful than elapsed time on a machine with other work.
    projectorCpuUsPerRow: perRow(cpu.projector),
    postgresCpuUsPerRow: perRow(cpu.writing),
    bareCopyCpuUsPerRow: perRow(copyingCpu),
    cpuRatioToBare: Number((copyingCpu / cpu.writing).toFixed(3)),
    rows,
    startMs: Math.round(begunMs - startedMs),
  };
}

/** Returns the server process for the connection with this name. */
async function backendOf(connection: OwnConnection, name: string): Promise<number> {
  const text = 'select pid from pg_stat_activity where application_name = $1';
  return (await connection.query(text, [name])).rows[0]?.pid;
}

interface TableRows {
  readonly table: string;
  readonly bytes: Buffer;
  readonly rows: number;
}

async function readRows(connection: OwnConnection): Promise<TableRows[]> {
  const found: TableRows[] = [];
  for (const table of TABLES) {
    const text = `copy (select * from ${table}) to stdout (format binary)`;
    const stream = connection.query(copyTo(text));
    const bytes = await buffer(stream);
    // NOTE: the client's response timer keeps running after such a stream unless it is stopped.
    (stream as unknown as { callback(): void }).callback();
    found.push({ table, bytes, rows: stream.rowCount });
  }
  return found;
}

async function copyRows(
  connection: OwnConnection,
  tables: readonly TableRows[],
  prefix = '',
): Promise<number> {
  const startedMs = performance.now();
  await connection.query('begin');
  for (const { bytes, table } of tables) {
    const stream = connection.query(copyFrom(`copy ${prefix}${table} from stdin (format binary)`));
    await pipeline(Readable.from(chunksOf(bytes)), stream);
  }
  await connection.query('commit');
  return performance.now() - startedMs;
}

const CHUNK_BYTES = 256 * 1024;

function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    yield bytes.subarray(at, at + CHUNK_BYTES);
  }
}
