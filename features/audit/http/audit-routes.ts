// Handlers for the audit log of operators: its list, as pages or as a file, and its verification.

import type { UserId } from '../../../core/money/index.ts';
import { withConnection } from '../../../infra/postgres/index.ts';
import {
  answerList,
  type HandlersOf,
  momentFilter,
  type Row,
} from '../../../platform/http/index.ts';
import { type AuditEntry, timeText } from '../../../protocol/index.ts';
import { readProjectedAnchors } from '../anchors.ts';
import { AUDIT_SORT_COLUMNS, auditList, auditRowOf } from '../audit-list.ts';
import { verifyAudit } from '../verify-audit.ts';

const getAudits: HandlersOf<'audits'>['getAudits'] = (call, { clock, exchange, registry }) => {
  const { act, end_date, id, object, start_date, subject, user_id } = call.query;
  const filter = {
    seq: id,
    user: user_id as UserId | undefined,
    operator: operatorOf(subject),
    act,
    object,
    from: momentFilter(start_date) ?? undefined,
    to: momentFilter(end_date) ?? undefined,
  };
  return answerList(call, {
    ...auditList(filter),
    pool: registry,
    clock,
    sortColumns: AUDIT_SORT_COLUMNS,
    write: (row) => JSON.stringify(auditJson(row)),
    fileName: `${exchange.name}-audits`,
  });
};

export const auditsRoutes: HandlersOf<'audits'> = {
  getAudits,
  getAuditsFile: getAudits,

  async verifyAudits({ query }, { exchange, registry, vault }) {
    const anchors = await readProjectedAnchors(registry, exchange.projectionSchema);
    const report = await withConnection(registry, (connection) =>
      verifyAudit(connection, vault, { anchors, newest: query.limit }),
    );
    return {
      valid: report.findingsCount === 0,
      from: report.from,
      to: report.to,
      checkpoints: report.checkpoints,
      anchors: report.anchors,
      findings_count: report.findingsCount,
      findings: report.findings.map(({ fault, seq }) => ({ fault, id: seq })),
    };
  },
};

function operatorOf(subject: string | undefined): UserId | string | undefined {
  return subject !== undefined && /^\d{1,15}$/.test(subject)
    ? (Number(subject) as UserId)
    : subject;
}

function auditJson(row: Row): AuditEntry {
  const entry = auditRowOf(row);
  const [, session] = /^session (\d+)$/.exec(entry.credential) ?? [];
  const time = timeText(entry.at.getTime());
  return {
    id: entry.seq,
    subject: entry.operatorEmail ?? entry.credential,
    operator_id: entry.operator,
    credential: entry.credential,
    session_id: session === undefined ? null : Number(session),
    ip: entry.address,
    description: `${entry.act} ${entry.object}`,
    act: entry.act,
    object: entry.object,
    user_id: entry.user,
    before: entry.before,
    after: entry.after,
    has_personal: entry.hasPersonal,
    approval_id: entry.approval,
    hash: entry.hash.toString('hex'),
    timestamp: time,
    created_at: time,
  };
}
