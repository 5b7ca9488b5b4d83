// Handlers for money moved by operators. Each change is an action that can need approval from
// another operator.

import type { UserId } from '../../../core/money/index.ts';
import { type HandlersOf, requireOutcomes } from '../../../platform/http/index.ts';
import { answerAct } from '../../approvals/http/index.ts';
import { cancelOrderOfUser, placeOrderOfUser, tradeDirectly } from '../../trading/http/index.ts';
import { settleFeesAct } from '../admin/settle-fees.ts';
import { burn, payOut, transferBetweenUsers } from './balance-acts.ts';
import { checkTransactionOfUsers } from './check-transaction.ts';
import { getNetworkFees } from './network-fees.ts';
import { policyJson, setWithdrawalPolicy } from './withdrawal-policy.ts';

export const operatorMoneyRoutes: HandlersOf<'operatorMoney'> = {
  getNetworkFees,
  getNetworkFeesFile: getNetworkFees,
  burn,
  transferBetweenUsers,
  payOut,
  tradeDirectly,
  placeOrderOfUser,
  cancelOrderOfUser,
  checkTransactionOfUsers,

  getWithdrawalPolicy: (_call, { registry }) => policyJson(registry),
  setWithdrawalPolicy,

  settleFees(call, dependencies) {
    const user_id: UserId | number = call.query.user_id ?? call.caller.user;
    return answerAct(call, dependencies, settleFeesAct, { user_id }, async ({ asked }) => {
      const undone = await requireOutcomes(dependencies, asked);
      return undone ?? { message: 'Success' };
    });
  },
};
