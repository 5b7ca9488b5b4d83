// What the publisher says of followed books, as JSON: prices in ticks, sizes in lots, orders by
// number. Only whoever speaks to clients makes decimals of them.

import type { Side } from '../../core/messages/index.ts';
import type { Lots, OrderNumber, Ticks } from '../../core/money/index.ts';

/** l2: totals by price. l3: single orders, without their users. */
export type BookKind = 'l2' | 'l3';

export const BOOK_KINDS: readonly BookKind[] = ['l2', 'l3'];

/** The total is a text: a sum of lots may exceed the safe integers. 0 is a price that is gone. */
export type LevelRow = readonly [priceTicks: Ticks, totalLots: string];
export type OrderRow = readonly [OrderNumber, Side, priceTicks: Ticks, remainingLots: Lots];

/**
 * What changed between two frames: applied to the book of either, or of any frame between, it
 * gives the book of the second. Nothing at all means that nothing changed up to the frame.
 */
export interface LevelChanges {
  /** Of the last frame. */
  readonly timeMs: number;
  readonly bids: readonly LevelRow[];
  readonly asks: readonly LevelRow[];
}

/** To be applied in this order; see LevelChanges. */
export interface OrderChanges {
  readonly timeMs: number;
  readonly closed: readonly OrderNumber[];
  /** They keep their place. */
  readonly changed: readonly (readonly [OrderNumber, remainingLots: Lots])[];
  /** Each goes behind all others of its price, also one that is there already. */
  readonly opened: readonly OrderRow[];
}

/** How the market's numbers become decimals; atoms are a text. */
interface FullBook {
  readonly timeMs: number;
  readonly lot: { readonly atoms: string; readonly scale: number };
  readonly tick: { readonly mantissa: number; readonly scale: number };
}

export interface FullLevels extends FullBook {
  /** Best first. */
  readonly bids: readonly LevelRow[];
  readonly asks: readonly LevelRow[];
}

export interface FullOrders extends FullBook {
  /** Of two at one price, the one that comes first trades first. */
  readonly orders: readonly OrderRow[];
}

/** Which books a gateway follows: said every so often, or they are forgotten. By symbol. */
export type Interest = Readonly<Record<BookKind, readonly string[]>>;

export const INTEREST_EVERY_MS = 3_000;
export const INTEREST_LASTS_MS = 10_000;
/** A followed book is mentioned at least so often, so that nobody misses the last change. */
export const BOOK_SILENCE_MS_MAX = 1_000;

/** Subjects of the books, from the prefixes of the feed. */
export const BOOK_SUBJECTS = {
  /** Behind `ask`. */
  questions: { l2: 'depth', l3: 'l3' },
  interest: 'interest',
  /** Behind `live`: a publisher has begun, and does not know what anybody follows. */
  begun: 'begun',
} as const;
