// Requests for approval: list, votes, withdrawal.

import {
  type ApprovalRow,
  approvalOf,
  readApproval,
  voteOn,
  withdrawApproval,
} from '../../../domain/operators/index.ts';
import type { Statements } from '../../../infra/postgres/index.ts';
import type { Approval } from '../../../protocol/index.ts';
import { ApiRefusal } from '../api-refusal.ts';
import type { HandlersOf } from '../handler.ts';
import { answerList } from '../lists/lists.ts';
import { actOf } from '../person-call.ts';
import { ACTS } from './acts.ts';
import { actPorts, applyEffects, errorKeyOf, refusing } from './answer-act.ts';
import { operatorOf } from './operator-call.ts';

const APPROVALS = `(select count(*) from approval_votes v
  where v.request_id = a.id and v.vote = 'approve')`;
const FILTERS = `where ($1::text is null or a.state = $1)
  and ($2::bigint is null or a.requester_id = $2)
  and ($3::timestamptz is null or a.created_at >= $3)
  and ($4::timestamptz is null or a.created_at <= $4)`;

export const approvalsRoutes: HandlersOf<'approvals'> = {
  approvals: (call, { clock, exchange, registry }) => {
    const { end_date, requester_id, start_date, state } = call.query;
    return answerList(call, {
      pool: registry,
      clock,
      rows: (order) =>
        `select a.*, ${APPROVALS} as approvals from approval_requests a ${FILTERS} ${order}
         limit $5 offset $6`,
      count: `select count(*) from (select from approval_requests a ${FILTERS} limit $5) counted`,
      values: [state ?? null, requester_id ?? null, start_date ?? null, end_date ?? null],
      sortColumns: { id: 'a.id', created_at: 'a.created_at' },
      defaultSort: ['a.id'],
      write: (row) => JSON.stringify(approvalJson(approvalOf(row), Number(row.approvals))),
      fileName: `${exchange.name}-approvals`,
    });
  },

  approval: async ({ query: { id } }, { registry }) => readJson(registry, id),

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
    const voted = await refusing(() =>
      voteOn(actPorts(dependencies), ACTS, actOf(call, dependencies), sent),
    );
    if (voted.kind === 'refused') throw new ApiRefusal(errorKeyOf(voted.refusal));
    applyEffects(dependencies, voted.effects);
    return readJson(registry, id);
  },

  async withdrawApproval(call, dependencies) {
    const { id } = call.query;
    await refusing(() => withdrawApproval(actPorts(dependencies), operatorOf(call), id));
    return readJson(dependencies.registry, id);
  },
};

async function readJson(statements: Statements, id: number): Promise<Approval> {
  const approval = await readApproval(statements, id);
  if (approval === undefined) throw new ApiRefusal('approval_not_found');
  const { rows } = await statements.query(
    `select count(*) from approval_votes where request_id = $1 and vote = 'approve'`,
    [id],
  );
  return approvalJson(approval, Number(rows[0].count));
}

function approvalJson(row: ApprovalRow, approvals: number): Approval {
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
    shown: row.shown.map(({ label, value }) => ({ label, value })),
    payload: row.payload as Record<string, unknown>,
    payload_hash: row.payloadHash,
    value: row.value,
    retype: row.retype !== null,
    result: row.result,
    executes_at: row.executesAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
    ended_at: row.endedAt?.toISOString() ?? null,
  };
}
