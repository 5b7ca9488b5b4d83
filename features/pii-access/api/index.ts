// Wire definitions for pii-access: routes, schemas and errors.

export { peopleErrors } from './people-errors.ts';
export { peopleRoutes } from './people-routes.ts';
export { Reveal, RevealedUser } from './reveal.ts';
