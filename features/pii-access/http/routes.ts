// The handlers of pii-access, for the gateway.

export { peopleRoutes } from './people-routes.ts';
