// Operator actions for payments.

export { PAYMENTS_ACTS } from './acts.ts';
export { createAddressAct } from './banks.ts';
export {
  bytesOf,
  largerOf,
  outboxRef,
  positionOf,
  type RequestRef,
  requireUsers,
  termsOfUser,
} from './money-terms.ts';
export {
  addPaymentAct,
  changePaymentAct,
  type PaymentPayload,
  removePaymentAct,
} from './payment-details.ts';
