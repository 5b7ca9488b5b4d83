// The handlers of reports, for the gateway.

export { consoleRoutes } from './console-routes.ts';
export { ledgerRoutes } from './ledger-routes.ts';
export { operatorListsRoutes } from './operator-list-routes.ts';
