// Parts of the handlers of payments that handlers of other features use.

export { askedRequestDone } from './asked-request.ts';
export { bankAccountJson, paymentDetailJson, statusOf } from './bank-account-json.ts';
export { policyRefusal } from './policy-refusal.ts';
export { masked, requestAnswer, requestAnswerOfUser } from './transfer-json.ts';
export {
  awaitOutcome,
  changeRefusal,
  findRequestId,
  readRequestAfterChange,
  requireOutcome,
} from './transfer-requests.ts';
export {
  requestedAsset,
  requireAddress,
  requireAmount,
  requireCoin,
  requireNetwork,
  requireNoFiat,
  requireWithdrawals,
  transferTerms,
  withdrawalTerms,
} from './withdrawal-terms.ts';
