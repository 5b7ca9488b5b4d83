// Roles that vote, and their age: a role that is younger than 24 hours does not vote.

import type { UserId } from '../../core/money/index.ts';
import type { ActContext } from './act.ts';

/** Whether a role with these powers votes on acts of others. */
export function isVoter({ powers }: { readonly powers: readonly string[] }): boolean {
  return powers.some((power) => power.startsWith('approve.'));
}

/** As after a new role: these users do not vote for 24 hours, and earlier votes do not count. */
export async function restartRoleAge(
  { connection, nowMs }: Pick<ActContext, 'connection' | 'nowMs'>,
  users: readonly UserId[],
): Promise<void> {
  // Votes have the time of a server, roles that of the database: the later one ends all votes.
  await connection.query(
    `update users set role_since = greatest(now(), to_timestamp($2 / 1000.0))
     where id = any($1::bigint[]) and role is not null`,
    [users, nowMs],
  );
}
