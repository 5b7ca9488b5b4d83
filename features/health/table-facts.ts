// Facts from the tables: queues, discrepancies, backups, frozen markets, switches, and ledger
// totals. Every statement of the first call reads an index of open rows.

import { assertPlainName, type Statements } from '../../infra/postgres/index.ts';
import { readFreezes } from '../listings/index.ts';
import { CHECK_NAMES, readChecks, readOpenDifferences } from '../reconciliation/index.ts';
import type { HealthFacts, LedgerFact, QueueFact } from './health-facts.ts';

export interface TableFacts {
  readonly queues: readonly QueueFact[];
  readonly differences: HealthFacts['differences'];
  readonly frozenMarkets: readonly string[];
  readonly switchesVersion: number;
  /** End of the oldest full pass among all checks; undefined if one has never passed. */
  readonly reconciledMs: number | undefined;
  /**
   * Last backup of the database and of the log, if it is backed up at all: the end of the older
   * one.
   */
  readonly backupMs: number | undefined;
  /** End of the last backup that was restored and compared. */
  readonly restoreDrillMs: number | undefined;
}

/** Counts stop here: an operator needs to see that there are many, not how many. */
const COUNTED_MAX = 10_000;

const QUEUES: readonly { readonly name: string; readonly rows: string }[] = [
  // An email deferred by its recipient's server counts from its next attempt, because it is not due
  // before that. One that our own mail server did not accept counts from its beginning.
  {
    name: 'mails',
    rows: `select case
        when state = 'deferred' and error !~ '^(ECONNECTION|ETIMEDOUT|EDNS|ETLS|ESOCKET|EAUTH)'
        then next_at else created_at
      end as since
      from mail_outbox where state in ('waiting', 'sending', 'deferred') order by next_at, id`,
  },
  {
    name: 'outbox',
    rows: `select created_at as since from outbox where state = 'waiting'
      order by channel, sequence`,
  },
  {
    name: 'engine commands',
    rows: `select created_at as since from engine_commands where state = 'waiting' order by id`,
  },
  {
    name: 'approvals',
    rows: `select created_at as since from approval_requests where state = 'pending' order by id`,
  },
  {
    name: 'withdrawals in review',
    rows: `select created_at as since from withdrawal_requests where state = 'in_review'
      order by id`,
  },
  {
    name: 'transfers to publish',
    rows: `select changed_at as since from transfer_changes where published_at is null
      order by id`,
  },
];

const QUEUES_TEXT = QUEUES.map(
  ({ name, rows }) => `select '${name}' as name, count(*) as waiting,
     greatest(0, coalesce(extract(epoch from now() - min(since)) * 1000, 0)) as oldest_ms
   from (${rows} limit ${COUNTED_MAX}) as q`,
).join('\nunion all\n');

export async function readTableFacts(
  statements: Statements,
  projectionSchema: string,
): Promise<TableFacts> {
  const differences = await readOpenDifferences(statements);
  const counts = new Map<string, number>();
  for (const { check } of differences) counts.set(check, (counts.get(check) ?? 0) + 1);
  const freezes = await readFreezes({ connection: statements, exchange: { projectionSchema } });
  const { rows } = await statements.query('select version from switch_version');
  return {
    queues: await readQueues(statements),
    differences: [...counts].map(([check, count]) => ({ check, count })),
    frozenMarkets: [...new Set(freezes.flatMap(({ market }) => market?.symbol ?? []))].sort(),
    switchesVersion: Number(rows[0].version),
    reconciledMs: await readReconciled(statements),
    ...(await readBackupTimes(statements)),
  };
}

/** Reads all balances, so call it rarely. */
export async function readLedgerSums(
  statements: Statements,
  projectionSchema: string,
): Promise<LedgerFact[]> {
  assertPlainName(projectionSchema);
  const { rows } = await statements.query(
    `select a.symbol, sum(b.available_atoms::numeric + b.held_atoms)::text as sum
     from ${projectionSchema}.balances b join ${projectionSchema}.assets a on a.id = b.asset_id
     group by a.symbol order by a.symbol`,
  );
  return rows.map((row) => ({ asset: row.symbol, sumAtoms: row.sum }));
}

async function readQueues(statements: Statements): Promise<QueueFact[]> {
  const { rows } = await statements.query(QUEUES_TEXT);
  return rows.map((row) => ({
    name: row.name,
    waiting: Number(row.waiting),
    oldestMs: Math.round(Number(row.oldest_ms)),
  }));
}

async function readReconciled(statements: Statements): Promise<number | undefined> {
  const checks = await readChecks(statements);
  const passed = CHECK_NAMES.map((name) =>
    checks.find((one) => one.name === name)?.passedAt?.getTime(),
  );
  return passed.some((one) => one === undefined) ? undefined : Math.min(...(passed as number[]));
}

async function readBackupTimes(
  statements: Statements,
): Promise<Pick<TableFacts, 'backupMs' | 'restoreDrillMs'>> {
  const { rows } = await statements.query(
    `select max(ended_at) filter (where kind = 'database') as database,
       max(ended_at) filter (where kind = 'log') as log,
       max(ended_at) filter (where verified) as verified
     from backups`,
  );
  const [{ database, log, verified }] = rows as [Record<string, Date | null>];
  const databaseMs = database?.getTime();
  return {
    backupMs: databaseMs && Math.min(databaseMs, log?.getTime() ?? databaseMs),
    restoreDrillMs: verified?.getTime(),
  };
}
