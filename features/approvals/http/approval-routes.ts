// Handlers for approval requests: list, votes, withdrawal. A request is visible to its requester,
// its possible voters, and readers of the audit log.

import { inTransaction, type Statements, withConnection } from '../../../infra/postgres/index.ts';
import { answerList, type Dependencies, type HandlersOf } from '../../../platform/http/index.ts';
import type { Approval } from '../../../protocol/index.ts';
import { isRefused, Refused } from '../../../protocol/wire/index.ts';
import { personContext } from '../../auth/http/index.ts';
import { countOrRefuse } from '../../pii-access/http/index.ts';
import {
  type ApprovalRow,
  approvalOf,
  readApproval,
  voteOn,
  withdrawApproval,
} from '../approvals.ts';
import { openContent, type RequestContent } from '../sealed-requests.ts';
import { actPorts, applyEffects } from './answer-act.ts';
import { type OperatorCall, operatorOf, readerOf } from './operator-call.ts';

const APPROVALS = `(select count(*) from approval_votes v
  where v.request_id = a.id and v.vote = 'approve')`;
const FILTERS = `where ($1::text is null or a.state = $1)
  and ($2::bigint is null or a.requester_id = $2)
  and ($3::timestamptz is null or a.created_at >= $3)
  and ($4::timestamptz is null or a.created_at <= $4)
  and ($5 or a.requester_id = $6 or a.vote_power = any($7))`;

export const approvalsRoutes: HandlersOf<'approvals'> = {
  approvals: (call, { clock, exchange, registry }) => {
    const { end_date, requester_id, start_date, state } = call.query;
    return answerList(call, {
      pool: registry,
      clock,
      rows: (order) =>
        `select a.*, ${APPROVALS} as approvals from approval_requests a ${FILTERS} ${order}
         limit $8 offset $9`,
      count: `select count(*) from (select from approval_requests a ${FILTERS} limit $8) counted`,
      values: [
        state ?? null,
        requester_id ?? null,
        start_date ?? null,
        end_date ?? null,
        ...readerOf(call),
      ],
      sortColumns: { id: 'a.id', created_at: 'a.created_at' },
      defaultSort: ['a.id'],
      write: (row) => JSON.stringify(approvalJson(approvalOf(row), Number(row.approvals))),
      fileName: `${exchange.name}-approvals`,
    });
  },

  async approval(call, dependencies) {
    const { id } = call.query;
    const row = await readApproval(dependencies.registry, id);
    if (row === undefined || !isReader(call, row)) return new Refused('approval_not_found');
    const opened = await openFor(call, dependencies, row);
    if (opened instanceof Refused) return opened;
    return readJson(dependencies.registry, id, opened);
  },

  async voteOnApproval(call, dependencies) {
    const { id, otp_code, payload_hash, retyped, vote } = call.body;
    const { registry } = dependencies;
    const sent = {
      approval: id,
      vote,
      payloadHash: payload_hash,
      otpCode: otp_code,
      retyped,
    };
    const ports = actPorts(dependencies);
    const voted = await voteOn(ports, dependencies.acts, personContext(call, dependencies), sent);
    if (voted instanceof Refused) return voted;
    applyEffects(dependencies, voted.effects);
    return readJson(registry, id);
  },

  async withdrawApproval(call, dependencies) {
    const { id } = call.query;
    const withdrawn = await withdrawApproval(actPorts(dependencies), operatorOf(call), id);
    if (withdrawn instanceof Refused) return withdrawn;
    return readJson(dependencies.registry, id);
  },
};

function isReader(call: OperatorCall, row: ApprovalRow): boolean {
  return readerOf(call)[0] || isInvolved(call, row);
}

function isInvolved(call: OperatorCall, { requester, votePower }: ApprovalRow): boolean {
  const [, user, powers] = readerOf(call);
  return user === requester || powers.includes(votePower);
}

/** A request about more users counts as a lookup of a list. */
const SUBJECTS_MAX = 10;

type Opened = RequestContent | 'sealed' | 'erased';

/** Returns the personal values for a requester or voter. The lookup is recorded. */
async function openFor(
  call: OperatorCall,
  dependencies: Dependencies,
  row: ApprovalRow,
): Promise<Opened | Refused<'lookup_budget_spent'>> {
  const { registry, vault } = dependencies;
  if (row.sealed === null) return row;
  if (call.caller.kind !== 'session' || !isInvolved(call, row)) return 'sealed';
  return withConnection(registry, (connection) =>
    inTransaction(
      connection,
      async () => {
        const opened = await openContent(connection, vault, row);
        if (opened === undefined) return 'erased';
        const isList = row.subjects.length === 0 || row.subjects.length > SUBJECTS_MAX;
        const subjects = isList ? [undefined] : row.subjects;
        const closed = Object.keys(row.payload);
        const fields = Object.keys(opened.payload).filter((name) => !closed.includes(name));
        for (const subject of subjects) {
          const lookUp = { subject, fields, reason: 'approval' } as const;
          const spent = await countOrRefuse(connection, call, dependencies, lookUp);
          if (spent !== undefined) return spent;
        }
        return opened;
      },
      { rollBackIf: isRefused },
    ),
  );
}

async function readJson(
  statements: Statements,
  id: number,
  opened: Opened = 'sealed',
): Promise<Approval | Refused<'approval_not_found'>> {
  const approval = await readApproval(statements, id);
  if (approval === undefined) return new Refused('approval_not_found');
  const { rows } = await statements.query(
    `select count(*) from approval_votes where request_id = $1 and vote = 'approve'`,
    [id],
  );
  return approvalJson(approval, Number(rows[0].count), opened);
}

function approvalJson(row: ApprovalRow, approvals: number, opened: Opened = 'sealed'): Approval {
  const { payload, shown } = typeof opened === 'string' ? row : opened;
  const state = typeof opened === 'string' ? opened : 'open';
  return {
    id: row.id,
    act: row.act,
    object: row.object,
    state: row.state,
    reason: row.reason,
    requester_id: row.requester,
    requester_role: row.requesterRole,
    needed: row.needed,
    approvals,
    shown: shown.map(({ label, value }) => ({ label, value })),
    payload: payload as Record<string, unknown>,
    personal: row.sealed === null ? 'none' : state,
    payload_hash: row.payloadHash,
    value: row.value,
    retype: row.retype !== null,
    result: row.result,
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
    ended_at: row.endedAt?.toISOString() ?? null,
  };
}
