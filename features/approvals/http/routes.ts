// Approval handlers for the gateway.

export { approvalsRoutes } from './approval-routes.ts';
export { rolesRoutes } from './role-routes.ts';
