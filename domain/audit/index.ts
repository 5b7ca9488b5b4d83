// The audit of operators: an append-only chain of entries, each in the transaction of its act.

export { anchorAudit, anchorOf, readProjectedAnchors } from './anchors.ts';
export {
  type AuditActor,
  type AuditEntry,
  appendAudit,
  auditBound,
  type HashedEntry,
  hashOf,
} from './audit.ts';
export { auditKeyBound, findAuditSigner } from './audit-key.ts';
export {
  AUDIT_SORT_COLUMNS,
  type AuditFilter,
  type AuditList,
  type AuditRow,
  auditList,
  auditRowOf,
} from './audit-list.ts';
export { canonicalJson, type JsonObject, type JsonValue } from './canonical-json.ts';
export {
  type AuditHead,
  CHECKPOINT_ENTRIES,
  checkpointAudit,
  newestCheckpoint,
} from './checkpoints.ts';
export {
  type AuditFault,
  type AuditFinding,
  type AuditReport,
  type VerifyOptions,
  verifyAudit,
} from './verify-audit.ts';
