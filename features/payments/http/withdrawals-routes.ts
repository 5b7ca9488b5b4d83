// The routes of withdrawals: users request, cancel and list their own; operators list and review
// all of them.

import { decimalFromAtoms, type UserId } from '../../../core/money/index.ts';
import { withConnection } from '../../../infra/postgres/index.ts';
import { ApiRefusal, awaitOutcome, type HandlersOf } from '../../../platform/http/index.ts';
import { decimal } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { cancelWithdrawal } from '../withdrawals/cancel-withdrawal.ts';
import { createWithdrawal } from './create-withdrawal.ts';
import { confirmWithdrawal, requestWithdrawal } from './request-withdrawal.ts';
import { reviewWithdrawal } from './review-withdrawal.ts';
import { masked, requestAnswer, requestAnswerOfUser } from './transfer-json.ts';
import { answerRequests } from './transfer-list.ts';
import { changeRefusal, readRequestAfterChange } from './transfer-requests.ts';
import { getWithdrawalMax } from './withdrawal-max.ts';
import { requireCoin, withdrawalTerms } from './withdrawal-terms.ts';

const getWithdrawalsOfUsers: HandlersOf<'withdrawals'>['getWithdrawalsOfUsers'] = (
  call,
  dependencies,
) =>
  answerRequests(dependencies, {
    call,
    type: 'withdrawal',
    user: call.query.user_id as UserId | undefined,
    write: (row) => requestAnswerOfUser(masked(row), dependencies.exchange.name),
  });

export const withdrawalsRoutes: HandlersOf<'withdrawals'> = {
  getWithdrawalsOfUsers,
  getWithdrawalsOfUsersFile: getWithdrawalsOfUsers,
  createWithdrawal,
  requestWithdrawal,
  confirmWithdrawal,
  getWithdrawalMax,
  reviewWithdrawal,

  /** Users can cancel a withdrawal until somebody claims it to pay it. */
  async cancelWithdrawal({ caller, query }, dependencies) {
    const { user } = caller;
    const changed = await withConnection(dependencies.registry, (session) =>
      cancelWithdrawal(session, { id: query.id }, user),
    );
    if (changed.kind === 'refused') throw changeRefusal('withdrawal', changed.refusal);
    if (changed.kind === 'requested') {
      const outcome = await awaitOutcome(dependencies, changed.position);
      if (outcome instanceof Refused) return outcome;
    }
    const name = { type: 'withdrawal', id: query.id } as const;
    return requestAnswer(await readRequestAfterChange(dependencies, name));
  },

  /** Without a network: the fee of the coin's only network, or the coin's own fee. */
  getWithdrawalFee({ query }, { catalogue }) {
    const currency = query.currency ?? query.symbol;
    if (currency === undefined) {
      throw new ApiRefusal('request_invalid', { detail: 'Parameter (currency) is required' });
    }
    const coin = requireCoin(catalogue.now, currency);
    const { feeAsset, feeAtoms } = withdrawalTerms(catalogue.now, { coin, network: query.network });
    const fee = decimal(decimalFromAtoms(feeAtoms, feeAsset.scale));
    return { fee, fee_coin: feeAsset.symbol };
  },

  getWithdrawals(call, dependencies) {
    const { user } = call.caller;
    return answerRequests(dependencies, { call, type: 'withdrawal', user, write: requestAnswer });
  },
};
