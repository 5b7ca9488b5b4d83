// The routes of a user's statistics.

import {
  getBalanceHistory,
  getTradingVolume,
  getUserStats,
} from '../../../features/portfolio/http/index.ts';
import type { HandlersOf } from '../../../platform/http/index.ts';
import { getProfitAndLoss } from './profit-and-loss.ts';

export const statisticsRoutes: HandlersOf<'statistics'> = {
  getUserStats,
  getTradingVolume,
  getBalanceHistory,
  getProfitAndLoss,
};
