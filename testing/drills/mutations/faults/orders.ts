// Faults in placing, amending and canceling orders, in quotes, and in settling fills.

import type { FaultTable } from '../fault.ts';

export const ORDER_FAULTS: FaultTable = {
  'core/engine/place-order.ts': {
    'a frozen market accepts orders': { in: 'refuseForMarket', drop: 'frozenBy' },
    'a post-only order can have the best opposite price': {
      in: 'crosses',
      replace: ['<= best : price >=', '< best : price >'],
    },
    'the band is checked only for buys': {
      in: 'refuseForBook',
      replace: ['&& !', '&& !sells && !'],
    },
    'one order above the capacity is accepted': {
      in: 'refuseForCapacity',
      replace: ['>= limits.ordersMax', '> limits.ordersMax'],
    },
    'a user can have one open order too many': {
      in: 'refuseForUserAndCapacity',
      replace: ['open >=', 'open >'],
    },
    'a stop does not count as an open order': {
      in: 'mayRest',
      replace: ['>', '<'],
    },
    'the full available balance cannot be held': { in: 'covers', replace: ['>=', '>'] },
    'a buy stop at the market price is accepted': {
      in: 'refuseStop',
      replace: ['stopTicks > now', 'stopTicks >= now'],
    },
    'an order can expire immediately': {
      in: 'refuseExpiry',
      replace: ['expiresMs > timeMs &&', 'expiresMs >= timeMs &&'],
    },
    'an order can be linked to a filled one': {
      in: 'refuseLink',
      remove: '|| orders.remainingLots(linked) !== order.sizeLots',
    },
    'an order can have two links': {
      in: 'refuseLink',
      replace: ["orders.isLinked(linked) ? 'linked_order_already_linked' : 'none'", "'none'"],
    },
    'two linked orders hold twice': {
      in: 'placeOrder.held',
      value: 'full',
    },
    'a take-profit is compared like a stop': { in: 'refuseStop', remove: '!== takesProfit' },
    'a take-profit without a stop price trades immediately': {
      in: 'refuseForm',
      replace: ["takesProfit ? 'take_profit_needs_a_stop_price' : 'none'", "'none'"],
    },
    'a discount does not reduce the taker rate': {
      in: 'admitOrder.takerFeePpm',
      value: 'market.takerPpmByTier[tier] as Ppm',
    },
    'the first of two new accounts needs no capacity': {
      in: 'refuseForCapacity',
      remove: 'Number(party.baseAccount === NONE) +',
    },
  },
  'core/engine/amend-order.ts': {
    'an amend to a larger size keeps priority': {
      in: 'amendmentOf',
      remove: '&& sizeLots < oldSize',
    },
    'an amend releases twice': {
      in: 'applyAmendment',
      replace: ['-heldChangeAtoms', '(-heldChangeAtoms * 2n)'],
    },
    'an amend ignores the market status': { in: 'amendOrder', drop: 'accepts' },
    'an amend works in a frozen market': { in: 'amendOrder', drop: 'frozenBy' },
    'an amend can leave a remaining size of zero': { in: 'refuseAmendment', replace: ['<=', '<'] },
    'a stop with a new stop price keeps its place': {
      in: 'amendmentOf',
      replace: ['isWaiting ? !movesStop : onlyShrinks', 'isWaiting || onlyShrinks'],
    },
    'an amended stop-market order keeps its worst price': {
      in: 'amendmentOf',
      replace: ['movesStop && orders', 'false && orders'],
    },
    'an amended stop price can be on the wrong side': {
      in: 'refuseNewStop',
      replace: [
        'refuseStop(market, orders.sells(order), orders.takesProfit(order), stopTicks)',
        "'none'",
      ],
    },
    'an amended order does not check the balance': {
      in: 'refuseAmendment',
      replace: ['amendment.heldChangeAtoms', '0n'],
    },
  },
  'core/engine/expire-orders.ts': {
    'orders expire in a frozen market': { in: 'expireOrders', remove: 'market.frozenBy !== 0 ||' },
    'one order expires per frame': { in: 'expireOrders', replace: ['limits.stopsPerStepMax', '1'] },
  },
  'core/engine/expiries.ts': {
    'an order expires one millisecond late': {
      in: 'Expiries.takeDue',
      replace: ['<= nowMs', '< nowMs'],
    },
    'orders with one time expire in any order': {
      in: 'isEarlier',
      replace: ['one.number < other.number', 'false'],
    },
  },
  'core/engine/cancel-orders.ts': {
    'a user can cancel another user’s order': {
      in: 'findOrder',
      replace: ['users.id(books.orders.user(order)) !== user', 'user < 1'],
    },
    'a dead man’s switch ignores its key': {
      in: 'closeOrdersOf',
      replace: ['(only.key === 0 || details.key(order) === only.key)', 'only.key >= 0'],
    },
    'canceling all in one market cancels in every market': {
      in: 'closeOrdersOf.isInMarket',
      value: 'only.market >= 0',
    },
  },
  'core/engine/match-incoming.ts': {
    'the remainder of an IOC order rests': {
      in: 'matchIncoming',
      replace: ['=== GOOD_TILL_CANCELED', '!== FILL_OR_KILL'],
    },
    'a cascade of stops ends after the first': {
      in: 'activateStops',
      replace: ['< stopsPerStepMax', '< 1'],
    },
    'stops activate in a frozen market': {
      in: 'activateStops',
      remove: 'market.frozenBy !== 0 ||',
    },
    'stops activate in every market status': {
      in: 'activateStops',
      remove: "|| market.status !== 'full'",
    },
    'a triggered stop leaves the linked order open': { in: 'activate', drop: 'isLinked' },
    'a stop-market order can leave the band': { in: 'activate.worst', value: 'price' },
    'a stop with a price outside the band trades': {
      in: 'activate',
      replace: ['!isMarket', 'isMarket'],
    },
  },
  'core/engine/execute-quote.ts': {
    'a quote is accepted after it has expired': { in: 'executeQuote', drop: 'timeMs' },
    'a quote expires one millisecond early': {
      in: 'executeQuote',
      replace: ['timeMs >', 'timeMs >='],
    },
    'a seller can get less than quoted': {
      in: 'executeQuote',
      replace: ['quote.quoteAtoms :', '0n :'],
    },
  },
  'core/engine/match-listener.ts': {
    'a fill leaves the linked order open': { in: 'settle', drop: 'isLinked(maker)' },
    'closing a linked order leaves the other one open': {
      in: 'closeOrder',
      replace: ["closeOrder(exchange, other, 'linked_order_closed')", 'exchange.books.wait(other)'],
    },
    'a linked order that closes releases its complete hold': {
      in: 'sharedBeyond',
      replace: ['- fullHold(exchange, staying)', '- 0n'],
    },
    'the hold above a better price is not released': { in: 'settle', drop: 'release' },
    'the buyer pays its fee twice': {
      in: 'exchangeAssets',
      replace: [
        'if (buyerFee > 0n) ledger.pay(buyerBase, ledger.fees(market.base), buyerFee)',
        'ledger.pay(buyerBase, ledger.fees(market.base), (buyerFee * 2n) as Atoms)',
      ],
    },
    'the maker’s fee is computed in the wrong asset': {
      in: 'settle',
      replace: ['base : quote', 'quote : base'],
    },
    'the maker pays the taker rate': {
      in: 'settle.makerFee',
      replace: ['makerFeePpm', 'takerFeePpm'],
    },
    'a closed order keeps its hold': { in: 'closeOrder', replace: ['>', '<'] },
    'a trade does not update the last price': { in: 'settle', drop: 'lastTicks' },
    "the first trade does not set the band's reference": {
      in: 'settle',
      drop: 'moveReference',
    },
    'a client order ID stays in use permanently': { in: 'closeWith', drop: 'remember' },
    'a closed order still counts as open': {
      in: 'unlistUserOrder',
      replace: ['ordersOpen(user) - 1', 'ordersOpen(user)'],
    },
    'a trade with the house as maker is not flagged': {
      in: 'settle',
      remove: 'users.isHouse(makerUser) ||',
    },
  },
};
