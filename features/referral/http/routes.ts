// Gateway handlers for referral.

export { referralRoutes } from './referral-routes.ts';
