// Wire definitions for custody: routes, schemas and errors.

export type { CustodyState } from './custody.ts';
export { custodyErrors } from './custody-errors.ts';
export { custodyRoutes } from './custody-routes.ts';
