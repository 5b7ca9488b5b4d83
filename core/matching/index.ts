// Matching: order books with price-time priority, stored in columns. Has no notion of balances.

export { Books, type MatchListener, type Walk } from './books.ts';
export {
  areTerms,
  FILL_OR_KILL,
  GOOD_TILL_CANCELED,
  packTerms,
  READY,
  RESTING,
  selfTradeCode,
  timeInForceCode,
  WAITING,
} from './orders.ts';
