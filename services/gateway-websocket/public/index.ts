// The topics that everybody may follow: books, trades, prices.

import { feedSubjects } from '../../../infra/live-feed/index.ts';
import type { Parts } from '../parts.ts';
import type { TopicModule } from '../topic.ts';
import { BookChannel } from './book-channel.ts';
import { MarketTopic } from './market-topic.ts';
import { natsFeed } from './nats-feed.ts';
import { PriceTopic } from './price-topic.ts';
import { TradeChannel } from './trade-channel.ts';

/** So long a market is still listened to when its last follower has gone. */
const GRACE_MS = 5_000;

export function openPublic(parts: Parts): TopicModule {
  const { catalogue, clock, exchange, metrics, nats } = parts;
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
    name: 'rialto_stream_markets_followed',
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
