// The handlers of approvals, for the gateway.

export { approvalsRoutes } from './approvals-routes.ts';
export { rolesRoutes } from './roles-routes.ts';
