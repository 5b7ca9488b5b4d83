// The wire of portfolio: its routes, schemas and errors.

export {
  BalanceOfDay,
  ProfitAndLoss,
  type ProfitOfPeriod,
  TradedVolume,
  TradingVolume,
  UserStats,
} from './statistics.ts';
export { statisticsRoutes } from './statistics-routes.ts';
