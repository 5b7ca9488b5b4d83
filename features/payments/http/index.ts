// Parts of the handlers of payments that handlers of other features use.

export { hexOf } from './balance-acts.ts';
export { bankAccountJson, paymentDetailJson, statusOf } from './bank-account-json.ts';
export { requireDepositCoin, requireDepositTerms } from './deposit-addresses-routes.ts';
export { awaitOutcome, requireOutcome } from './transfer-requests.ts';
export { requestedAsset, requireCoin } from './withdrawal-terms.ts';
