// Handlers for deposits: users list their own; operators list all, credit one, or review one.

import type { UserId } from '../../../core/money/index.ts';
import type { HandlersOf } from '../../../platform/http/index.ts';
import { operatorOf } from '../../approvals/http/index.ts';
import { viewOf } from '../../pii-access/index.ts';
import { creditDeposit } from './credit-deposit.ts';
import { reviewDeposit } from './review-deposit.ts';
import { requestAnswer, requestAnswerOfUser } from './transfer-json.ts';
import { answerRequests } from './transfer-list.ts';

const getDepositsOfUsers: HandlersOf<'deposits'>['getDepositsOfUsers'] = async (
  call,
  dependencies,
) => {
  const { exchange, registry, vault } = dependencies;
  const view = await viewOf(registry, operatorOf(call));
  return answerRequests(dependencies, {
    call,
    type: 'deposit',
    user: call.query.user_id as UserId | undefined,
    write: (row) => requestAnswerOfUser(row, { name: exchange.name, vault, view }),
  });
};

export const depositsRoutes: HandlersOf<'deposits'> = {
  getDepositsOfUsers,
  getDepositsOfUsersFile: getDepositsOfUsers,
  creditDeposit,
  reviewDeposit,

  getDeposits(call, dependencies) {
    const { user } = call.caller;
    const { addresses } = dependencies;
    return answerRequests(dependencies, {
      call,
      type: 'deposit',
      user,
      write: (row) => requestAnswer(row, addresses.explorer),
    });
  },
};
