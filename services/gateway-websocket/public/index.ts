// The public topics: books, auctions, trades, prices.

import { feedSubjects } from '../../../infra/live-feed/index.ts';
import type { Dependencies } from '../dependencies.ts';
import type { TopicModule } from '../topic.ts';
import { MarketTopic } from './market-topic.ts';
import { natsFeed } from './nats-feed.ts';
import { PriceTopic } from './price-topic.ts';
import { TradeChannel } from './trade-channel.ts';
import { ValueChannel } from './value-channel.ts';

/** How long a market stays subscribed on NATS after its last subscriber. */
const GRACE_MS = 5_000;

export function openPublic(dependencies: Dependencies): TopicModule {
  const { catalogue, clock, exchange, metrics, nats } = dependencies;
  const { feed: feedPrefix, live: livePrefix } = feedSubjects(exchange);
  const options = { feed: natsFeed(nats, exchange), clock, feedPrefix, livePrefix };
  const shared = { clock, graceMs: GRACE_MS, markets: () => catalogue.now.marketsBySymbol };
  const orderbook = new MarketTopic({
    ...shared,
    name: 'orderbook',
    weight: 1,
    open: (symbol) => new ValueChannel({ ...options, symbol, topic: 'orderbook', kind: 'book' }),
  });
  const auction = new MarketTopic({
    ...shared,
    name: 'auction',
    weight: 1,
    open: (symbol) => new ValueChannel({ ...options, symbol, topic: 'auction', kind: 'auction' }),
  });
  const trade = new MarketTopic({
    ...shared,
    name: 'trade',
    weight: 1,
    open: (symbol) => new TradeChannel({ ...options, symbol }),
  });
  const price = new PriceTopic({
    ...options,
    graceMs: GRACE_MS,
    coins: () => catalogue.now.assetsBySymbol.keys(),
  });
  metrics.gauge({
    name: 'rialto_stream_markets_subscribed',
    help: 'Markets subscribed on NATS, by topic',
    labelNames: ['topic'],
    collect() {
      this.set({ topic: 'orderbook' }, orderbook.openCount);
      this.set({ topic: 'auction' }, auction.openCount);
      this.set({ topic: 'trade' }, trade.openCount);
    },
  });
  return {
    topics: { orderbook, auction, trade, price },
    stop() {
      for (const topic of [orderbook, auction, trade, price]) topic.close();
    },
  };
}
