// Definition of a stream message, and the public stream messages.

import type { TSchema } from 'typebox';
import { Auction, OrderBook, PublicTrade } from '../../features/market-data/api/index.ts';
import { Decimal, mapOf, oneOf, Timestamp, Type } from '../wire/index.ts';

/** One kind of message. */
export interface StreamMessage {
  readonly schema: TSchema;
  readonly summary: string;
  readonly example?: unknown;
}

/** When the message was created. */
export const StreamTime = Type.Integer({ description: 'Unix seconds.' });

export const StreamNotice = Type.Object(
  { message: Type.String() },
  { title: 'StreamNotice', additionalProperties: false },
);

export const StreamError = Type.Object(
  { error: Type.String() },
  { title: 'StreamError', additionalProperties: false },
);

export const OrderbookMessage = Type.Object(
  {
    topic: oneOf(['orderbook']),
    action: oneOf(['partial']),
    symbol: Type.String(),
    data: OrderBook,
    time: StreamTime,
  },
  { title: 'OrderbookMessage', additionalProperties: false },
);

export const AuctionMessage = Type.Object(
  {
    topic: oneOf(['auction']),
    action: oneOf(['partial']),
    symbol: Type.String(),
    data: Auction,
    time: StreamTime,
  },
  { title: 'AuctionMessage', additionalProperties: false },
);

export const TradeMessage = Type.Object(
  {
    topic: oneOf(['trade']),
    action: oneOf(['partial', 'insert'], 'partial: the last trades. insert: new trades.'),
    symbol: Type.String(),
    data: Type.Array(PublicTrade, { description: 'Newest first.' }),
    time: StreamTime,
  },
  { title: 'TradeMessage', additionalProperties: false },
);

const Price = Type.Object({ price: Decimal, lastUpdate: Timestamp }, { title: 'Price' });

export const PricesMessage = Type.Object(
  {
    topic: oneOf(['price']),
    action: oneOf(['partial']),
    data: mapOf(Price),
    time: StreamTime,
  },
  { title: 'PricesMessage', additionalProperties: false },
);

export const PriceMessage = Type.Object(
  {
    topic: oneOf(['price']),
    action: oneOf(['update']),
    symbol: Type.String({ description: 'The symbol of the coin.' }),
    data: Price,
    time: StreamTime,
  },
  { title: 'PriceMessage', additionalProperties: false },
);

export const streamPublicMessages = {
  notice: {
    schema: StreamNotice,
    summary: 'A welcome, a pong, or the end of a subscription.',
    example: { message: 'Welcome!' },
  },
  error: {
    schema: StreamError,
    summary: 'The reason of a rejected request. The connection stays open.',
    example: { error: 'Invalid symbol' },
  },
  orderbook: {
    schema: OrderbookMessage,
    summary: 'The ten best levels of both sides, complete in every message.',
  },
  auction: {
    schema: AuctionMessage,
    summary: 'The price at which an auction would uncross now; at most one message a second.',
  },
  trade: {
    schema: TradeMessage,
    summary: 'The last 50 trades, then each new one. Replace yours if a partial comes again.',
  },
  prices: { schema: PricesMessage, summary: 'The price of every coin; the first message.' },
  price: { schema: PriceMessage, summary: 'The changed price of a coin.' },
} as const satisfies Record<string, StreamMessage>;
