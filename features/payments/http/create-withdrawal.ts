// A withdrawal by an API key: policy and request in one transaction, then the engine's hold.
// Responds when the amount is held, or when the request is certain to be sent to the engine.

import { decimalFromAtoms } from '../../../core/money/index.ts';
import { withConnection } from '../../../infra/postgres/index.ts';
import {
  ApiRefusal,
  awaitOutcome,
  type Call,
  type Dependencies,
  signatureHash,
} from '../../../platform/http/index.ts';
import { decimal, type Routes, withdrawalError } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { openWithdrawalRequest, type WithdrawalRequest } from '../withdrawals/requests.ts';
import { policyRefusal } from './policy-refusal.ts';
import {
  requestedAsset,
  requireAddress,
  requireAmount,
  requireCoin,
  requireNetwork,
  requireNoFiat,
  withdrawalTerms,
} from './withdrawal-terms.ts';

const MESSAGE = 'Withdrawal request is in the queue and will be processed.';

export async function createWithdrawal(
  { body, caller, signature }: Call<Routes['createWithdrawal']>,
  dependencies: Dependencies,
) {
  const { now } = dependencies.catalogue;
  const coin = requireCoin(now, body.currency);
  if (!coin.allowWithdrawal || !coin.active) {
    throw new ApiRefusal('withdrawals_are_off', { currency: coin.symbol });
  }
  requireNoFiat(coin);
  const terms = withdrawalTerms(now, { coin, network: body.network });
  requireNetwork(terms);
  const { feeAsset, feeAtoms, network } = terms;
  const amountAtoms = requireAmount(body.amount, terms);
  const request: WithdrawalRequest = {
    user: caller.user,
    key: caller.key,
    amountAtoms,
    feeAtoms,
    network,
    asset: requestedAsset(coin.asset),
    feeAsset: requestedAsset(feeAsset),
    address: requireAddress(body.address, terms),
    signatureHash: signatureHash(caller, signature),
    projectionSchema: dependencies.exchange.projectionSchema,
  };
  const opened = await withConnection(dependencies.registry, (session) =>
    openWithdrawalRequest(session, request),
  );
  if (opened.kind === 'refused') {
    if ('line' in opened) throw policyRefusal(opened, { currency: coin.symbol, network });
    throw new ApiRefusal(withdrawalError(opened.refusal));
  }
  const outcome = await awaitOutcome(dependencies, opened.position);
  if (outcome instanceof Refused) return outcome;
  return {
    message: MESSAGE,
    id: opened.id,
    transaction_id: opened.transactionId,
    amount: decimal(decimalFromAtoms(amountAtoms, coin.asset.scale)),
    currency: coin.symbol,
    fee: decimal(decimalFromAtoms(feeAtoms, feeAsset.scale)),
    fee_coin: feeAsset.symbol,
  };
}
