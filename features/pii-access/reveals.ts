// Reveals ("break glass"): one operator sees named personal fields of one user for 15 minutes, with
// a reason, a ticket and a second factor. Another operator reviews each reveal. If a reveal is
// unreviewed or was not justified, the operator cannot reveal anything more after three days.

import { DAY_MS } from '../../core/market-data/index.ts';
import type { UserId } from '../../core/money/index.ts';
import {
  type Connection,
  idOf,
  inTransaction,
  type Pool,
  type Statements,
  withConnection,
} from '../../infra/postgres/index.ts';
import type { Vault } from '../../platform/vault/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import type { Operator } from '../approvals/index.ts';
import { appendAudit } from '../audit/index.ts';
import {
  type FactorRefusal,
  factorProof,
  type HolderRefusal,
  lockHolder,
  type PersonContext,
  refuseFactor,
} from '../auth/index.ts';
import { enqueueMail } from '../messages/index.ts';
import { countLookUp } from './look-ups.ts';

export interface RevealAsked {
  readonly subject: UserId;
  /** Wire names. */
  readonly fields: readonly string[];
  readonly reason: string;
  readonly ticket: string;
  readonly otpCode: string;
}

export interface Reveal {
  readonly id: number;
  readonly operator: UserId;
  readonly subject: UserId;
  readonly fields: readonly string[];
  readonly reason: string;
  readonly ticket: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly reviewer: UserId | null;
  readonly verdict: RevealVerdict | null;
  readonly comment: string;
  readonly reviewedAt: Date | null;
}

export type RevealVerdict = 'justified' | 'unjustified';

type RevealRefusal =
  | 'role_missing'
  | 'power_missing'
  | 'reveal_suspended'
  | 'reveal_open'
  | 'user_not_found'
  | 'lookup_budget_spent';

const OPEN_MS = 15 * 60_000;
const REVIEW_MS = 72 * 3_600_000;
/** Per operator, whatever the role. */
const REVEALS_PER_DAY = 10;
export const REVIEW_POWER = 'approve.access';
/** Further reviewers use the list of reveals. */
const REVIEWERS_MAX = 20;
/** The access is shown to the user once it can no longer warn the target of an investigation. */
export const TOLD_AFTER_MS = 30 * 86_400_000;

/** A wrong factor counts as a try; any other rejection changes nothing. */
export function revealPerson(
  { registry, vault }: { readonly registry: Pool; readonly vault: Vault },
  { act, operator }: { readonly operator: Operator; readonly act: PersonContext },
  asked: RevealAsked,
): Promise<Reveal | Refused<RevealRefusal | HolderRefusal | FactorRefusal>> {
  let isProven = false;
  return withConnection(registry, (connection) =>
    inTransaction(
      connection,
      async () => {
        const holder = await lockHolder(connection, act);
        if (holder instanceof Refused) return holder;
        if (!holder.mayUseRole) return new Refused('role_missing');
        const refused = await refuseReveal(connection, act, asked);
        if (refused !== undefined) return refused;
        const proof = { ...factorProof(act, asked.otpCode), isUsedUp: true };
        const refusal = await refuseFactor(connection, vault, proof);
        if (refusal !== undefined) return refusal;
        isProven = true;
        const reveal = await insertReveal(connection, act, asked);
        const spent = await countReveal(connection, operator, reveal);
        if (spent !== undefined) return spent;
        await tellReviewers(connection, vault, reveal);
        const { fields, id, reason, subject, ticket } = reveal;
        await appendAudit(connection, vault, {
          actor: operator,
          act: 'people.reveal',
          object: `user ${subject}`,
          subject,
          after: { reveal: id, fields: [...fields] },
          personal: { reason, ticket },
          nowMs: act.nowMs,
        });
        return reveal;
      },
      { rollBackIf: (result) => isProven && result instanceof Refused },
    ),
  );
}

/** Returns the user's fields that the operator currently sees. */
export async function openReveal(
  statements: Statements,
  { nowMs, operator, subject }: { operator: UserId; subject: UserId; nowMs: number },
): Promise<{ readonly id: number; readonly fields: ReadonlySet<string> } | undefined> {
  const { rows } = await statements.query(
    `select id, fields from reveals where operator_id = $1 and subject_id = $2 and expires_at > $3
     order by id desc limit 1`,
    [operator, subject, new Date(nowMs)],
  );
  return rows.map(({ fields, id }) => ({
    id: idOf<number>(id),
    fields: new Set<string>(fields),
  }))[0];
}

/** Returns the accesses that the user can see, newest first. */
export async function listAccesses(
  statements: Statements,
  { limit, nowMs, subject }: { subject: UserId; nowMs: number; limit: number },
): Promise<{ readonly at: Date; readonly fields: readonly string[] }[]> {
  const { rows } = await statements.query(
    `select created_at as at, fields from reveals where subject_id = $1 and created_at <= $2
     order by id desc limit $3`,
    [subject, new Date(nowMs - TOLD_AFTER_MS), limit],
  );
  return rows as { at: Date; fields: string[] }[];
}

export async function readReveal(statements: Statements, id: number): Promise<Reveal | undefined> {
  const { rows } = await statements.query('select * from reveals where id = $1', [id]);
  return rows.map(revealOf)[0];
}

async function refuseReveal(
  connection: Connection,
  { nowMs, user: operator }: PersonContext,
  { subject }: RevealAsked,
): Promise<Refused<RevealRefusal> | undefined> {
  const { rows: powers } = await connection.query(
    `select from users u join roles r on r.name = u.role
     where u.id = $1 and 'break_glass' = any(r.powers)`,
    [operator],
  );
  if (powers.length === 0) return new Refused('power_missing', { power: 'break_glass' });
  const { rows: late } = await connection.query(
    `select from reveals where operator_id = $1
       and (verdict = 'unjustified' or (verdict is null and created_at < $2)) limit 1`,
    [operator, new Date(nowMs - REVIEW_MS)],
  );
  if (late.length > 0) return new Refused('reveal_suspended');
  const { rows: open } = await connection.query(
    `select from reveals where operator_id = $1 and subject_id <> $2 and expires_at > $3 limit 1`,
    [operator, subject, new Date(nowMs)],
  );
  if (open.length > 0) return new Refused('reveal_open');
  const { rows: people } = await connection.query(
    `select from users where id = $1 and state <> 'erased'`,
    [subject],
  );
  if (people.length === 0) return new Refused('user_not_found');
  const { rows: today } = await connection.query(
    'select count(*) from reveals where operator_id = $1 and created_at > $2',
    [operator, new Date(nowMs - DAY_MS)],
  );
  const isSpent = Number(today[0].count) >= REVEALS_PER_DAY;
  return isSpent ? new Refused('lookup_budget_spent') : undefined;
}

async function insertReveal(
  connection: Connection,
  { nowMs, user }: PersonContext,
  { fields, reason, subject, ticket }: RevealAsked,
): Promise<Reveal> {
  const { rows } = await connection.query(
    `insert into reveals (operator_id, subject_id, fields, reason, ticket, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7) returning *`,
    [user, subject, fields, reason, ticket, new Date(nowMs), new Date(nowMs + OPEN_MS)],
  );
  return revealOf(rows[0]);
}

/** A reveal also counts as a lookup of the role. */
async function countReveal(
  connection: Connection,
  { role }: Operator,
  { createdAt, fields, id, operator, subject }: Reveal,
): Promise<Refused<'lookup_budget_spent'> | undefined> {
  const nowMs = createdAt.getTime();
  const lookUp = { operator, role, subject, fields, reason: 'reveal', reveal: id, nowMs } as const;
  const spent = await countLookUp(connection, lookUp);
  // Omits the time at which another lookup is possible.
  return spent && new Refused(spent.key);
}

/** Notifies all possible reviewers immediately, without the ticket and the reason. */
async function tellReviewers(connection: Connection, vault: Vault, reveal: Reveal): Promise<void> {
  const { expiresAt, fields, id, operator, subject } = reveal;
  const { rows } = await connection.query(
    `select u.id, u.email, coalesce(u.settings ->> 'language', 'en') as language
     from users u join roles r on r.name = u.role
     where u.state = 'active' and $1 = any(r.powers) and u.id <> all($2::bigint[])
     order by u.id limit ${REVIEWERS_MAX}`,
    [REVIEW_POWER, [operator, subject]],
  );
  const message = [
    `Operator ${operator} sees personal data of user ${subject} until ${expiresAt.toISOString()}.`,
    `Fields: ${fields.join(', ')}`,
    'Another operator must review it within 72 hours.',
  ].join('\n');
  for (const { email, id: user, language } of rows) {
    await enqueueMail(connection, vault, {
      user: idOf<UserId>(user),
      to: email,
      language,
      kind: 'operator_message',
      values: { title: `Reveal ${id} of personal data`, message },
    });
  }
}

/** Converts a row of `reveals`. */
// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
export function revealOf(row: any): Reveal {
  return {
    id: idOf(row.id),
    operator: idOf<UserId>(row.operator_id),
    subject: idOf<UserId>(row.subject_id),
    fields: row.fields,
    reason: row.reason,
    ticket: row.ticket,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    reviewer: row.reviewer_id === null ? null : idOf<UserId>(row.reviewer_id),
    verdict: row.verdict,
    comment: row.comment,
    reviewedAt: row.reviewed_at,
  };
}
