// The publisher's messages about books, as JSON: prices in ticks, sizes in lots, orders by number.
// Gateways convert to decimals.

import type { Side } from '../../core/messages/index.ts';
import type { Lots, OrderNumber, Ticks } from '../../core/money/index.ts';

/** l2: totals by price. l3: single orders, without their users. */
export type BookKind = 'l2' | 'l3';

export const BOOK_KINDS: readonly BookKind[] = ['l2', 'l3'];

/**
 * The total is a string: a sum of lots may exceed the safe integers. 0 means that the price is
 * gone.
 */
export type LevelRow = readonly [priceTicks: Ticks, totalLots: string];
export type OrderRow = readonly [OrderNumber, Side, priceTicks: Ticks, remainingLots: Lots];

/**
 * The changes between two frames: applied to the book of either, or of any frame between, they give
 * the book of the second. An empty payload means that nothing changed up to the frame.
 */
export interface LevelChanges {
  /** Time of the last frame. */
  readonly timeMs: number;
  readonly bids: readonly LevelRow[];
  readonly asks: readonly LevelRow[];
}

/** To be applied in this order; see LevelChanges. */
export interface OrderChanges {
  readonly timeMs: number;
  readonly closed: readonly OrderNumber[];
  /** They keep their priority. */
  readonly changed: readonly (readonly [OrderNumber, remainingLots: Lots])[];
  /** Each goes to the end of its price, even if it exists already. */
  readonly opened: readonly OrderRow[];
}

/** The scales of the market's numbers; atoms are a string. */
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
  /** At one price, earlier orders trade first. */
  readonly orders: readonly OrderRow[];
}

/** The books that a gateway subscribes to, by symbol. It expires unless it is renewed. */
export type Interest = Readonly<Record<BookKind, readonly string[]>>;

export const INTEREST_EVERY_MS = 3_000;
export const INTEREST_LASTS_MS = 10_000;
/** The longest silence of a subscribed book, so the last change is not missed. */
export const BOOK_SILENCE_MS_MAX = 1_000;

/** Subjects of the books, after the prefixes of the feed. */
export const BOOK_SUBJECTS = {
  /** After `ask`. */
  questions: { l2: 'depth', l3: 'l3' },
  interest: 'interest',
  /** After `live`: a publisher has started, and does not know the subscriptions. */
  begun: 'begun',
} as const;
