// Money: exact numbers and their units. Has no notion of orders, accounts or messages.

export { type AuctionLevel, type AuctionPrice, auctionPrice } from './auction-price.ts';
export {
  addDecimals,
  compareDecimals,
  type Decimal,
  decimalText,
  multiplyDecimals,
  parseDecimal,
} from './decimal.ts';
export {
  atomsFromDecimal,
  type DecimalProblem,
  type DecimalResult,
  decimalFromAtoms,
  decimalFromLots,
  decimalFromTicks,
  type LotSize,
  lotsFromDecimal,
  type TickSize,
  ticksFromDecimal,
} from './decimals.ts';
export { discountedPpm, feeAtoms } from './fees.ts';
export { wordFromSafe } from './machine-words.ts';
export { baseAtoms, quoteAtoms } from './notional.ts';
export { bandEdges, ticksDown, ticksUp } from './price-offsets.ts';
export {
  type AssetId,
  ATOMS_MAX,
  type Atoms,
  type CommandNumber,
  type KeyId,
  type Lots,
  type MarketId,
  ONE_MILLION_PPM,
  type OrderNumber,
  type Ppm,
  type Ticks,
  type TimeMs,
  type TradeNumber,
  USER_MAX,
  type UserId,
} from './units.ts';
