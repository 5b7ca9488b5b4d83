// Personal fields of one user that an operator sees unmasked: all of them, those of a review, or
// those of a reveal.

import type { UserId } from '../../core/money/index.ts';
import type { Statements } from '../../infra/postgres/index.ts';
import type { Operator } from '../approvals/index.ts';
import { viewOf } from './personal-view.ts';
import { openReveal } from './reveals.ts';

/** Returns the user's personal fields, with their wire names, that the operator sees. */
export async function clearFieldsOf(
  statements: Statements,
  { credential, powers, role, user: operator }: Operator,
  { nowMs, subject }: { readonly subject: UserId; readonly nowMs: number },
): Promise<ReadonlySet<string>> {
  if ((await viewOf(statements, { credential, role })).isClear) return EVERY_FIELD;
  if (powers.has('pii.unmasked') && (await isInReview(statements, subject, operator))) {
    return EVERY_FIELD;
  }
  const open = await openReveal(statements, { operator, subject, nowMs });
  return open?.fields ?? new Set();
}

const EVERY_FIELD: ReadonlySet<string> = new Set([
  'full_name',
  'phone_number',
  'nationality',
  'gender',
  'dob',
  'address',
  'id_data',
]);

/** Whether a review is pending that the operator did not open. */
async function isInReview(
  statements: Statements,
  user: UserId,
  operator: UserId,
): Promise<boolean> {
  const { rows } = await statements.query(
    `select from personal_data
     where user_id = $1 and document_status = 1 and document_by is distinct from $2
     union all
     select from bank_accounts where user_id = $1 and removed_at is null and status = 'pending'
       and coalesce(decided_by, entered_by) is distinct from $2
     limit 1`,
    [user, operator],
  );
  return rows.length > 0;
}
