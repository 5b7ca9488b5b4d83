// Every route's handler, under the route's name.

import type { Handlers } from './handler.ts';
import { getBalance } from './handlers/get-balance.ts';
import { getUser } from './handlers/get-user.ts';
import { getUserTrades } from './handlers/get-user-trades.ts';

export const handlers: Partial<Handlers> = {
  getBalance,
  getUser,
  getUserTrades,
};
