// Switches that processes enforce themselves, as one small read of the registry. Rules that must
// hold in a transaction query the table in that transaction, so they do not depend on a process
// being notified.

import type { Statements } from '../../infra/postgres/index.ts';

export interface SwitchesInForce {
  /** Increases with every change of a switch. */
  readonly version: number;
  /** Users cannot change anything. */
  readonly isReadOnly: boolean;
  /** Only operators can log in. */
  readonly areLoginsStopped: boolean;
  readonly stoppedServices: ReadonlySet<string>;
  readonly sessionEnds: SessionEnds;
}

/** Times in milliseconds since 1970; sessions that began earlier are invalid. */
export interface SessionEnds {
  /** For all sessions except the kept one. */
  readonly everyoneAtMs: number;
  /** Session of the operator who logged everyone out; 0 if none. */
  readonly keptSession: number;
  /** For all users who are not operators. */
  readonly usersAtMs: number;
}

/** Caller fields that decide whether a session has ended. */
export interface SessionCaller {
  readonly kind: 'key' | 'session';
  readonly session: number;
  readonly beganAtMs: number;
  /** `user` unless the session can use another role. */
  readonly role: string;
}

const NO_ROLE = 'user';

export async function readSwitchesInForce(statements: Statements): Promise<SwitchesInForce> {
  const { rows } = await statements.query(
    `select v.version, e.kept_session,
       (1000 * extract(epoch from e.everyone_at))::bigint as everyone_at_ms,
       (1000 * extract(epoch from e.users_at))::bigint as users_at_ms,
       exists (select from stops where name = 'writes') as is_read_only,
       exists (select from stops where name = 'logins') as are_logins_stopped,
       array(select object from stops where name = 'intake') as services
     from switch_version v, session_ends e`,
  );
  const [row] = rows;
  return {
    version: Number(row.version),
    isReadOnly: row.is_read_only,
    areLoginsStopped: row.are_logins_stopped,
    stoppedServices: new Set(row.services),
    sessionEnds: {
      everyoneAtMs: Number(row.everyone_at_ms),
      keptSession: Number(row.kept_session),
      usersAtMs: Number(row.users_at_ms),
    },
  };
}

/** Changes whenever the result of `readSwitchesInForce` would change. */
export async function readSwitchVersion(statements: Statements): Promise<number> {
  const { rows } = await statements.query('select version from switch_version');
  return Number(rows[0].version);
}

/** Call it last before the change, because a transaction might have waited for a lock. */
export async function isReadOnly(statements: Statements): Promise<boolean> {
  const { rows } = await statements.query("select from stops where name = 'writes' limit 1");
  return rows.length > 0;
}

/** Returns the symbols of coins whose deposits are stopped; an empty symbol is all of them. */
export async function readStoppedDeposits(statements: Statements): Promise<ReadonlySet<string>> {
  const { rows } = await statements.query("select object from stops where name = 'deposits'");
  return new Set(rows.map(({ object }) => object));
}

export async function areLoginsStopped(statements: Statements): Promise<boolean> {
  const { rows } = await statements.query("select from stops where name = 'logins' limit 1");
  return rows.length > 0;
}

export function hasSessionEnded(ends: SessionEnds, caller: SessionCaller): boolean {
  const { beganAtMs, kind, role, session } = caller;
  if (kind !== 'session') return false;
  if (beganAtMs < ends.everyoneAtMs && session !== ends.keptSession) return true;
  return role === NO_ROLE && beganAtMs < ends.usersAtMs;
}

/**
 * Same as an SQL condition on a session's row. The times are whole milliseconds, so both sides
 * compare alike.
 */
export function sessionHasEnded(session: string): string {
  return `(${session}.created_at < (select everyone_at from session_ends)
      and ${session}.id <> (select kept_session from session_ends)
    or ${session}.created_at < (select users_at from session_ends)
      and not (${session}.kind = 'login' and exists (select from users operator
        where operator.id = ${session}.user_id and operator.role = any(${session}.scopes))))`;
}

/**
 * Ends all existing sessions except the kept one. Resolves with the time. Stopping logins ends
 * users' sessions automatically; see the table's trigger.
 */
export async function endSessionsOfEveryone(
  statements: Statements,
  { keptSession }: Pick<SessionEnds, 'keptSession'>,
): Promise<Date> {
  const { rows } = await statements.query(
    `update session_ends set everyone_at = next_millisecond(), kept_session = $1
     returning everyone_at`,
    [keptSession],
  );
  return rows[0].everyone_at;
}
