// The topics that everybody may subscribe: books, trades, prices.

import { feedSubjects } from '../../../infra/live-feed/index.ts';
import type { Dependencies } from '../dependencies.ts';
import type { TopicModule } from '../topic.ts';
import { BookChannel } from './book-channel.ts';
import { MarketTopic } from './market-topic.ts';
import { natsFeed } from './nats-feed.ts';
import { PriceTopic } from './price-topic.ts';
import { TradeChannel } from './trade-channel.ts';

/** So long a market is still listened to when its last subscriber has gone. */
const GRACE_MS = 5_000;

export function openPublic(dependencies: Dependencies): TopicModule {
  const { catalogue, clock, exchange, metrics, nats } = dependencies;
  const { feed: feedPrefix, live: livePrefix } = feedSubjects(exchange);
  const options = { feed: natsFeed(nats, exchange), clock, feedPrefix, livePrefix };
  const shared = { clock, graceMs: GRACE_MS, markets: () => catalogue.now.marketsBySymbol };
  const orderbook = new MarketTopic({
    ...shared,
    name: 'orderbook',
    open: (symbol) => new BookChannel({ ...options, symbol }),
  });
  const trade = new MarketTopic({
    ...shared,
    name: 'trade',
    open: (symbol) => new TradeChannel({ ...options, symbol }),
  });
  const price = new PriceTopic({
    ...options,
    graceMs: GRACE_MS,
    coins: () => catalogue.now.assetsBySymbol.keys(),
  });
  metrics.gauge({
    name: 'rialto_stream_markets_subscribed',
    help: 'Markets that are listened to, by topic',
    labelNames: ['topic'],
    collect() {
      this.set({ topic: 'orderbook' }, orderbook.openCount);
      this.set({ topic: 'trade' }, trade.openCount);
    },
  });
  return {
    topics: { orderbook, trade, price },
    stop() {
      for (const topic of [orderbook, trade, price]) topic.close();
    },
  };
}
