// Faults in call auctions: the price, the trades and the end.

import type { FaultTable } from '../fault.ts';

export const AUCTION_FAULTS: FaultTable = {
  'core/money/auction-price.ts': {
    'an auction uses the first crossing price': {
      in: 'isBetter',
      replace: ['one.volumeLots > other.volumeLots', 'false'],
    },
    'an auction ignores the surplus at its price': { in: 'isBetter', drop: 'surplus !==' },
    'an auction ignores the reference between equal prices': {
      in: 'auctionPrice.found.priceTicks',
      value: 'from as Ticks',
    },
  },
  'core/engine/uncross.ts': {
    'an auction begins before its end': {
      in: 'uncross',
      replace: ['>= auctionEndsMs', '>= auctionEndsMs - 1'],
    },
    'an auction can end years later': { in: 'isAuctionEnd', returns: 'endsMs > timeMs' },
    'an uncrossing makes any number of trades per frame': { in: 'uncross', drop: 'steps' },
    'orders outside the band take part in an auction': {
      in: 'closeOutsideBand',
      replace: ['=== closedMax || !isOutsideBand(exchange, market, order)', '>= 0'],
    },
    'the auction price triggers no stop': { in: 'uncross', drop: 'triggerStops' },
    'a frozen market uncrosses': { in: 'uncross', remove: 'market.frozenBy !== 0 ||' },
  },
  'core/matching/books.ts': {
    'a user trades with itself in an auction': {
      in: 'Books.uncross.prevention',
      value: 'SELF_TRADE_OFF',
    },
  },
  'core/engine/match-listener.ts': {
    'one side of an auction pays the taker fee': {
      in: 'settle.takerPpm',
      value: 'details.takerFeePpm(taker)',
    },
  },
  'core/engine/place-order.ts': {
    'orders trade while an auction collects them': {
      in: 'placeOrder',
      replace: ["'auction'", "'auction' && slot < 0"],
    },
    'an auction accepts orders that do not rest': {
      in: 'refuseForMarket',
      replace: ["isRestingLimit ? 'none' : 'auction_accepts_resting_limit_orders_only'", "'none'"],
    },
  },
  'core/engine/market.ts': {
    'a market accepts orders while it uncrosses': {
      in: 'accepts',
      replace: ['(rulesVersion < 2 || market.isUncrossing)', 'rulesVersion < 2'],
    },
  },
};
