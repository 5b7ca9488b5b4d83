// The handlers of payments, for the gateway.

export { addressBookRoutes } from './address-book-routes.ts';
export { bankAccountsRoutes } from './bank-accounts-routes.ts';
export { depositAddressesRoutes } from './deposit-addresses-routes.ts';
export { depositsRoutes } from './deposits-routes.ts';
export { fiatRoutes } from './fiat-routes.ts';
export { operatorMoneyRoutes } from './operator-money-routes.ts';
export { withdrawalsRoutes } from './withdrawals-routes.ts';
