// The mode of the exchange: set-up, normal, or a single operator. Set-up ends for good as soon as
// two administrators have second factors; thresholds above the defaults do not outlive it.

import type { Connection, Statements } from '../../infra/postgres/index.ts';

export type ControlMode = 'setup' | 'normal' | 'single_operator';

export interface ExchangeControl {
  readonly mode: ControlMode;
  /** Decimals in the currency. */
  readonly oneApprovalFrom: string;
  readonly twoApprovalsFrom: string;
  /** Of all thresholds, also those of the withdrawal policy. */
  readonly currency: string;
}

export interface Thresholds {
  readonly oneApprovalFrom?: string | undefined;
  readonly twoApprovalsFrom?: string | undefined;
}

const ADMINISTRATORS_NEEDED = 2;
/** As in the table. */
const DEFAULT_THRESHOLDS = { oneApprovalFrom: 1_000, twoApprovalsFrom: 50_000 } as const;

export async function readControl(statements: Statements): Promise<ExchangeControl> {
  const { rows } = await statements.query(
    'select mode, one_approval_from, two_approvals_from, currency from exchange_control',
  );
  const [{ currency, mode, one_approval_from: one, two_approvals_from: two }] = rows;
  return { mode, oneApprovalFrom: one, twoApprovalsFrom: two, currency };
}

/** Administrators who can log in with a second factor. */
export async function countAdministrators(statements: Statements): Promise<number> {
  const { rows } = await statements.query(
    `select count(*) from users u where u.role = 'admin' and u.state = 'active' and (
       exists (select from totp_secrets t where t.user_id = u.id and t.state = 'active')
       or exists (select from passkeys p where p.user_id = u.id and p.revoked_at is null))`,
  );
  return Number(rows[0].count);
}

/** The control of an act. Ends the set-up when two administrators have second factors. */
export async function controlOfAct(connection: Connection): Promise<ExchangeControl> {
  const control = await readControl(connection);
  if (control.mode !== 'setup') return control;
  if ((await countAdministrators(connection)) < ADMINISTRATORS_NEEDED) return control;
  await changeMode(connection, 'normal');
  return readControl(connection);
}

/**
 * False if the exchange was in this mode. Nothing leads back to the set-up. Thresholds that one
 * person raised during it fall back to the defaults at its end.
 */
export async function changeMode(
  connection: Connection,
  mode: Exclude<ControlMode, 'setup'>,
): Promise<boolean> {
  const { oneApprovalFrom, twoApprovalsFrom } = DEFAULT_THRESHOLDS;
  const { rows } = await connection.query(
    `update exchange_control set mode = $1, updated_at = now(),
       setup_ended_at = coalesce(setup_ended_at, now()),
       one_approval_from =
         case mode when 'setup' then least(one_approval_from, $2) else one_approval_from end,
       two_approvals_from =
         case mode when 'setup' then least(two_approvals_from, $3) else two_approvals_from end
     where mode <> $1 returning mode`,
    [mode, oneApprovalFrom, twoApprovalsFrom],
  );
  return rows.length > 0;
}

/** Throws a fault of PostgreSQL unless 0 ≤ one ≤ two. */
export async function setThresholds(
  statements: Statements,
  { oneApprovalFrom, twoApprovalsFrom }: Thresholds,
): Promise<void> {
  await statements.query(
    `update exchange_control set one_approval_from = coalesce($1, one_approval_from),
       two_approvals_from = coalesce($2, two_approvals_from), updated_at = now()`,
    [oneApprovalFrom ?? null, twoApprovalsFrom ?? null],
  );
}
