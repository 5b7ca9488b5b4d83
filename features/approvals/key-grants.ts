// Grants for operators' keys: a daily limit for money actions, and unmasked personal data.

import type { UserId } from '../../core/money/index.ts';
import { idOf, type Statements } from '../../infra/postgres/index.ts';

export interface KeyGrant {
  /** In the threshold currency, within 24 hours; null for no limit and no trust with money. */
  readonly dailyLimit: string | null;
  readonly mayReadPersonal: boolean;
}

export interface KeyGrantRow extends KeyGrant {
  readonly key: number;
  readonly owner: UserId;
  readonly keyName: string;
  readonly grantedAt: Date;
  readonly grantedBy: UserId;
}

const KEY = /^key (\d+)$/;

/** Returns undefined for a session, and for a key without a grant. */
export async function readKeyGrant(
  statements: Statements,
  credential: string,
): Promise<KeyGrant | undefined> {
  const key = KEY.exec(credential)?.[1];
  if (key === undefined) return undefined;
  const { rows } = await statements.query(
    'select daily_limit, may_read_personal from key_grants where key_id = $1',
    [key],
  );
  return rows.map((row) => ({
    dailyLimit: row.daily_limit,
    mayReadPersonal: row.may_read_personal,
  }))[0];
}

export async function listKeyGrants(statements: Statements): Promise<KeyGrantRow[]> {
  const { rows } = await statements.query(
    `select g.*, k.user_id, k.name from key_grants g join api_keys k on k.id = g.key_id
     where not k.revoked order by g.key_id`,
  );
  return rows.map((row) => ({
    key: idOf(row.key_id),
    owner: idOf<UserId>(row.user_id),
    keyName: row.name,
    dailyLimit: row.daily_limit,
    mayReadPersonal: row.may_read_personal,
    grantedAt: row.granted_at,
    grantedBy: idOf<UserId>(row.granted_by),
  }));
}
