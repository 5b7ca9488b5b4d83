// The handlers of audit, for the gateway.

export { auditsRoutes } from './audit-routes.ts';
