// Findings of rules about users, as a queue. An unclosed finding collects more of the same; a
// closed one stays closed, and newer evidence opens another.

import type { UserId } from '../../core/money/index.ts';
import { type Connection, idOf, type Statements } from '../../infra/postgres/index.ts';
import type { Vault } from '../../platform/vault/index.ts';
import { findPersonalKey } from '../accounts/index.ts';
import type { FindingResult, FindingState } from './api/surveillance.ts';
import type { Parameters, RuleName, Sign } from './rule.ts';

export interface Finding {
  readonly id: number;
  readonly rule: RuleName;
  readonly user: UserId;
  readonly object: string;
  readonly score: number;
  readonly evidenceCount: number;
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
  readonly state: FindingState;
  readonly result: FindingResult | undefined;
  readonly takenBy: UserId | undefined;
  readonly takenAt: Date | undefined;
  readonly closedAt: Date | undefined;
  readonly hasNote: boolean;
}

export interface Evidence {
  readonly key: string;
  readonly seenAt: Date;
  readonly score: number;
  readonly content: Sign['content'];
}

/** Newer evidence replaces older, to keep a queue entry readable. */
export const EVIDENCE_MAX = 100;

/** Runs in the caller's transaction. Returns the number of opened or changed findings. */
export async function recordSigns(
  connection: Connection,
  { name, parameters }: { readonly name: RuleName; readonly parameters: Parameters },
  signs: readonly Sign[],
): Promise<number> {
  if (signs.length === 0) return 0;
  const given = JSON.stringify(
    signs.map(({ begunAt, content, key, object, score, user }) => ({
      user_id: user,
      object,
      key,
      begun_at: begunAt.toISOString(),
      score,
      content,
    })),
  );
  const values = [name, given, parameters.quiet_hours ?? 0];
  await connection.query(OPEN, values);
  const { rows } = await connection.query(ADD_EVIDENCE, values);
  const changed = [...new Set(rows.map(({ finding_id }) => finding_id as string))];
  if (changed.length === 0) return 0;
  await connection.query(LOCK, [changed]);
  await connection.query(DROP_EVIDENCE, [changed]);
  await connection.query(SUM_UP, [changed]);
  return changed.length;
}

const GIVEN = `jsonb_to_recordset($2::jsonb) as g (user_id bigint, object text, key text,
  begun_at timestamptz, score bigint, content jsonb)`;

// Evidence that began before a finding was closed, or soon after, belongs to that finding only.
const IS_NEW = `not exists (
  select from findings c
  where c.rule = $1 and c.user_id = g.user_id and c.object = g.object and c.state = 'closed'
    and c.closed_at + make_interval(hours => $3::integer) >= g.begun_at)`;

const OPEN = `
  insert into findings (rule, user_id, object, first_seen_at, last_seen_at)
  select $1, u.id, g.object, min(g.begun_at), max(g.begun_at)
  from ${GIVEN} join users u on u.id = g.user_id
  where ${IS_NEW}
  group by u.id, g.object
  order by u.id, g.object
  on conflict (rule, user_id, object) where state <> 'closed' do nothing`;

const ADD_EVIDENCE = `
  insert into finding_evidence as e (finding_id, key, seen_at, score, content)
  select f.id, g.key, g.begun_at, g.score, g.content
  from ${GIVEN}
  join findings f on f.rule = $1 and f.user_id = g.user_id and f.object = g.object
    and f.state <> 'closed'
  where ${IS_NEW} and (select count(*) from finding_evidence n
    where n.finding_id = f.id and n.seen_at > g.begun_at) < ${EVIDENCE_MAX}
  order by f.id, g.key
  on conflict (finding_id, key) do update set score = excluded.score, content = excluded.content
  where e.content is distinct from excluded.content or e.score <> excluded.score
  returning finding_id`;

// The later of two concurrent runs adds up what both added.
const LOCK = 'select from findings where id = any ($1) order by id for no key update';

const DROP_EVIDENCE = `
  delete from finding_evidence e using (
    select finding_id, key, row_number() over (
      partition by finding_id order by seen_at desc, key desc) as place
    from finding_evidence where finding_id = any ($1)
  ) placed
  where e.finding_id = placed.finding_id and e.key = placed.key and placed.place > ${EVIDENCE_MAX}`;

const SUM_UP = `
  update findings f set score = s.score, evidence_count = s.count,
    first_seen_at = least(f.first_seen_at, s.first), last_seen_at = greatest(f.last_seen_at, s.last)
  from (
    select finding_id, sum(score) as score, count(*) as count, min(seen_at) as first,
      max(seen_at) as last
    from finding_evidence where finding_id = any ($1) group by finding_id
  ) s
  where f.id = s.finding_id`;

/**
 * Returns undefined if there is none, or if it is about the reader's own family: subjects must
 * learn nothing.
 */
export async function readFinding(
  statements: Statements,
  id: number,
  reader: UserId,
): Promise<Finding | undefined> {
  const { rows } = await statements.query(
    `select f.* from findings f where f.id = $1 and ${IS_NOT_OWN('$2')}`,
    [id, reader],
  );
  return rows.map(findingOf)[0];
}

/** Newest first. */
export async function readEvidence(statements: Statements, finding: number): Promise<Evidence[]> {
  const { rows } = await statements.query(
    'select * from finding_evidence where finding_id = $1 order by seen_at desc, key desc',
    [finding],
  );
  return rows.map((row) => ({
    key: row.key,
    seenAt: row.seen_at,
    score: Number(row.score),
    content: row.content,
  }));
}

/** Returns undefined without a note, or if the user was erased. */
export async function readNote(
  statements: Statements,
  vault: Vault,
  { id, user }: Pick<Finding, 'id' | 'user'>,
): Promise<string | undefined> {
  const { rows } = await statements.query('select sealed_note from findings where id = $1', [id]);
  const sealed = rows[0]?.sealed_note ?? undefined;
  if (sealed === undefined) return undefined;
  const key = await findPersonalKey(statements, vault, user);
  return key?.open(noteBound(id), sealed) as string | undefined;
}

export function noteBound(finding: number): string {
  return `note of finding ${finding}`;
}

/** A condition on `f`: neither about the reader nor about the reader's family. */
export const IS_NOT_OWN = (reader: string) => `not exists (
  select from users o join users r on coalesce(r.parent_id, r.id) = coalesce(o.parent_id, o.id)
  where o.id = f.user_id and r.id = ${reader}::bigint)`;

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
export function findingOf(row: any): Finding {
  return {
    id: idOf(row.id),
    rule: row.rule,
    user: idOf<UserId>(row.user_id),
    object: row.object,
    score: Number(row.score),
    evidenceCount: Number(row.evidence_count),
    firstSeenAt: row.first_seen_at,
    lastSeenAt: row.last_seen_at,
    state: row.state,
    result: row.result ?? undefined,
    takenBy: row.taken_by === null ? undefined : idOf<UserId>(row.taken_by),
    takenAt: row.taken_at ?? undefined,
    closedAt: row.closed_at ?? undefined,
    hasNote: row.sealed_note !== null,
  };
}
