// Full-book topics: level 2 with the total at each price, and level 3 with every order.

import type { Dependencies } from '../dependencies.ts';
import { MarketTopic } from '../public/market-topic.ts';
import type { TopicModule } from '../topic.ts';
import { LevelBook } from './level-book.ts';
import { NatsBookLink } from './nats-book-link.ts';
import { OrderQueues } from './order-queues.ts';
import { SyncedBook } from './synced-book.ts';

/** How long a book is kept after its last subscriber; requesting it again costs more. */
const GRACE_MS = 30_000;
// Snapshots of full books have up to thousands of levels, and even more orders.
const LEVELS_WEIGHT = 10;
const ORDERS_WEIGHT = 50;

export function openLevels(dependencies: Dependencies): TopicModule {
  const { catalogue, clock, exchange, metrics, nats } = dependencies;
  const link = new NatsBookLink({ nats, exchange, clock });
  const gaps = metrics.counter({
    name: 'rialto_stream_book_gaps_total',
    help: 'Gaps detected in book changes',
    labelNames: ['topic'],
  });
  const shared = { clock, graceMs: GRACE_MS, markets: () => catalogue.now.marketsBySymbol };
  const levels = new MarketTopic({
    ...shared,
    name: 'orderbook_l2',
    weight: LEVELS_WEIGHT,
    open: (symbol) => openBook({ topic: 'orderbook_l2', kind: 'l2', symbol }),
  });
  const orders = new MarketTopic({
    ...shared,
    name: 'orders_l3',
    weight: ORDERS_WEIGHT,
    open: (symbol) => openBook({ topic: 'orders_l3', kind: 'l3', symbol }),
  });
  return {
    topics: { orderbook_l2: levels, orders_l3: orders },
    stop() {
      levels.close();
      orders.close();
      link.close();
    },
  };

  function openBook(of: {
    readonly topic: string;
    readonly kind: 'l2' | 'l3';
    readonly symbol: string;
  }): SyncedBook {
    const book = of.kind === 'l2' ? new LevelBook() : new OrderQueues();
    return new SyncedBook({
      ...of,
      book,
      link,
      clock,
      onGap: () => gaps.inc({ topic: of.topic }),
    });
  }
}
