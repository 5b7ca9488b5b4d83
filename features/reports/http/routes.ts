// Gateway handlers for reports.

export { consoleRoutes } from './console-routes.ts';
export { ledgerRoutes } from './ledger-routes.ts';
export { operatorListsRoutes } from './operator-list-routes.ts';
export { statementRoutes as statementsRoutes } from './statements.ts';
