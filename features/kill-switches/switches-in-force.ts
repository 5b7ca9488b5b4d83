// The switches that processes enforce themselves, as one small read of the registry. Rules that
// must hold in a transaction ask the table in that transaction: no process has to have heard.

import type { Statements } from '../../infra/postgres/index.ts';

export interface SwitchesInForce {
  /** Grows with every change of a switch. */
  readonly version: number;
  /** Users change nothing. */
  readonly isReadOnly: boolean;
  /** Nobody but operators logs in. */
  readonly areLoginsStopped: boolean;
  readonly stoppedServices: ReadonlySet<string>;
  readonly sessionEnds: SessionEnds;
}

/** Moments before which sessions began that are over, in milliseconds since 1970. */
export interface SessionEnds {
  /** Of everyone but the kept session. */
  readonly everyoneAtMs: number;
  /** Of the person who logged everyone out; 0 for none. */
  readonly keptSession: number;
  /** Of all who are no operators. */
  readonly usersAtMs: number;
}

/** The part of a caller that says when a session ends. */
export interface SessionCaller {
  readonly kind: 'key' | 'session';
  readonly session: number;
  readonly beganAtMs: number;
  /** `user` unless the session may use another role. */
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

/** Changes whenever `readSwitchesInForce` would answer something else. */
export async function readSwitchVersion(statements: Statements): Promise<number> {
  const { rows } = await statements.query('select version from switch_version');
  return Number(rows[0].version);
}

/** Ask it last before the change: a transaction may have waited for a lock. */
export async function isReadOnly(statements: Statements): Promise<boolean> {
  const { rows } = await statements.query("select from stops where name = 'writes' limit 1");
  return rows.length > 0;
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
 * The same as an SQL condition on the row of a session. The moments are whole milliseconds, so that
 * both sides compare alike.
 */
export function sessionHasEnded(session: string): string {
  return `(${session}.created_at < (select everyone_at from session_ends)
      and ${session}.id <> (select kept_session from session_ends)
    or ${session}.created_at < (select users_at from session_ends)
      and not (${session}.kind = 'login' and exists (select from users operator
        where operator.id = ${session}.user_id and operator.role = any(${session}.scopes))))`;
}

/**
 * All sessions that have begun are over, but the kept one. Resolves with the moment. A stop of the
 * logins ends those of users by itself: see the trigger of the table.
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
