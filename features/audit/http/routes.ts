// Gateway handlers for audit.

export { auditsRoutes } from './audit-routes.ts';
