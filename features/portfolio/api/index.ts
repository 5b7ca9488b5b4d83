// Wire definitions for portfolio: routes, schemas and errors.

export {
  BalanceOfDay,
  ProfitAndLoss,
  type ProfitOfPeriod,
  TradedVolume,
  TradingVolume,
  UserStats,
} from './statistics.ts';
export { statisticsRoutes } from './statistics-routes.ts';
