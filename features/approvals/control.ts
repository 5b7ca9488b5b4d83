// Control mode of the exchange and its thresholds. In solo mode, an administrator acts alone; in
// team mode, significant actions need other operators. Team mode ends 24 hours after its notice.

import type { Connection, Statements } from '../../infra/postgres/index.ts';

export type ControlMode = 'solo' | 'team';

/** Role that acts alone in solo mode. */
export const ADMINISTRATOR = 'admin';

export interface ExchangeControl {
  readonly mode: ControlMode;
  /** Decimals in the currency. */
  readonly oneApprovalFrom: string;
  readonly twoApprovalsFrom: string;
  /** Administrators get an email about each movement of this value or more. */
  readonly notifyFrom: string;
  /** Currency of all amounts, including the withdrawal policy and key grants. */
  readonly currency: string;
  /** When team mode ends after its notice; null without a notice. */
  readonly soloFrom: Date | null;
  /** When an administrator chose the mode; null if not chosen. */
  readonly chosenAt: Date | null;
}

export interface Thresholds {
  readonly oneApprovalFrom?: string | undefined;
  readonly twoApprovalsFrom?: string | undefined;
  readonly notifyFrom?: string | undefined;
}

/** The only place that decides the mode: a due notice counts before a job has written it. */
export async function readControl(statements: Statements): Promise<ExchangeControl> {
  const { rows } = await statements.query(
    `select case when solo_from <= now() then 'solo' else mode end as mode, one_approval_from,
       two_approvals_from, notify_from, currency,
       case when solo_from > now() then solo_from end as solo_from, chosen_at
     from exchange_control`,
  );
  const [row] = rows;
  return {
    mode: row.mode,
    oneApprovalFrom: row.one_approval_from,
    twoApprovalsFrom: row.two_approvals_from,
    notifyFrom: row.notify_from,
    currency: row.currency,
    soloFrom: row.solo_from,
    chosenAt: row.chosen_at,
  };
}

/** Whether the operator is an administrator in solo mode. */
export async function actsAlone(
  statements: Statements,
  { role }: { readonly role: string },
): Promise<boolean> {
  return role === ADMINISTRATOR && (await readControl(statements)).mode === 'solo';
}

/** Administrators who can sign in with a second factor. */
export async function countAdministrators(statements: Statements): Promise<number> {
  const { rows } = await statements.query(
    `select count(*) from users u where u.role = 'admin' and u.state = 'active' and (
       exists (select from totp_secrets t where t.user_id = u.id and t.state = 'active')
       or exists (select from passkeys p where p.user_id = u.id and p.revoked_at is null))`,
  );
  return Number(rows[0].count);
}

/** Takes effect immediately, and cancels a notice. */
export async function enterTeam(connection: Connection): Promise<void> {
  await connection.query(
    `update exchange_control set mode = 'team', solo_from = null,
       chosen_at = coalesce(chosen_at, now()), updated_at = now()`,
  );
}

/** Keeps a new exchange's mode as a deliberate choice. */
export async function chooseSolo(connection: Connection): Promise<void> {
  await connection.query(`update exchange_control set chosen_at = now(), updated_at = now()`);
}

/** Returns when team mode ends. */
export async function giveNoticeOfSolo(connection: Connection): Promise<Date> {
  const { rows } = await connection.query(
    `update exchange_control set solo_from = now() + interval '24 hours', updated_at = now()
     returning solo_from`,
  );
  return rows[0].solo_from;
}

/** Returns false unless a notice was due. PostgreSQL rejects every other way out of team mode. */
export async function endTeam(connection: Connection): Promise<boolean> {
  const { rowCount } = await connection.query(
    `update exchange_control set mode = 'solo', updated_at = now()
     where mode = 'team' and solo_from <= now()`,
  );
  return rowCount === 1;
}

/** Throws a PostgreSQL error unless 0 ≤ one ≤ two. */
export async function setThresholds(
  statements: Statements,
  { notifyFrom, oneApprovalFrom, twoApprovalsFrom }: Thresholds,
): Promise<void> {
  await statements.query(
    `update exchange_control set one_approval_from = coalesce($1, one_approval_from),
       two_approvals_from = coalesce($2, two_approvals_from),
       notify_from = coalesce($3, notify_from), updated_at = now()`,
    [oneApprovalFrom ?? null, twoApprovalsFrom ?? null, notifyFrom ?? null],
  );
}
