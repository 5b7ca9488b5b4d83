// Gateway handlers for pii-access.

export { peopleRoutes } from './people-routes.ts';
