// Handlers for withdrawals: users request, cancel and list their own; operators list and review all
// of them.

import { decimalFromAtoms, type UserId } from '../../../core/money/index.ts';
import { withConnection } from '../../../infra/postgres/index.ts';
import { awaitOutcome, type HandlersOf } from '../../../platform/http/index.ts';
import { decimal } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { operatorOf } from '../../approvals/http/index.ts';
import { viewOf } from '../../pii-access/index.ts';
import { cancelUnclaimedWithdrawal } from '../withdrawals/cancel-withdrawal.ts';
import { createWithdrawal } from './create-withdrawal.ts';
import { confirmWithdrawal, requestWithdrawal } from './request-withdrawal.ts';
import { reviewWithdrawal } from './review-withdrawal.ts';
import { requestAnswer, requestAnswerOfUser } from './transfer-json.ts';
import { answerRequests } from './transfer-list.ts';
import { readRequestAfterChange } from './transfer-requests.ts';
import { getWithdrawalMax } from './withdrawal-max.ts';
import { canPay, quoteWithdrawal, requireCoin } from './withdrawal-quote.ts';

const getWithdrawalsOfUsers: HandlersOf<'withdrawals'>['getWithdrawalsOfUsers'] = async (
  call,
  dependencies,
) => {
  const { exchange, registry, vault } = dependencies;
  const view = await viewOf(registry, operatorOf(call));
  // Files are masked for the payer too.
  const payer = call.query.format === undefined ? { payer: call.caller.user } : {};
  return answerRequests(dependencies, {
    call,
    type: 'withdrawal',
    user: call.query.user_id as UserId | undefined,
    write: (row) => requestAnswerOfUser(row, { name: exchange.name, vault, view, ...payer }),
  });
};

export const withdrawalsRoutes: HandlersOf<'withdrawals'> = {
  getWithdrawalsOfUsers,
  getWithdrawalsOfUsersFile: getWithdrawalsOfUsers,
  createWithdrawal,
  requestWithdrawal,
  confirmWithdrawal,
  getWithdrawalMax,
  reviewWithdrawal,

  /** Users can cancel a withdrawal until a payer claims it. */
  async cancelWithdrawal({ caller, query }, dependencies) {
    const { user } = caller;
    const changed = await withConnection(dependencies.registry, (session) =>
      cancelUnclaimedWithdrawal(session, { id: query.id }, user),
    );
    if (changed instanceof Refused) return changed;
    if (changed.kind === 'requested') {
      const outcome = await awaitOutcome(dependencies, changed.position);
      if (outcome instanceof Refused) return outcome;
    }
    const row = await readRequestAfterChange(dependencies, { type: 'withdrawal', id: query.id });
    return row instanceof Refused ? row : requestAnswer(row);
  },

  /**
   * Without a network, returns the fee of the coin's only network, or the coin's own fee. Checks
   * the form of an address; the rules for it apply only when a withdrawal is requested.
   */
  getWithdrawalFee({ query }, { catalogue }) {
    const currency = query.currency ?? query.symbol;
    if (currency === undefined) {
      return new Refused('request_invalid', { detail: 'Parameter (currency) is required' });
    }
    const coin = requireCoin(catalogue.now, currency);
    if (coin instanceof Refused) return coin;
    const quote = quoteWithdrawal(catalogue.now, { coin, network: query.network });
    if (quote instanceof Refused) return quote;
    const { feeAsset, feeAtoms } = quote;
    if (query.address !== undefined && !canPay(quote, query.address)) {
      return new Refused('address_invalid', { currency: coin.symbol });
    }
    const fee = decimal(decimalFromAtoms(feeAtoms, feeAsset.scale));
    return { fee, fee_coin: feeAsset.symbol };
  },

  getWithdrawals(call, dependencies) {
    const { user } = call.caller;
    return answerRequests(dependencies, { call, type: 'withdrawal', user, write: requestAnswer });
  },
};
