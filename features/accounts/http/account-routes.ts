// The routes of a user's account: profile, balances and trades.

import { type HandlersOf, JsonText, requireFresh } from '../../../platform/http/index.ts';
import { readBalance } from './balance.ts';
import { getUser } from './user-profile.ts';
import { getUserTrades } from './user-trades.ts';

export const accountRoutes: HandlersOf<'account'> = {
  getUser,
  getUserTrades,

  async getBalance({ caller }, dependencies) {
    const behind = await requireFresh(dependencies);
    if (behind !== undefined) return behind;
    return new JsonText(await readBalance(dependencies, caller.user));
  },
};
