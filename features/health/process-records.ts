// Recorded processes. The monitor writes them, and an operator dismisses those that will not
// return.

import type { Statements } from '../../infra/postgres/index.ts';
import type { ProcessState } from './health-facts.ts';

export interface ProcessRecord {
  readonly instance: string;
  readonly service: string;
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  readonly commit: string;
  readonly startedMs: number;
  readonly heardMs: number;
  readonly state: ProcessState;
}

export async function readProcesses(statements: Statements): Promise<ProcessRecord[]> {
  const { rows } = await statements.query('select * from processes order by instance');
  return rows.map((row) => ({
    instance: row.instance,
    service: row.service,
    host: row.host,
    pid: Number(row.pid),
    version: row.version,
    commit: row.commit,
    startedMs: row.started_at.getTime(),
    heardMs: row.heard_at.getTime(),
    state: row.state,
  }));
}

/** In the statement's order. */
const COLUMNS = [
  'instance',
  'service',
  'host',
  'pid',
  'version',
  'commit',
  'state',
  'startedMs',
  'heardMs',
] as const;

export async function writeProcesses(
  statements: Statements,
  records: readonly ProcessRecord[],
): Promise<void> {
  if (records.length === 0) return;
  await statements.query(
    `insert into processes
       (instance, service, host, pid, version, commit, state, started_at, heard_at)
     select instance, service, host, pid, version, commit, state,
       to_timestamp(started_ms / 1000.0), to_timestamp(heard_ms / 1000.0)
     from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::text[],
       $7::text[], $8::bigint[], $9::bigint[])
       as p (instance, service, host, pid, version, commit, state, started_ms, heard_ms)
     on conflict (instance) do update set service = excluded.service, host = excluded.host,
       pid = excluded.pid, version = excluded.version, commit = excluded.commit,
       state = excluded.state, started_at = excluded.started_at, heard_at = excluded.heard_at`,
    COLUMNS.map((column) => records.map((record) => record[column])),
  );
}

export async function removeProcesses(
  statements: Statements,
  instances: readonly string[],
): Promise<void> {
  if (instances.length === 0) return;
  await statements.query('delete from processes where instance = any($1)', [instances]);
}
