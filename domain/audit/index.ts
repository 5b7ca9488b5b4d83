// The audit of operators: an append-only chain of entries, each in the transaction of its act.

export {
  type AuditActor,
  type AuditEntry,
  appendAudit,
  auditBound,
  type HashedEntry,
  hashOf,
} from './audit.ts';
export { canonicalJson, type JsonObject, type JsonValue } from './canonical-json.ts';
