// Votes on requests for approval. One rejection ends a request. The last approval needed executes
// it in the same transaction, after everything is checked again.

import {
  compareDecimals,
  type Decimal,
  parseDecimal,
  type UserId,
} from '../../core/money/index.ts';
import {
  type Connection,
  idOf,
  inTransaction,
  type Statements,
  withConnection,
} from '../../infra/postgres/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { appendAudit, canonicalJson, type JsonObject, type JsonValue } from '../audit/index.ts';
import {
  type FactorRefusal,
  factorProof,
  type HolderRefusal,
  lockHolder,
  type PersonContext,
  refuseFactor,
} from '../auth/index.ts';
import { sessionHasEnded } from '../kill-switches/index.ts';
import type { Act, ActEffects, Operator, ShownLine } from './act.ts';
import { ADMINISTRATOR, readControl } from './control.ts';
import {
  type ActPorts,
  assessApprovals,
  contextOf,
  executeAct,
  lockActs,
  mayCall,
  type WeighedAct,
} from './perform-act.ts';
import { hasPowerForADay, isPower } from './powers.ts';
import { findSharedMark, notIndependent } from './same-person.ts';
import { openContent, payloadHash } from './sealed-requests.ts';

export type ApprovalState =
  | 'pending'
  | 'executed'
  | 'failed'
  | 'rejected'
  | 'expired'
  | 'withdrawn'
  | 'stale';

export interface ApprovalRow {
  readonly id: number;
  readonly act: string;
  readonly votePower: string;
  /** Without the personal values, which are in `sealed`. */
  readonly payload: JsonObject;
  readonly payloadHash: string;
  readonly shown: readonly ShownLine[];
  readonly sealed: Uint8Array | null;
  /** Users whose values are sealed. */
  readonly subjects: readonly UserId[];
  readonly object: string;
  readonly objectVersion: string;
  readonly value: string | null;
  readonly retype: string | null;
  readonly requester: UserId;
  readonly requesterRole: string;
  /** Permission needed for the request, and again for its execution. */
  readonly requesterCall: string;
  readonly requesterCredential: string;
  readonly requesterAddress: string;
  readonly beneficiaries: readonly UserId[];
  readonly needed: number;
  readonly state: ApprovalState;
  readonly reason: string | null;
  readonly result: JsonValue;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly endedAt: Date | null;
}

/** Actions by name; a request names its action. */
export type ActTable = ReadonlyMap<string, Act<JsonObject, JsonValue, string>>;

export interface Vote {
  readonly approval: number;
  readonly vote: 'approve' | 'reject';
  /** Hash of the payload that the voter saw, in hexadecimal. */
  readonly payloadHash: string;
  /** One-time password; '' for a passkey that the session has just proven. */
  readonly otpCode: string;
  /** The amount and its unit, if two approvals are needed. */
  readonly retyped?: string | undefined;
}

export interface Voted {
  readonly approval: ApprovalRow;
  readonly effects?: ActEffects;
}

type PendingRefusal = 'approval_not_found' | 'approval_ended';
type VoterRefusal =
  | 'vote_not_allowed'
  | 'vote_needs_administrator'
  | 'vote_not_independent'
  | 'voted_already'
  | 'retype_differs';
type VoteRefusal =
  | 'role_missing'
  | 'approval_changed'
  | HolderRefusal
  | PendingRefusal
  | VoterRefusal
  | FactorRefusal;

/** Commits rejections: a wrong factor counts, and a dependent vote is in the audit log. */
export function voteOn(
  ports: ActPorts,
  acts: ActTable,
  voter: PersonContext,
  vote: Vote,
): Promise<Voted | Refused<VoteRefusal>> {
  return withConnection(ports.registry, (connection) =>
    inTransaction(connection, async () => {
      await lockActs(connection);
      const holder = await lockHolder(connection, voter);
      if (holder instanceof Refused) return holder;
      if (!holder.mayUseRole) return new Refused('role_missing');
      const approval = await lockPending(connection, vote.approval, voter.nowMs);
      if (approval instanceof Refused) return approval;
      if (vote.payloadHash.toLowerCase() !== approval.payloadHash) {
        return new Refused('approval_changed');
      }
      const refused = await checkVoter(connection, { approval, voter, vote });
      if (refused?.key === 'vote_not_independent') {
        await recordRefusedVote(connection, ports, { voter, vote, approval });
      }
      if (refused !== undefined) return refused;
      const proof = { ...factorProof(voter, vote.otpCode), isUsedUp: true };
      const refusal = await refuseFactor(connection, ports.vault, proof);
      if (refusal !== undefined) return refusal;
      await insertVote(connection, voter, vote);
      const ended = await settle(connection, ports, { acts, approval, vote, nowMs: voter.nowMs });
      // After the action, because the audit head must be the last lock.
      await recordVote(connection, ports, { voter, vote, approval });
      const row = await readApproval(connection, approval.id);
      return { approval: row!, ...(ended && { effects: ended }) };
    }),
  );
}

/** Withdraws the request on behalf of its requester. */
export function withdrawApproval(
  ports: ActPorts,
  operator: Operator,
  id: number,
): Promise<ApprovalRow | Refused<PendingRefusal>> {
  return withConnection(ports.registry, (connection) =>
    inTransaction(connection, async () => {
      await lockActs(connection);
      const nowMs = ports.clock.nowMs();
      const approval = await lockPending(connection, id, nowMs);
      if (approval instanceof Refused) return approval;
      if (approval.requester !== operator.user) return new Refused('approval_not_found');
      await end(connection, approval.id, { state: 'withdrawn', nowMs });
      await appendAudit(connection, ports.vault, {
        actor: operator,
        act: 'approval.withdraw',
        object: `approval ${id}`,
        approval: id,
        nowMs,
      });
      return (await readApproval(connection, id))!;
    }),
  );
}

export async function readApproval(
  statements: Statements,
  id: number,
): Promise<ApprovalRow | undefined> {
  const { rows } = await statements.query('select * from approval_requests where id = $1', [id]);
  return rows.map(approvalOf)[0];
}

/** Ends requests that were not decided in time. Returns their number. */
export async function expireApprovals(statements: Statements, nowMs: number): Promise<number> {
  const { rowCount } = await statements.query(
    `update approval_requests set state = 'expired', ended_at = to_timestamp($1 / 1000.0)
     where state = 'pending' and expires_at <= to_timestamp($1 / 1000.0)`,
    [nowMs],
  );
  return rowCount ?? 0;
}

/**
 * After the registry was restored to an earlier time, because a request might have been executed in
 * the lost part.
 */
export async function expireAllApprovals(statements: Statements): Promise<number> {
  const { rowCount } = await statements.query(
    `update approval_requests set state = 'expired', ended_at = now() where state = 'pending'`,
  );
  return rowCount ?? 0;
}

async function lockPending(
  connection: Connection,
  id: number,
  nowMs: number,
): Promise<ApprovalRow | Refused<PendingRefusal>> {
  const { rows } = await connection.query(
    'select * from approval_requests where id = $1 for update',
    [id],
  );
  const [approval] = rows.map(approvalOf);
  if (approval === undefined) return new Refused('approval_not_found');
  const isOver = approval.expiresAt.getTime() <= nowMs;
  if (approval.state !== 'pending' || isOver) {
    return new Refused('approval_ended', { state: isOver ? 'expired' : approval.state });
  }
  return approval;
}

interface Voting {
  readonly approval: ApprovalRow;
  readonly voter: PersonContext;
  readonly vote: Vote;
}

async function checkVoter(
  connection: Connection,
  { approval, vote, voter }: Voting,
): Promise<Refused<VoterRefusal> | undefined> {
  const { beneficiaries, requester, retype, votePower: power } = approval;
  const { nowMs, user } = voter;
  const { mode } = await readControl(connection);
  // Administrators could do it alone, so nothing else is checked.
  if (mode === 'solo') {
    const isAllowed = await isAdministrator(connection, user);
    return isAllowed ? undefined : new Refused('vote_needs_administrator');
  }
  if (!(await hasPowerForADay(connection, { user, power, nowMs }))) {
    return new Refused('vote_not_allowed', { power });
  }
  const approvers = await listApprovers(connection, approval.id);
  const others = [requester, ...beneficiaries, ...approvers.filter((one) => one !== user)];
  const mark = await findSharedMark(connection, user, others);
  if (mark !== undefined) return notIndependent(mark);
  if (approvers.includes(user)) return new Refused('voted_already');
  if (vote.vote === 'approve' && retype !== null && !isSameAmount(vote.retyped ?? '', retype)) {
    return new Refused('retype_differs');
  }
  return undefined;
}

async function isAdministrator(statements: Statements, user: UserId): Promise<boolean> {
  const { rows } = await statements.query(
    `select from users where id = $1 and role = $2 and state = 'active'`,
    [user, ADMINISTRATOR],
  );
  return rows.length > 0;
}

async function listApprovers(statements: Statements, id: number): Promise<UserId[]> {
  const { rows } = await statements.query(
    `select approver_id from approval_votes where request_id = $1 and vote = 'approve'`,
    [id],
  );
  return rows.map((row) => idOf<UserId>(row.approver_id));
}

async function insertVote(
  connection: Connection,
  { flow, nowMs, user }: PersonContext,
  { approval, otpCode, payloadHash: hash, vote }: Vote,
): Promise<void> {
  await connection.query(
    `insert into approval_votes
       (request_id, approver_id, vote, payload_hash, factor, session_id, created_at)
     values ($1, $2, $3, decode($4, 'hex'), $5, $6, to_timestamp($7 / 1000.0))`,
    [approval, user, vote, hash, otpCode === '' ? 'passkey' : 'code', flow.session, nowMs],
  );
}

async function recordVote(
  connection: Connection,
  { vault }: ActPorts,
  { approval, vote, voter }: Voting,
): Promise<void> {
  const { circumstances, flow, nowMs, user } = voter;
  await appendAudit(connection, vault, {
    actor: { user, credential: `session ${flow.session}`, address: circumstances.ip },
    act: `approval.${vote.vote}`,
    object: `approval ${approval.id}`,
    after: { payload_hash: approval.payloadHash },
    approval: approval.id,
    nowMs,
  });
}

async function recordRefusedVote(
  connection: Connection,
  { vault }: ActPorts,
  { approval, vote, voter }: Voting,
): Promise<void> {
  const { circumstances, flow, nowMs, user } = voter;
  await appendAudit(connection, vault, {
    actor: { user, credential: `session ${flow.session}`, address: circumstances.ip },
    act: 'approval.refused',
    object: `approval ${approval.id}`,
    after: { vote: vote.vote },
    approval: approval.id,
    nowMs,
  });
}

interface Settling {
  readonly approval: ApprovalRow;
  readonly acts: ActTable;
  readonly vote: Vote;
  readonly nowMs: number;
}

/** Ends the request if this vote decides it. Returns the effects of an execution. */
async function settle(
  connection: Connection,
  ports: ActPorts,
  settling: Settling,
): Promise<ActEffects | undefined> {
  const { acts, approval, nowMs, vote } = settling;
  const { id } = approval;
  if (vote.vote === 'reject') {
    await end(connection, id, { state: 'rejected', nowMs });
    return undefined;
  }
  const approvers = await listValidApprovers(connection, approval);
  const votes = approvers.length;
  if (votes < approval.needed) return undefined;
  const act = acts.get(approval.act);
  const requester = await findRequester(connection, approval);
  const isWhole = payloadHash(approval.act, approval).toString('hex') === approval.payloadHash;
  const content = isWhole ? await openContent(connection, ports.vault, approval) : undefined;
  if (act === undefined || requester === undefined || content === undefined) {
    const reason =
      act === undefined
        ? 'act_unknown'
        : requester === undefined
          ? 'requester_changed'
          : isWhole
            ? 'personal_data_erased'
            : 'payload_changed';
    await end(connection, id, { state: 'stale', reason, nowMs });
    return undefined;
  }
  const { payload } = content;
  const context = contextOf(ports, connection, requester);
  await connection.query('savepoint act');
  const weighed = await assessApprovals(context, act, payload);
  if (weighed instanceof Refused) return fail(connection, id, weighed.key, nowMs);
  const others = [approval.requester, ...weighed.beneficiaries];
  const reason =
    staleReason(approval, { ...act, ...weighed }, votes) ??
    (weighed.control.mode === 'team'
      ? await findDependentApprover(connection, approvers, others)
      : undefined);
  if (reason !== undefined) {
    await end(connection, id, { state: 'stale', reason, nowMs });
    return undefined;
  }
  const executed = await executeAct(context, act, { weighed, approval: { id, approvals: votes } });
  if (executed instanceof Refused) return fail(connection, id, executed.key, nowMs);
  await end(connection, id, { state: 'executed', result: executed.result, nowMs });
  return executed.effects ?? {};
}

/** Rolls back the action and ends its request; keeps the votes. */
async function fail(
  connection: Connection,
  id: number,
  reason: string,
  nowMs: number,
): Promise<undefined> {
  await connection.query('rollback to savepoint act');
  await end(connection, id, { state: 'failed', reason, nowMs });
}

function staleReason(
  { objectVersion, votePower }: ApprovalRow,
  weighed: Omit<WeighedAct, 'votePower'> & Pick<Act, 'votePower'>,
  votes: number,
): string | undefined {
  if (weighed.objectVersion !== objectVersion) return 'object_changed';
  if (weighed.votePower !== votePower) return 'other_approvers_needed';
  if (weighed.needed > votes) return 'more_approvals_needed';
  return undefined;
}

/** Checked again, because everything might have changed since they voted. */
async function findDependentApprover(
  statements: Statements,
  approvers: readonly UserId[],
  others: readonly UserId[],
): Promise<'approver_not_independent' | undefined> {
  for (const one of approvers) {
    const rest = [...others, ...approvers.filter((other) => other !== one)];
    const mark = await findSharedMark(statements, one, rest);
    if (mark !== undefined) return 'approver_not_independent';
  }
  return undefined;
}

/**
 * Returns approvers who still have the permission, with the same role as when they voted, and whose
 * credentials were not reset since.
 */
async function listValidApprovers(
  statements: Statements,
  { id, votePower }: ApprovalRow,
): Promise<UserId[]> {
  const { rows } = await statements.query(
    `select v.approver_id from approval_votes v join approval_requests a on a.id = v.request_id
       join users u on u.id = v.approver_id join roles r on r.name = u.role
     where v.request_id = $1 and v.vote = 'approve' and v.payload_hash = a.payload_hash
       and u.state = 'active' and $2 = any(r.powers) and u.role_since <= v.created_at
       and v.approver_id <> a.requester_id and ${isTrusted('v.session_id')}`,
    [id, votePower],
  );
  return rows.map((row) => idOf<UserId>(row.approver_id));
}

/** An expired session is still trusted; one ended by a reset or an operator is not. */
function isTrusted(session: string): string {
  return `not exists (select from sessions s where s.id = ${session} and s.user_id = u.id
    and (s.security_version <> u.security_version
      or s.revoked_reason not in ('logout', 'too_many') or ${sessionHasEnded('s')}))`;
}

/** Returns undefined unless the role and credential of the request can still be trusted. */
async function findRequester(
  statements: Statements,
  approval: ApprovalRow,
): Promise<Operator | undefined> {
  const { createdAt, requester, requesterAddress, requesterCall, requesterCredential } = approval;
  const { requesterRole } = approval;
  const { rows } = await statements.query(
    `select r.powers, r.permissions from users u join roles r on r.name = u.role
     where u.id = $1 and u.state = 'active' and u.role = $2 and u.role_since <= $3
       and ($4::bigint is null or exists (
         select from api_keys k where k.id = $4 and k.user_id = u.id and k.active
           and not k.revoked and k.suspended_reason is null))
       and ${isTrusted('$5::bigint')}`,
    [
      requester,
      requesterRole,
      createdAt,
      numberOf(requesterCredential, 'key'),
      numberOf(requesterCredential, 'session'),
    ],
  );
  if (rows.length === 0 || !mayCall(rows[0].permissions, requesterCall)) return undefined;
  const [{ permissions, powers }] = rows;
  return {
    user: requester,
    role: requesterRole,
    powers: new Set((powers as string[]).filter(isPower)),
    permissions: new Set(permissions as string[]),
    call: requesterCall,
    credential: requesterCredential,
    session: 0,
    address: requesterAddress,
  };
}

/** Returns the ID of the API key or session; null if the credential is of the other kind. */
function numberOf(credential: string, kind: 'key' | 'session'): number | null {
  const [found, id] = credential.split(' ');
  return found === kind ? Number(id) : null;
}

interface End {
  readonly state: ApprovalState;
  readonly reason?: string;
  readonly result?: JsonValue;
  readonly nowMs: number;
}

async function end(
  connection: Connection,
  id: number,
  { nowMs, reason, result, state }: End,
): Promise<void> {
  await connection.query(
    `update approval_requests set state = $2, reason = $3, result = $4,
       ended_at = to_timestamp($5 / 1000.0) where id = $1`,
    [id, state, reason ?? null, result === undefined ? null : canonicalJson(result), nowMs],
  );
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
export function approvalOf(row: any): ApprovalRow {
  return {
    id: idOf(row.id),
    act: row.act,
    votePower: row.vote_power,
    payload: row.payload,
    payloadHash: row.payload_hash.toString('hex'),
    shown: row.shown,
    sealed: row.sealed,
    subjects: row.subjects.map((id: string) => idOf<UserId>(id)),
    object: row.object,
    objectVersion: row.object_version,
    value: row.value,
    retype: row.retype,
    requester: idOf<UserId>(row.requester_id),
    requesterRole: row.requester_role,
    requesterCall: row.requester_call,
    requesterCredential: row.requester_credential,
    requesterAddress: row.requester_address,
    beneficiaries: row.beneficiaries.map((id: string) => idOf<UserId>(id)),
    needed: Number(row.needed),
    state: row.state,
    reason: row.reason,
    result: row.result,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    endedAt: row.ended_at,
  };
}

/** A number without a sign, an exponent or thousands separators, a space, and a unit. */
const AMOUNT = /^(\d+(?:\.\d+)?) (\S+)$/;

/** Whether a voter retyped the amount. Number and unit count, not their spelling. */
export function isSameAmount(one: string, other: string): boolean {
  const [first, second] = [amountOf(one), amountOf(other)];
  if (first === undefined || second === undefined || first.unit !== second.unit) return false;
  return compareDecimals(first.number, second.number) === 0;
}

function amountOf(text: string): { readonly number: Decimal; readonly unit: string } | undefined {
  const [, number, unit] = AMOUNT.exec(text.trim().toLowerCase().replace(/\s+/g, ' ')) ?? [];
  return number === undefined ? undefined : { number: parseDecimal(number), unit };
}
