// The wire of audit: its routes, schemas and errors.

export { AuditEntry, AuditVerification } from './audit.ts';
export { auditRoutes } from './audit-routes.ts';
