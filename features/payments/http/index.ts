// Parts of the payment handlers that other features use.

export { bankAccountJson, paymentDetailJson, statusOf } from './bank-account-json.ts';
export { requireDepositCoin, requireDepositTerms } from './deposit-terms.ts';
export { requestedAsset, requireCoin } from './withdrawal-quote.ts';
