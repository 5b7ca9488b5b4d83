// Wire definitions for approvals: routes, schemas and errors.

export { APPROVAL_STATES, Approval, PendingApproval } from './approval.ts';
export { approvalErrors } from './approval-errors.ts';
export { approvalRoutes } from './approval-routes.ts';
export { Role } from './role.ts';
export { roleRoutes } from './role-routes.ts';
