// Order book as screen rows: grouped by an increment, with running totals and their share of the
// largest total. Sizes remain exact text; only the share, a width, is a number.

import { add, compare, divide, multiply, scaleOf, toIncrement } from '../../decimals/index.ts';

export type Level = readonly [price: string, size: string];
export type Side = 'buy' | 'sell';

export interface BookRow {
  readonly price: string;
  readonly size: string;
  /** Total size of this row and all better ones. */
  readonly total: string;
  /** Total of this row as a share of the largest visible total, 0 to 1. */
  readonly share: number;
  readonly isOwn: boolean;
}

export interface BookRows {
  /** Best first. */
  readonly bids: readonly BookRow[];
  readonly asks: readonly BookRow[];
}

/** Bids are rounded down and asks up, so a group never looks better than its orders. */
export function groupLevels(
  levels: readonly Level[],
  { count, side, step }: { step: string; side: Side; count: number },
): Level[] {
  const rounding = side === 'buy' ? 'down' : 'up';
  const groups: [string, string][] = [];
  for (const [price, size] of levels) {
    const group = toIncrement(price, step, rounding);
    const last = groups.at(-1);
    if (last !== undefined && last[0] === group) {
      last[1] = add(last[1], size);
    } else if (groups.length === count) {
      break;
    } else {
      groups.push([group, size]);
    }
  }
  return groups;
}

export function bookRows(
  book: { readonly bids: readonly Level[]; readonly asks: readonly Level[] },
  options: {
    readonly step: string;
    readonly count: number;
    readonly ownBids: readonly string[];
    readonly ownAsks: readonly string[];
  },
): BookRows {
  const { count, ownAsks, ownBids, step } = options;
  const bids = totalled(groupLevels(book.bids, { step, count, side: 'buy' }));
  const asks = totalled(groupLevels(book.asks, { step, count, side: 'sell' }));
  const deepest = [bids, asks]
    .map((levels) => levels.at(-1)?.total ?? '0')
    .reduce((most, total) => (compare(total, most) > 0 ? total : most), '0');
  const own = {
    bids: new Set(ownBids.map((price) => toIncrement(price, step, 'down'))),
    asks: new Set(ownAsks.map((price) => toIncrement(price, step, 'up'))),
  };
  const finish = (levels: readonly Totalled[], marks: ReadonlySet<string>): BookRow[] =>
    levels.map((level) => ({
      ...level,
      share: shareOf(level.total, deepest),
      isOwn: marks.has(level.price),
    }));
  return { bids: finish(bids, own.bids), asks: finish(asks, own.asks) };
}

interface Totalled {
  readonly price: string;
  readonly size: string;
  readonly total: string;
}

function totalled(levels: readonly Level[]): Totalled[] {
  let total = '0';
  return levels.map(([price, size]) => {
    total = add(total, size);
    return { price, size, total };
  });
}

function shareOf(part: string, whole: string): number {
  return compare(whole, '0') === 0 ? 0 : Number(divide(part, whole, { scale: 4 }));
}

const FACTORS = ['1', '2', '5', '10', '20', '50', '100', '500', '1000'];

/** Returns the increments for grouping: the tick times 1, 2, 5, 10 and so on. */
export function groupSteps(tick: string): string[] {
  return FACTORS.map((factor) => {
    const step = multiply(tick, factor);
    return toIncrement(step, tick).slice(0, endOf(step, scaleOf(step)));
  });
}

/** Returns the length of the text up to `scale` decimals. */
function endOf(text: string, scale: number): number {
  const point = text.indexOf('.');
  if (point < 0) return text.length;
  return scale === 0 ? point : point + 1 + scale;
}

export interface Spread {
  readonly amount: string;
  /** Spread as a ratio of the middle price. */
  readonly ratio: string;
}

export function spreadOf(bid: string | undefined, ask: string | undefined): Spread | undefined {
  if (bid === undefined || ask === undefined) return undefined;
  const amount = subtractDown(ask, bid);
  const middle = divide(add(ask, bid), '2', { scale: 18 });
  return { amount, ratio: divide(amount, middle, { scale: 6 }) };
}

function subtractDown(one: string, other: string): string {
  return add(one, other.startsWith('-') ? other.slice(1) : `-${other}`);
}

/** Sizes of the visible rows, by price. */
export type ShownSizes = ReadonlyMap<string, string>;

export function sizesOf(rows: readonly (BookRow | undefined)[]): ShownSizes {
  return new Map(rows.flatMap((row) => (row === undefined ? [] : [[row.price, row.size]])));
}

/** Returns the visible price farthest from the spread; undefined without rows. */
export function deepestOf(sizes: ShownSizes, side: Side): string | undefined {
  const prices = [...sizes.keys()];
  if (prices.length === 0) return undefined;
  return prices.reduce((deepest, price) => (isBetter(price, deepest, side) ? deepest : price));
}

/**
 * Returns whether a row's level has changed since the last frame: a different size, or a new price.
 * Deeper rows that only moved into view have not changed.
 */
export function hasChanged(
  { price, size }: Pick<BookRow, 'price' | 'size'>,
  before: { readonly sizes: ShownSizes; readonly deepest: string; readonly side: Side },
): boolean {
  const known = before.sizes.get(price);
  return known === undefined ? isBetter(price, before.deepest, before.side) : known !== size;
}

function isBetter(price: string, than: string, side: Side): boolean {
  const order = compare(price, than);
  return side === 'buy' ? order > 0 : order < 0;
}
