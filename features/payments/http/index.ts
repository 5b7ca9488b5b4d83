// Parts of the handlers of payments that handlers of other features use.

export { bankAccountJson, paymentDetailJson, statusOf } from './bank-account-json.ts';
export { requireDepositCoin, requireDepositTerms } from './deposit-terms.ts';
export { requestedAsset, requireCoin } from './withdrawal-quote.ts';
