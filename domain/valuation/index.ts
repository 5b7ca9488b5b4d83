// Valuation: what one unit of a currency is worth in another, from the projected candles and the
// operators' reference prices. Only values: never moves money and never fills an order.

export { cautiousPrices, closingPrices, conservativePrices, type PriceQuestion } from './prices.ts';
