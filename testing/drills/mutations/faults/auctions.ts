// Faults of call auctions: the price, the trades and the end.

import type { Fault } from '../fault.ts';

const PRICE = 'core/money/auction-price.ts';
const UNCROSS = 'core/engine/uncross.ts';
const BOOKS = 'core/matching/books.ts';

export const AUCTION_FAULTS: readonly Fault[] = [
  {
    name: 'an auction takes the first crossing price',
    file: PRICE,
    find: 'return one.volumeLots > other.volumeLots;',
    replace: 'return false;',
  },
  {
    name: 'an auction ignores what its price leaves over',
    file: PRICE,
    find: '  if (surplus !== otherSurplus) return surplus < otherSurplus;\n',
    replace: '',
  },
  {
    name: 'an auction ignores the reference between equal prices',
    file: PRICE,
    find: 'priceTicks: Math.min(Math.max(referenceTicks, from), to) as Ticks,',
    replace: 'priceTicks: from as Ticks,',
  },
  {
    name: 'an auction begins before its end',
    file: UNCROSS,
    find: 'auctionEndsMs !== 0 && exchange.timeMs >= auctionEndsMs',
    replace: 'auctionEndsMs !== 0 && exchange.timeMs >= auctionEndsMs - 1',
  },
  {
    name: 'an auction may end years later',
    file: UNCROSS,
    find: ' && endsMs <= timeMs + AUCTION_MAX_MS',
    replace: '',
  },
  {
    name: 'an uncrossing takes any number of trades in a frame',
    file: UNCROSS,
    find: '    stepsLeft -= result.steps;\n',
    replace: '',
  },
  {
    name: 'orders outside the band take part in an auction',
    file: UNCROSS,
    find: 'if (closed === closedMax || !isOutsideBand(exchange, market, order)) break;',
    replace: 'if (closed >= 0) break;',
  },
  {
    name: 'the price of an auction triggers no stop',
    file: UNCROSS,
    find: '  if (highestTicks > 0) books.triggerStops(market.id, { lowestTicks, highestTicks });\n',
    replace: '',
  },
  {
    name: 'a frozen market uncrosses',
    file: UNCROSS,
    find: "if (market.frozenBy !== 0 || market.status !== 'auction') return;",
    replace: "if (market.status !== 'auction') return;",
  },
  {
    name: 'a user trades with itself in an auction',
    file: BOOKS,
    find: 'const prevention = this.#prevention(newer, older);',
    replace: 'const prevention: number = SELF_TRADE_OFF;',
  },
  {
    name: 'one side of an auction pays as a taker',
    file: 'core/engine/match-listener.ts',
    find: 'isAuction ? details.makerFeePpm(taker) : details.takerFeePpm(taker)',
    replace: 'details.takerFeePpm(taker)',
  },
  {
    name: 'orders trade while an auction collects them',
    file: 'core/engine/place-order.ts',
    find: "} else if (market.status === 'auction') {",
    replace: "} else if (market.status === 'auction' && slot < 0) {",
  },
  {
    name: 'an auction accepts orders that do not rest',
    file: 'core/engine/place-order.ts',
    find: "return isRestingLimit ? 'none' : 'auction_accepts_resting_limit_orders_only';",
    replace: "return 'none';",
  },
  {
    name: 'a market accepts orders while it uncrosses',
    file: 'core/engine/market.ts',
    find: '(rulesVersion < 2 || market.isUncrossing)',
    replace: 'rulesVersion < 2',
  },
];
