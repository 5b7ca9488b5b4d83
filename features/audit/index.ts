// Audit log: every operator action in one hash chain, signed, anchored in the command log, and
// verified.

export { anchorOf, readProjectedAnchors } from './anchors.ts';
export { appendAudit, canonicalJson, type JsonObject, type JsonValue } from './audit.ts';
export { auditKeyBound, findAuditSigner } from './audit-key.ts';
export { auditList, auditRowOf } from './audit-list.ts';
export { type AuditHead, newestCheckpoint } from './checkpoints.ts';
export { type AuditReport, verifyAudit } from './verify-audit.ts';
