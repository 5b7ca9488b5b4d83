// The engine's books after every frame, for comparison with a client's book at the same frame.

import assert from 'node:assert/strict';
import { type EventFrame, orderIdText } from '../../core/messages/index.ts';
import type { OrderNumber } from '../../core/money/index.ts';
import type { BookKind } from '../../infra/live-feed/index.ts';
import type { TestedExchange } from '../properties/tested-exchange.ts';
import type { LevelClient } from './level-client.ts';
import { type NamedMarket, namesOf } from './naive-user-events.ts';

type Rows = (string | number)[][];
type Book = Record<BookKind, { bids: Rows; asks: Rows }>;

export class EngineBooks {
  markets: readonly NamedMarket[] = [];
  /** By frame and symbol. */
  readonly #books = new Map<string, Book>();
  readonly #frames: EventFrame[] = [];

  /** The frame must be the last one that the exchange has applied. */
  apply(frame: EventFrame, exchange: TestedExchange): void {
    this.#frames.push(frame);
    if (frame.events.some(({ kind }) => kind === 'MarketListed')) {
      this.markets = namesOf(this.#frames).markets;
    }
    for (const named of this.markets) {
      const { asks, bids } = exchange.book(named.market);
      this.#books.set(`${frame.sequence} ${named.symbol}`, {
        l2: { bids: levelsOf(named, bids), asks: levelsOf(named, asks) },
        l3: { bids: queuesOf(named, bids), asks: queuesOf(named, asks) },
      });
    }
  }

  /** Throws if the client's book differs from the engine's after the frame. */
  compare(client: LevelClient, of: { kind: BookKind; symbol: string; frame: number }): void {
    const { asks, bids } = of.kind === 'l2' ? client.levels : client.orders;
    const rows = (side: readonly string[][]) =>
      side.map(([price, size, ...id]) => [Number(price), Number(size), ...id]);
    const expected = this.#books.get(`${of.frame} ${of.symbol}`);
    assert.deepEqual({ bids: rows(bids), asks: rows(asks) }, expected?.[of.kind]);
  }
}

type Levels = ReturnType<TestedExchange['book']>['bids'];

function levelsOf({ price, size }: NamedMarket, levels: Levels): Rows {
  return levels.map(({ orders, priceTicks }) => {
    const total = orders.reduce((sum, { remainingLots }) => sum + remainingLots, 0);
    return [price(priceTicks), size(total)];
  });
}

function queuesOf({ price, size }: NamedMarket, levels: Levels): Rows {
  return levels.flatMap(({ orders, priceTicks }) =>
    orders.map(({ order, remainingLots }) => {
      return [price(priceTicks), size(remainingLots), orderIdText(order as OrderNumber)];
    }),
  );
}
