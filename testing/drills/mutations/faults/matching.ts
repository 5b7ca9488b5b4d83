// Faults in the books: which orders trade, at what price, in what order.

import type { Fault } from '../fault.ts';

const BOOKS = 'core/matching/books.ts';
const LEVELS = 'core/matching/levels.ts';

export const MATCHING_FAULTS: readonly Fault[] = [
  {
    name: 'a fill is at the price of the taker',
    file: BOOKS,
    find: 'const price = orders.priceTicks(maker);',
    replace: 'const price = orders.priceTicks(taker);',
  },
  {
    name: 'the last order in a queue trades first',
    file: BOOKS,
    find: 'const maker = levels.first(level);',
    replace: 'const maker = levels.last(level);',
  },
  {
    name: 'an order does not trade at its own price',
    file: BOOKS,
    find: 'levels.rank(level) > worstRank',
    replace: 'levels.rank(level) >= worstRank',
  },
  {
    name: 'matching makes one fill more than the limit',
    file: BOOKS,
    find: 'if (fills === fillsMax) {',
    replace: 'if (fills > fillsMax) {',
  },
  {
    name: 'cancel_both does not cancel the resting order',
    file: BOOKS,
    find: 'if (prevention !== CANCEL_NEWEST && ownOrders < ownOrdersMax) {',
    replace: 'if (prevention === CANCEL_OLDEST && ownOrders < ownOrdersMax) {',
  },
  {
    name: 'an order cancels own orders without a bound',
    file: BOOKS,
    find: 'if (prevention !== CANCEL_NEWEST && ownOrders < ownOrdersMax) {',
    replace: 'if (prevention !== CANCEL_NEWEST) {',
  },
  {
    name: 'the walk skips own orders without a bound',
    file: BOOKS,
    find: 'if (prevention === CANCEL_OLDEST && ownOrders++ < ownOrdersMax) continue;',
    replace: 'if (prevention === CANCEL_OLDEST) continue;',
  },
  {
    name: 'users of one group trade with each other',
    file: BOOKS,
    find: 'if (group === 0 || group !== this.groups[makerUser]) return SELF_TRADE_OFF;',
    replace: 'if (group >= 0) return SELF_TRADE_OFF;',
  },
  {
    name: 'users without a group are treated as one group',
    file: BOOKS,
    find: 'if (group === 0 || group !== this.groups[makerUser])',
    replace: 'if (group !== this.groups[makerUser])',
  },
  {
    name: 'the mode off lets users of one group trade',
    file: BOOKS,
    find: 'return mode === SELF_TRADE_OFF ? CANCEL_NEWEST : mode;',
    replace: 'return mode;',
  },
  {
    name: 'a level is removed while it still has orders',
    file: BOOKS,
    find: 'if (before === NONE && behind === NONE) this.levels.remove(level);',
    replace: 'if (before === NONE) this.levels.remove(level);',
  },
  {
    name: 'an empty level stays in the book',
    file: BOOKS,
    find: '    if (before === NONE && behind === NONE) this.levels.remove(level);\n',
    replace: '',
  },
  {
    name: 'a FOK order counts its own side as liquidity',
    file: BOOKS,
    find: 'if (prevention !== SELF_TRADE_OFF || fills === fillsMax) break walking;',
    replace: 'if (fills === fillsMax) break walking;',
  },
  {
    name: 'a FOK order counts fills beyond the limit',
    file: BOOKS,
    find: 'if (prevention !== SELF_TRADE_OFF || fills === fillsMax) break walking;',
    replace: 'if (prevention !== SELF_TRADE_OFF) break walking;',
  },
  {
    name: 'the walk stops at an own order that matching would cancel',
    file: BOOKS,
    find: 'if (prevention === CANCEL_OLDEST && ownOrders++ < ownOrdersMax) continue;',
    replace: 'if (prevention === CANCEL_OLDEST && ownOrders++ < 0) continue;',
  },
  {
    name: 'a trade at its price does not trigger a buy stop',
    file: BOOKS,
    find: 'levels.rank(levels.best(buys)) <= highestTicks',
    replace: 'levels.rank(levels.best(buys)) < highestTicks',
  },
  {
    name: 'sell stops compare with the highest price of a match',
    file: BOOKS,
    find: '-levels.rank(levels.best(sells)) >= lowestTicks',
    replace: '-levels.rank(levels.best(sells)) >= highestTicks',
  },
  {
    name: 'every match with a trade triggers every sell stop',
    file: BOOKS,
    find: 'let lowestTicks: number = Number.MAX_SAFE_INTEGER;',
    replace: 'let lowestTicks = 0;',
  },
  {
    name: 'the ready queue loses its end when its last stop is cancelled',
    file: BOOKS,
    find: 'if (behind === NONE) this.#readyLast[market] = before;\n    else orders',
    replace: 'if (behind !== NONE) orders',
  },
  {
    name: 'a rotation does not update the height of the lowered level',
    file: LEVELS,
    find: '    this.#measure(level);\n    this.#measure(child);',
    replace: '    this.#measure(child);',
  },
  {
    name: 'an inner imbalance is rotated only once',
    file: LEVELS,
    find: '        if (this.#lean(left) < 0) this.#rotate(tree, left, RIGHT, LEFT);\n',
    replace: '',
  },
  {
    name: 'the best level is lost when it is removed',
    file: LEVELS,
    find: 'this.#bests[tree] = this.after(level);',
    replace: 'this.#bests[tree] = NONE;',
  },
  {
    name: 'a closed order stays in the index by number',
    file: 'core/matching/orders.ts',
    find: '    this.#byNumber.remove(hashNumber(this.number(slot)), slot);\n',
    replace: '',
  },
];
