// Faults in the books: which orders trade, at what price, in what order.

import type { FaultTable } from '../fault.ts';

export const MATCHING_FAULTS: FaultTable = {
  'core/matching/books.ts': {
    "a fill uses the taker's price": { in: 'Books.match.price', replace: ['maker', 'taker'] },
    'the last order in a queue trades first': { in: 'Books.match', replace: ['first', 'last'] },
    'an order does not trade at its own price': {
      in: 'Books.match',
      replace: ['> worstRank', '>= worstRank'],
    },
    'matching makes one fill more than the limit': {
      in: 'Books.match',
      replace: ['=== fillsMax', '> fillsMax'],
    },
    'cancel_both does not cancel the resting order': {
      in: 'Books.match',
      replace: ['!== CANCEL_NEWEST', '=== CANCEL_OLDEST'],
    },
    'an order cancels own orders without a limit': {
      in: 'Books.match',
      remove: '&& ownOrders < ownOrdersMax',
    },
    'the walk skips own orders without a limit': {
      in: 'Books.walk',
      remove: '&& ownOrders++ < ownOrdersMax',
    },
    'users of one group trade with each other': {
      in: 'Books.#preventionFor',
      replace: ['=== 0 || group !== this.groups[makerUser]', '>= 0'],
    },
    'users without a group are treated as one group': {
      in: 'Books.#preventionFor',
      remove: 'group === 0 ||',
    },
    'the mode off lets users of one group trade': {
      in: 'Books.#preventionFor',
      remove: '=== SELF_TRADE_OFF ? CANCEL_NEWEST : mode',
    },
    'a level is removed while it still has orders': {
      in: 'Books.#leaveLevel',
      remove: '&& behind === NONE',
    },
    'an empty level stays in the book': { in: 'Books.#leaveLevel', drop: 'remove' },
    'a FOK order counts its own side as liquidity': {
      in: 'Books.walk',
      remove: 'prevention !== SELF_TRADE_OFF ||',
    },
    'a FOK order counts fills beyond the limit': {
      in: 'Books.walk',
      remove: '|| fills === fillsMax',
    },
    'the walk stops at an own order that matching would cancel': {
      in: 'Books.walk',
      replace: ['< ownOrdersMax', '< 0'],
    },
    'a trade at its price does not trigger a buy stop': {
      in: 'Books.triggerStops',
      replace: ['<=', '<'],
    },
    'a take-profit waits like a stop': {
      in: 'Books.wait',
      remove: '!== orders.takesProfit(order)',
    },
    'sell stops compare with the highest price of a match': {
      in: 'Books.triggerStops',
      replace: ['>= lowestTicks', '>= highestTicks'],
    },
    'every match with a trade triggers every sell stop': {
      in: 'Books.match.lowestTicks',
      value: '0',
    },
    'the ready queue loses its end when its last stop is canceled': {
      in: 'Books.#leaveReady',
      replace: ['(behind === NONE) this.#readyLast[market] = before; else', '(behind !== NONE)'],
    },
  },
  'core/matching/levels.ts': {
    'a rotation does not update the height of the lowered level': {
      in: 'Levels.#rotate',
      drop: '(level)',
    },
    'an inner imbalance is rotated only once': { in: 'Levels.#rebalance', drop: '< 0' },
    'the best level is lost when it is removed': {
      in: 'Levels.remove',
      replace: ['this.after(level)', 'NONE'],
    },
  },
  'core/matching/orders.ts': {
    'a closed order stays in the index by number': { in: 'Orders.remove', drop: 'remove' },
  },
};
