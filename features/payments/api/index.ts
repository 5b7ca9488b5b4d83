// Wire definitions for payments: routes, schemas and errors.

export { AddressBook } from './address-book.ts';
export { addressBookRoutes } from './address-book-routes.ts';
export { BankAccount, PaymentDetail } from './bank-account.ts';
export { bankAccountRoutes } from './bank-account-routes.ts';
export { depositAddressRoutes } from './deposit-address-routes.ts';
export { depositRoutes } from './deposit-routes.ts';
export { DepositOrWithdrawal, DepositOrWithdrawalOfUser } from './deposit-withdrawal.ts';
export { fiatErrors } from './fiat-errors.ts';
export { fiatRoutes } from './fiat-routes.ts';
export { KnownTransaction } from './known-transaction.ts';
export { moneyErrors } from './money-errors.ts';
export { NetworkFee, NetworkFees, operatorMoneyRoutes } from './operator-money-routes.ts';
export { DescriptionIn, NetworkIn } from './transfer-inputs.ts';
export { WithdrawalCreated } from './withdrawal-created.ts';
export { addressBookErrors, withdrawalFlowErrors } from './withdrawal-flow-errors.ts';
export { withdrawalPolicyErrors } from './withdrawal-policy-errors.ts';
export { withdrawalRoutes } from './withdrawal-routes.ts';
