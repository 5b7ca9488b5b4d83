// Actions of operators in payments.

export { PAYMENTS_ACTS } from './acts.ts';
export { createAddressAct } from './banks.ts';
export {
  type AskedRequest,
  askedAt,
  bytesOf,
  largerOf,
  positionOf,
  requireUsers,
} from './money-terms.ts';
export {
  addPaymentAct,
  changePaymentAct,
  type PaymentPayload,
  removePaymentAct,
} from './payment-details.ts';
