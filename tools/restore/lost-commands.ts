// The table lost_commands: findings of `restore reconcile` that are in the log but not in the
// registry, and the open decisions for operators. A withdrawal's finding is decided when the
// withdrawal is no longer claimed, a user's when the user has an email address.

import { LOST_DOMAIN } from '../../features/accounts/index.ts';
import type { Connection } from '../../infra/postgres/index.ts';
import type { OutboxPosition } from '../../platform/outbox/index.ts';

export interface Finding {
  /** For example `withdrawal 77`. */
  readonly object: string;
  readonly sentence: string;
  readonly position?: OutboxPosition;
  readonly transfer?: { readonly reference: string; readonly amountAtoms: bigint };
  /** Decision that an operator must make. */
  readonly decision?: string | undefined;
  readonly withdrawal?: number | undefined;
  readonly user?: number;
}

/** Returns false if an earlier run recorded the same finding. */
export async function recordFinding(connection: Connection, finding: Finding): Promise<boolean> {
  const { decision, object, position, sentence, transfer, user, withdrawal } = finding;
  const { rowCount } = await connection.query(
    `insert into lost_commands (object, sentence, channel, sequence, reference, amount_atoms,
       decision, withdrawal_request, user_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (object, sentence) do nothing`,
    [
      object,
      sentence,
      position?.channel ?? null,
      position?.sequence ?? null,
      transfer?.reference ?? '',
      transfer?.amountAtoms ?? null,
      decision ?? null,
      withdrawal ?? null,
      user ?? null,
    ],
  );
  return rowCount === 1;
}

export interface OpenFinding {
  readonly id: number;
  readonly object: string;
  readonly sentence: string;
  readonly decision: string;
}

/** Returns the oldest first, one per object. */
export async function listOpenFindings(connection: Connection): Promise<OpenFinding[]> {
  const { rows } = await connection.query(
    `select distinct on (l.object) l.id::float8 as id, l.object, l.sentence, l.decision
     from lost_commands l
     where l.decision is not null and l.decided_at is null
       and not exists (select from withdrawal_requests w
         where w.id = l.withdrawal_request and w.state <> 'claimed')
       and not exists (select from users u
         where u.id = l.user_id and not (u.email like '%' || $1))
     order by l.object, l.id desc`,
    [LOST_DOMAIN],
  );
  return (rows as OpenFinding[]).sort((one, other) => one.id - other.id);
}

export interface Decision {
  readonly id: number;
  readonly by: string;
  readonly note: string;
}

/** Returns the finding's object; undefined if there is no open finding with this ID. */
export async function recordDecision(
  connection: Connection,
  { by, id, note }: Decision,
): Promise<string | undefined> {
  const { rows } = await connection.query(
    `update lost_commands l set decided_at = now(), decided_by = $2, note = $3
     where decision is not null and decided_at is null
       and object = (select object from lost_commands where id = $1) returning object`,
    [id, by, note],
  );
  return rows[0]?.object;
}
