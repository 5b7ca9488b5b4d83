// Handlers for lists across all users, and operators' reads of one user. A list and its file have
// the same handler.

import {
  type HandlersOf,
  JsonAnswer,
  JsonText,
  requireFresh,
  StreamedAnswer,
} from '../../../platform/http/index.ts';
import type { Kit } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { readBalance } from '../../accounts/http/index.ts';
import { EXCHANGE_ID } from '../../pii-access/http/index.ts';
import { answerBalanceHistory, readTradingVolume } from '../../portfolio/http/index.ts';
import { requireUser } from './answer-list.ts';
import {
  createReferralCodeForUser,
  getAffiliationsOfUser,
  getLoginsOfUsers,
  getRefererOfUser,
  getReferralCodesOfUsers,
  getSessionsOfUsers,
  getWalletsOfUsers,
} from './people-lists.ts';
import { getTotalBalance } from './total-balance.ts';
import { getBalancesOfUsers, getOrdersOfUsers, getTradesOfUsers } from './trading-lists.ts';

type Handlers = HandlersOf<'operatorLists'>;

const getBalanceHistoryOfUser: Handlers['getBalanceHistoryOfUser'] = async (call, dependencies) => {
  const user = await requireUser(dependencies.registry, call.query.user_id);
  if (user instanceof Refused) return user;
  const answer = await answerBalanceHistory(call, dependencies, user);
  // The file has a different status.
  const isWhole = answer instanceof StreamedAnswer || answer instanceof Refused;
  return isWhole ? answer : new JsonAnswer(answer, { status: 200 });
};

export const operatorListsRoutes: Handlers = {
  getOrdersOfUsers,
  getOrdersOfUsersFile: getOrdersOfUsers,
  getTradesOfUsers,
  getTradesOfUsersFile: getTradesOfUsers,
  getBalancesOfUsers,
  getBalancesOfUsersFile: getBalancesOfUsers,
  getLoginsOfUsers,
  getLoginsOfUsersFile: getLoginsOfUsers,
  getWalletsOfUsers,
  getWalletsOfUsersFile: getWalletsOfUsers,
  getSessionsOfUsers,
  getSessionsOfUsersFile: getSessionsOfUsers,
  getBalanceHistoryOfUser,
  getBalanceHistoryOfUserFile: getBalanceHistoryOfUser,
  getTotalBalance,
  getRefererOfUser,
  getAffiliationsOfUser,
  getReferralCodesOfUsers,
  createReferralCodeForUser,

  async getBalanceOfUser({ query }, dependencies) {
    const user = await requireUser(dependencies.registry, query.user_id);
    if (user instanceof Refused) return user;
    const behind = await requireFresh(dependencies);
    if (behind !== undefined) return behind;
    return new JsonText(await readBalance(dependencies, user));
  },

  async getTradingVolumeOfUser({ query }, dependencies) {
    const user = await requireUser(dependencies.registry, query.user_id);
    if (user instanceof Refused) return user;
    return readTradingVolume(dependencies, user, query);
  },

  getOperatedExchange(_call, { catalogue, commands, exchange }) {
    const { name, publicUrl } = exchange;
    const { coins, kit, pairs } = catalogue.now;
    const { created_at, expiry, period, plan } = (kit as unknown as Kit).info;
    return {
      id: EXCHANGE_ID,
      name,
      display_name: name,
      url: publicUrl,
      active: commands.hasLeader,
      is_trial: false,
      plan,
      period,
      expiry,
      created_at,
      coins: [...coins.keys()],
      pairs: [...pairs.keys()],
    };
  },
};
