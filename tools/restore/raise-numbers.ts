// Raises the registry's next IDs, so no ID from its lost part is used twice.

import type { Connection } from '../../infra/postgres/index.ts';
import type { LogFacts } from './read-money-commands.ts';

/** More than a registry assigns between two backups. */
const NUMBERS_LEFT_OUT = 100_000;

/** IDs continue far above every ID in the log or the registry. */
export async function raiseNumbers(
  connection: Connection,
  largest: LogFacts['largest'],
): Promise<string[]> {
  const raised: string[] = [];
  for (const [table, logged] of [
    ['users', largest.user],
    ['api_keys', largest.key],
    ['withdrawal_requests', largest.withdrawal],
    ['deposit_requests', 0],
    ['stakes', 0],
  ] as const) {
    const { rows: names } = await connection.query(
      `select pg_get_serial_sequence($1, 'id') as sequence`,
      [table],
    );
    const { sequence } = names[0];
    const { rows } = await connection.query(
      `select setval($1::regclass, greatest($2::bigint, last_value,
         (select max(id) from ${table})) + $3)::float8 as last from ${sequence}`,
      [sequence, logged, NUMBERS_LEFT_OUT],
    );
    raised.push(`numbers of ${table} continue after ${rows[0].last}`);
  }
  return raised;
}
