// Fiat: deposits that people announce, and withdrawals to their verified bank accounts.

export { FIAT_REQUESTS_MAX, type FiatDeposit, requestFiatDeposit } from './fiat-deposits.ts';
export { requestFiatWithdrawal } from './fiat-withdrawals.ts';
