// Handlers for deposits: users list their own; operators list all, credit one, or review one.

import { decimalFromAtoms, type UserId } from '../../../core/money/index.ts';
import { withConnection } from '../../../infra/postgres/index.ts';
import { type HandlersOf, requireOutcome } from '../../../platform/http/index.ts';
import { decimal } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { operatorOf } from '../../approvals/http/index.ts';
import { viewOf } from '../../pii-access/index.ts';
import { requestPlayMoney } from '../deposits/play-money.ts';
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

  async getPlayMoney({ body, caller }, dependencies) {
    const { exchange, registry } = dependencies;
    const currency = body.currency.toLowerCase();
    if (!exchange.isDemo) return new Refused('play_money_not_offered', { currency });
    if (caller.isSubAccount) return new Refused('sub_account_not_allowed');
    const { projectionSchema } = exchange;
    const { session, user } = caller;
    const started = await withConnection(registry, (connection) =>
      requestPlayMoney(connection, { user, currency, session, projectionSchema }),
    );
    if (started instanceof Refused) return started;
    const outcome = await requireOutcome(dependencies, started.position);
    if (outcome instanceof Refused) {
      const isUsedUp = outcome.key === 'balance_too_small';
      return isUsedUp ? new Refused('play_money_used_up', { currency }) : outcome;
    }
    const { atoms, scale } = started.gift;
    return { message: 'Success', amount: decimal(decimalFromAtoms(atoms, scale)), currency };
  },

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
