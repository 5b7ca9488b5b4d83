// The handlers of referral, for the gateway.

export { referralRoutes } from './referral-routes.ts';
