// Wire definitions for audit: routes, schemas and errors.

export { AuditEntry, AuditVerification } from './audit.ts';
export { auditRoutes } from './audit-routes.ts';
