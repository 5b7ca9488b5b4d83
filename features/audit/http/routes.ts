// The handlers of audit, for the gateway.

export { auditsRoutes } from './audits-routes.ts';
