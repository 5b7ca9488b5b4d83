// Payment handlers for the gateway.

export { addressBookRoutes } from './address-book-routes.ts';
export { bankAccountsRoutes } from './bank-account-routes.ts';
export { depositAddressesRoutes } from './deposit-address-routes.ts';
export { depositsRoutes } from './deposit-routes.ts';
export { fiatRoutes } from './fiat-routes.ts';
export { operatorMoneyRoutes } from './operator-money-routes.ts';
export { withdrawalsRoutes } from './withdrawal-routes.ts';
