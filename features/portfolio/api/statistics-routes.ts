// A user's statistics. Days and months are in UTC.

import {
  defineRoute,
  FormatIn,
  field,
  listQuery,
  MomentIn,
  NO_QUERY,
  oneOf,
  pagedList,
  Type,
  WEIGHT_HEAVY,
} from '../../../protocol/wire/index.ts';
import { BalanceOfDay, ProfitAndLoss, TradingVolume, UserStats } from './statistics.ts';

const mayRead = { who: 'user', scope: 'can_read', sessions: true } as const;
const common = { tag: 'user', permission: mayRead, effect: 'read', weight: WEIGHT_HEAVY } as const;

export const statisticsRoutes = {
  getUserStats: defineRoute({
    ...common,
    method: 'GET',
    path: '/v2/user/stats',
    summary: 'Your traded volume by year, month and pair',
    description: 'Totals of your trades; past days are counted once per day.',
    query: NO_QUERY,
    status: 200,
    response: UserStats,
  }),
  getTradingVolume: defineRoute({
    ...common,
    method: 'GET',
    path: '/v2/user/trading-volume',
    summary: 'Your traded volume by coin; the last 30 days by default',
    description:
      'Volumes by coin, and their value in the native currency at the prices of each day.',
    query: Type.Object({ from: Type.Optional(MomentIn), to: Type.Optional(MomentIn) }),
    status: 200,
    response: TradingVolume,
  }),
  getBalanceHistory: defineRoute({
    ...common,
    method: 'GET',
    path: '/v2/user/balance-history',
    summary: 'Your balances at the end of each day, newest first',
    description: 'One row per day, at midnight UTC, with the value in the native currency.',
    query: listQuery({ format: FormatIn }),
    status: 200,
    response: pagedList(BalanceOfDay),
    csv: true,
  }),
  getProfitAndLoss: defineRoute({
    ...common,
    method: 'GET',
    path: '/v2/user/balance-pl',
    summary: 'Your profit and loss over 7, 30 and 90 days, up to the end of yesterday',
    description: 'Deposits and withdrawals do not count as profit or loss.',
    query: Type.Object({
      period: field(
        Type.Optional(oneOf(['7', '30', '90'])),
        'Number of days up to the end of yesterday.',
        '30',
      ),
    }),
    status: 200,
    response: ProfitAndLoss,
  }),
} as const;
