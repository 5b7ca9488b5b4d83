// Matching: order books with price-time priority, stored in columns. Has no notion of balances.

export { Books, type MatchListener, type Walk } from './books.ts';
export {
  FILL_OR_KILL,
  GOOD_TILL_CANCELED,
  packTerms,
  READY,
  RESTING,
  selfTradeCode,
  TERMS_MAX,
  timeInForceCode,
  WAITING,
} from './orders.ts';
