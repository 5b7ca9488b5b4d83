// Matching: price-time books in columns. Knows orders, prices and queues; knows no balances.

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
