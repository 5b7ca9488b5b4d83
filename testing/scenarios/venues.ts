// The two exchanges on which every story runs, behind one small interface: the fast engine and the
// slow reference. The engine also runs with a restart from its snapshot before every frame.

import {
  accountsOf,
  applyFrame,
  auditExchange,
  bookOf,
  createExchange,
  restoreExchange,
  snapshotExchange,
} from '../../core/engine/index.ts';
import type { CommandFrame, EventFrame } from '../../core/messages/index.ts';
import type { MarketId } from '../../core/money/index.ts';
import { createReferenceExchange } from '../reference-models/index.ts';

export interface VenueBook {
  readonly bids: readonly VenueLevel[];
  readonly asks: readonly VenueLevel[];
  /** Pending stops in placement order, then triggered stops in activation order. */
  readonly stops: readonly VenueStop[];
}

export interface VenueLevel {
  readonly priceTicks: number;
  readonly orders: readonly { order: number; user: number; remainingLots: number }[];
}

export interface VenueStop {
  readonly order: number;
  readonly side: 'buy' | 'sell';
  readonly stopTicks: number;
  readonly ready: boolean;
}

export interface VenueAccount {
  readonly owner: number;
  readonly asset: number;
  readonly availableAtoms: bigint;
  readonly heldAtoms: bigint;
}

export interface Venue {
  apply(frame: CommandFrame, poisoned: ReadonlySet<number>): EventFrame;
  accounts(): readonly VenueAccount[];
  book(market: MarketId): VenueBook;
  restart(): void;
}

export const VENUES: Record<string, () => Venue> = {
  engine: () => engineVenue({ restartsAlways: false }),
  reference: referenceVenue,
  'engine that restarts before every frame': () => engineVenue({ restartsAlways: true }),
};

function engineVenue({ restartsAlways }: { restartsAlways: boolean }): Venue {
  let exchange = createExchange();
  const restart = () => {
    exchange = restoreExchange(snapshotExchange(exchange));
  };
  return {
    apply(frame, poisoned) {
      if (restartsAlways) restart();
      const events = applyFrame(exchange, frame, poisoned);
      auditExchange(exchange);
      return events;
    },
    accounts: () => accountsOf(exchange),
    book: (market) => inDrawingOrder(bookOf(exchange, market)),
    restart,
  };
}

function referenceVenue(): Venue {
  const exchange = createReferenceExchange();
  return {
    apply: (frame, poisoned) => exchange.apply(frame, poisoned),
    accounts: () => exchange.accounts(),
    book: (market) => inDrawingOrder(exchange.book(market)),
    restart: () => {},
  };
}

function inDrawingOrder({ bids, asks, stops }: VenueBook): VenueBook {
  const waiting = stops.filter((stop) => !stop.ready).sort((a, b) => a.order - b.order);
  return { bids, asks, stops: [...waiting, ...stops.filter((stop) => stop.ready)] };
}
