// Faults in placing, amending and cancelling orders, in quotes, and in settling fills.

import type { Fault } from '../fault.ts';

const PLACE = 'core/engine/place-order.ts';
const AMEND = 'core/engine/amend-order.ts';
const CANCEL = 'core/engine/cancel-orders.ts';
const MATCH_INCOMING = 'core/engine/match-incoming.ts';
const QUOTE = 'core/engine/execute-quote.ts';
const MATCH_LISTENER = 'core/engine/match-listener.ts';

export const ORDER_FAULTS: readonly Fault[] = [
  {
    name: 'a frozen market accepts orders',
    file: PLACE,
    find: "  if (market.frozenBy !== 0) return 'market_is_frozen';\n",
    replace: '',
  },
  {
    name: 'a post-only order may have the best opposite price',
    file: PLACE,
    find: '(sells ? price <= best : price >= best)',
    replace: '(sells ? price < best : price > best)',
  },
  {
    name: 'the band is checked only for buys',
    file: PLACE,
    find: "if (order.type === 'limit' && !isInsideBand(market, sells, price))",
    replace: "if (order.type === 'limit' && !sells && !isInsideBand(market, sells, price))",
  },
  {
    name: 'one order above the capacity is accepted',
    file: PLACE,
    find: 'if (books.orders.size >= limits.ordersMax) return',
    replace: 'if (books.orders.size > limits.ordersMax) return',
  },
  {
    name: 'a user may have one open order too many',
    file: PLACE,
    find: 'open >= exchange.limits.ordersPerUserMax',
    replace: 'open > exchange.limits.ordersPerUserMax',
  },
  {
    name: 'a stop does not count as an open order',
    file: PLACE,
    find: "const mayRest = order.stopTicks > 0 || (order.type === 'limit'",
    replace: "const mayRest = order.stopTicks < 0 || (order.type === 'limit'",
  },
  {
    name: 'the full available balance cannot be held',
    file: PLACE,
    find: 'ledger.accounts.availableAtoms(account) >= held',
    replace: 'ledger.accounts.availableAtoms(account) > held',
  },
  {
    name: 'a buy stop at the market price is accepted',
    file: PLACE,
    find: "order.side === 'buy' && order.stopTicks <= now",
    replace: "order.side === 'buy' && order.stopTicks < now",
  },
  {
    name: 'a discount does not reduce the taker rate',
    file: PLACE,
    find: 'discountedPpm(market.takerPpmByTier[tier] as Ppm, discount)',
    replace: 'market.takerPpmByTier[tier] as Ppm',
  },
  {
    name: 'the first of two new accounts needs no capacity',
    file: PLACE,
    find: 'Number(party.baseAccount === NONE) + Number(party.quoteAccount === NONE)',
    replace: 'Number(party.quoteAccount === NONE)',
  },
  {
    name: 'an amend to a larger size keeps priority',
    file: AMEND,
    find: 'priceTicks === oldPrice && sizeLots < oldSize',
    replace: 'priceTicks === oldPrice',
  },
  {
    name: 'an amend releases twice',
    file: AMEND,
    find: 'else ledger.release(account, -heldChangeAtoms as Atoms);',
    replace: 'else ledger.release(account, (-heldChangeAtoms * 2n) as Atoms);',
  },
  {
    name: 'an amend ignores the market status',
    file: AMEND,
    find:
      "  if (accepts(market, exchange.rulesVersion) === 'none') " +
      "return 'market_does_not_accept_orders';\n",
    replace: '',
  },
  {
    name: 'an amend works in a frozen market',
    file: AMEND,
    find: "  if (market.frozenBy !== 0) return 'market_is_frozen';\n",
    replace: '',
  },
  {
    name: 'an amend may leave a remaining size of zero',
    file: AMEND,
    find: 'amendment.remainingLots <= 0',
    replace: 'amendment.remainingLots < 0',
  },
  {
    name: 'an amended order does not check the balance',
    file: AMEND,
    find: 'availableAtoms(account) < amendment.heldChangeAtoms',
    replace: 'availableAtoms(account) < 0n',
  },
  {
    name: 'a user can cancel another user’s order',
    file: CANCEL,
    find: 'if (order === NONE || users.id(books.orders.user(order)) !== user) return NONE;',
    replace: 'if (order === NONE || user < 1) return NONE;',
  },
  {
    name: 'a dead man’s switch ignores its key',
    file: CANCEL,
    find: '(only.key === 0 || details.key(order) === only.key)',
    replace: 'only.key >= 0',
  },
  {
    name: 'cancelling all in one market cancels in every market',
    file: CANCEL,
    find: 'const isInMarket = only.market === 0 || books.orders.market(order) === only.market;',
    replace: 'const isInMarket = only.market >= 0;',
  },
  {
    name: 'the remainder of an IOC order rests',
    file: MATCH_INCOMING,
    find: 'books.orders.timeInForce(order) === GOOD_TILL_CANCELED &&',
    replace: 'books.orders.timeInForce(order) !== FILL_OR_KILL &&',
  },
  {
    name: 'a cascade of stops ends after the first',
    file: MATCH_INCOMING,
    find: 'activated < stopsPerStepMax',
    replace: 'activated < 1',
  },
  {
    name: 'stops activate in a frozen market',
    file: MATCH_INCOMING,
    find: "if (market.frozenBy !== 0 || market.status !== 'full') return;",
    replace: "if (market.status !== 'full') return;",
  },
  {
    name: 'stops activate in every market status',
    file: MATCH_INCOMING,
    find: "if (market.frozenBy !== 0 || market.status !== 'full') return;",
    replace: 'if (market.frozenBy !== 0) return;',
  },
  {
    name: 'a stop-market order may leave the band',
    file: MATCH_INCOMING,
    find: 'isMarket ? bringInsideBand(market, sells, price) : price',
    replace: 'price',
  },
  {
    name: 'a stop with a price outside the band trades',
    file: MATCH_INCOMING,
    find: 'if (!isMarket && !isInsideBand(market, sells, price)) {',
    replace: 'if (isMarket && !isInsideBand(market, sells, price)) {',
  },
  {
    name: 'a quote is accepted after it has expired',
    file: QUOTE,
    find: "  if (exchange.timeMs > quote.expiresAtMs) return 'quote_has_expired';\n",
    replace: '',
  },
  {
    name: 'a quote expires one millisecond early',
    file: QUOTE,
    find: 'exchange.timeMs > quote.expiresAtMs',
    replace: 'exchange.timeMs >= quote.expiresAtMs',
  },
  {
    name: 'a seller may get less than quoted',
    file: QUOTE,
    find: 'sells ? amount < quote.quoteAtoms : amount > quote.quoteAtoms',
    replace: 'sells ? amount < 0n : amount > quote.quoteAtoms',
  },
  {
    name: 'the hold above a better price is not released',
    file: MATCH_LISTENER,
    find: '  if (released > 0n) exchange.ledger.release(details.quoteAccount(buyer), released);\n',
    replace: '',
  },
  {
    name: 'the buyer pays its fee twice',
    file: MATCH_LISTENER,
    find: 'if (buyerFee > 0n) ledger.pay(buyerBase, ledger.fees(market.base), buyerFee);',
    replace: 'ledger.pay(buyerBase, ledger.fees(market.base), (buyerFee * 2n) as Atoms);',
  },
  {
    name: 'the maker’s fee is computed in the wrong asset',
    file: MATCH_LISTENER,
    find: 'feeAtoms(takerSells ? base : quote, details.makerFeePpm(maker))',
    replace: 'feeAtoms(takerSells ? quote : base, details.makerFeePpm(maker))',
  },
  {
    name: 'the maker pays the taker rate',
    file: MATCH_LISTENER,
    find: 'details.makerFeePpm(maker)',
    replace: 'details.takerFeePpm(maker)',
  },
  {
    name: 'a closed order keeps its hold',
    file: MATCH_LISTENER,
    find: '  if (released > 0n) {\n    ledger.release(',
    replace: '  if (released < 0n) {\n    ledger.release(',
  },
  {
    name: 'a trade does not update the last price',
    file: MATCH_LISTENER,
    find: '  market.lastTicks = priceTicks;\n',
    replace: '',
  },
  {
    name: 'the first trade does not set the reference of the band',
    file: MATCH_LISTENER,
    find: '  if (market.referenceTicks === 0) moveReference(exchange, market, priceTicks);\n',
    replace: '',
  },
  {
    name: 'a client order id stays in use permanently',
    file: MATCH_LISTENER,
    find: '  if (clientId !== NONE) exchange.clientOrderIds.remember(clientId, exchange.timeMs);\n',
    replace: '',
  },
  {
    name: 'a closed order still counts as open',
    file: MATCH_LISTENER,
    find: 'users.ordersOpen(user) - 1',
    replace: 'users.ordersOpen(user)',
  },
  {
    name: 'a trade with the house as maker is not flagged',
    file: MATCH_LISTENER,
    find: 'users.isHouse(makerUser) || users.isHouse(takerUser)',
    replace: 'users.isHouse(takerUser)',
  },
];
