// Permissions that a role's list of paths cannot express. Unknown names are rejected, so no role
// holds a permission that is added later.

import type { UserId } from '../../core/money/index.ts';
import { type Connection, idOf, type Statements } from '../../infra/postgres/index.ts';

export const POWERS = [
  /** Sees users' personal data unmasked, within a budget. */
  'pii.unmasked',
  /** Searches users by parts of names and numbers. */
  'pii.search',
  /** Downloads full lists. */
  'export',
  /** Requests full lists with personal data; others approve each. */
  'export.personal',
  /** Votes on actions that move money. */
  'approve.money',
  /** Votes on actions about accounts, roles and factors. */
  'approve.access',
  /** Votes on actions about markets, fees, limits and the kit. */
  'approve.config',
  /** Stops markets, deposits, withdrawals. */
  'switch.stop',
  /** Requests resuming what was stopped. */
  'switch.resume',
  /** Sends emails with free text. */
  'mail.raw',
  /** Writes secrets of the kit. */
  'kit.secrets',
  /** Reveals personal data of one user, with a reason, for 15 minutes. */
  'break_glass',
] as const;

export type Power = (typeof POWERS)[number];

/** Permissions of voters. */
export type ApprovalPower = Extract<Power, `approve.${string}`>;

export function isPower(text: string): text is Power {
  return (POWERS as readonly string[]).includes(text);
}

/** New operators cannot vote. */
const ROLE_AGE_MS = 86_400_000;

export interface PowerQuestion {
  readonly user: UserId;
  readonly power: string;
  readonly nowMs: number;
}

/** Whether the user has held a role with this permission for 24 hours. */
export async function hasPowerForADay(
  statements: Statements,
  { nowMs, power, user }: PowerQuestion,
): Promise<boolean> {
  const { rows } = await statements.query(
    `select from users u join roles r on r.name = u.role
     where u.id = $1 and u.state = 'active' and $2 = any(r.powers)
       and u.role_since <= to_timestamp($3 / 1000.0)`,
    [user, power, nowMs - ROLE_AGE_MS],
  );
  return rows.length > 0;
}

/** Returns the given users who currently hold a role with this permission. */
export async function holdersOf(
  statements: Statements,
  power: ApprovalPower,
  users: readonly UserId[],
): Promise<UserId[]> {
  const { rows } = await statements.query(
    `select u.id from users u join roles r on r.name = u.role
     where u.id = any($1::bigint[]) and u.state = 'active' and $2 = any(r.powers)`,
    [users, power],
  );
  return rows.map(({ id }) => idOf<UserId>(id));
}

/** Whether a role with these permissions votes on others' actions. */
export function isVoter({ powers }: { readonly powers: readonly string[] }): boolean {
  return powers.some((power) => power.startsWith('approve.'));
}

/** Like a new role: these users cannot vote for 24 hours, and earlier votes do not count. */
export async function restartRoleAge(
  { connection, nowMs }: { readonly connection: Connection; readonly nowMs: number },
  users: readonly UserId[],
): Promise<void> {
  // Votes have a server's time, roles the database's; the later one ends all votes.
  await connection.query(
    `update users set role_since = greatest(now(), to_timestamp($2 / 1000.0))
     where id = any($1::bigint[]) and role is not null`,
    [users, nowMs],
  );
}
