// The routes of a user's statistics.

import type { HandlersOf } from '../../../platform/http/index.ts';
import { getBalanceHistory } from './balance-history.ts';
import { getProfitAndLoss } from './profit-and-loss.ts';
import { getTradingVolume, getUserStats } from './traded-volume.ts';

export const statisticsRoutes: HandlersOf<'statistics'> = {
  getUserStats,
  getTradingVolume,
  getBalanceHistory,
  getProfitAndLoss,
};
