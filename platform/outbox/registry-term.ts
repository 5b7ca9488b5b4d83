// Binds the registry to its log (docs/decisions/0034-registry-and-log.md). A registry that went
// back in time must never hand out a number or a position again: until the engine has accepted the
// registry's next position on every channel, a trigger of the tables refuses new rows.

import { type Connection, inTransaction } from '../../infra/postgres/index.ts';
import { enqueue } from './enqueue.ts';
import { OUTBOX_CHANNELS, type OutboxCommand, type OutboxPosition } from './outbox.ts';

/** The engine refuses it, for no withdrawal has number 0: it only takes a position in the log. */
function statement(text: string): OutboxCommand {
  return { kind: 'CompleteWithdrawal', withdrawal: 0, reference: text };
}

export function isStatement(command: OutboxCommand): boolean {
  return command.kind === 'CompleteWithdrawal' && command.withdrawal === 0;
}

/** Records in the log that an operator is about to pay a withdrawal. */
export function claimStatement(withdrawal: number): OutboxCommand {
  return statement(`claim ${withdrawal}`);
}

export type RegistryTerm =
  | { readonly kind: 'confirmed' }
  /** It counts when the engine has accepted these positions. */
  | { readonly kind: 'stated'; readonly positions: readonly OutboxPosition[] }
  /** Only `restore reconcile` leads out. */
  | { readonly kind: 'blocked'; readonly reason: string };

/** Lets the rest of the transaction write although the registry is not confirmed. */
export async function passFence(connection: Connection): Promise<void> {
  await connection.query(`select set_config('rialto.confirming', 'on', true)`);
}

const TIMELINE = `substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)`;

/**
 * The term of a dispatcher that has just connected. On a server that is not confirmed it takes the
 * next position of each channel. Another exchange's log blocks the registry, and so does a
 * promotion or recovery since the last term: rows that left no trace in the log may be lost.
 */
export function openTerm(connection: Connection, exchangeId: string): Promise<RegistryTerm> {
  return inTransaction(connection, async () => {
    const { rows } = await connection.query(
      `insert into registry_term as t (term, state, timeline, server_started, exchange)
       values (1, 'new', ${TIMELINE}, '-infinity', $1)
       on conflict (singleton) do update set exchange = coalesce(t.exchange, $1)
       returning term::float8 as term, registry, state, reason, timeline, ${TIMELINE} as now_at,
         exchange = $1 as is_own_log,
         server_started = pg_postmaster_start_time() as is_same_server`,
      [exchangeId],
    );
    const { is_own_log, is_same_server, now_at, reason, registry, state, timeline } = rows[0];
    if (state === 'blocked') return { kind: 'blocked', reason };
    if (!is_own_log) return block(connection, 'the log is that of another exchange');
    if (state === 'confirmed' && is_same_server) return { kind: 'confirmed' };
    if (timeline !== now_at) {
      return block(connection, `PostgreSQL went from timeline ${timeline} to ${now_at}`);
    }
    const term = rows[0].term + 1;
    await connection.query(
      `update registry_term set term = $1, changed_at = now(),
         state = case state when 'new' then state else 'confirming' end`,
      [term],
    );
    await passFence(connection);
    const text = `term ${term} registry ${registry.slice(0, 8)} timeline ${now_at}`;
    const positions: OutboxPosition[] = [];
    for (const channel of Object.values(OUTBOX_CHANNELS)) {
      positions.push(await enqueue(connection, statement(text), { channel }));
    }
    return { kind: 'stated', positions };
  });
}

async function block(connection: Connection, reason: string): Promise<RegistryTerm> {
  await blockRegistry(connection, reason);
  return { kind: 'blocked', reason };
}

/** The engine and this server agree about every position. */
export async function confirmTerm(connection: Connection): Promise<void> {
  await connection.query(
    `update registry_term set state = 'confirmed', server_started = pg_postmaster_start_time(),
       changed_at = now() where state <> 'blocked'`,
  );
}

/** Permanent: the registry and the log do not belong together. */
export async function blockRegistry(connection: Connection, reason: string): Promise<void> {
  await connection.query(
    `update registry_term set state = 'blocked', reason = $1, changed_at = now()
     where state <> 'blocked'`,
    [reason],
  );
}
