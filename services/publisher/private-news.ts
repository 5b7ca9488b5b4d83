// What each event tells which user, gathered for one part of an event frame. It follows from the
// log alone: the same part gives the same messages, whoever applies it and how often.

import {
  type MarketData,
  type OpenOrder,
  orderStatus,
  type SavedRow,
} from '../../core/market-data/index.ts';
import type { Event, OrderClosed, TradeExecuted } from '../../core/messages/index.ts';
import type { AssetId, MarketId, OrderNumber, UserId } from '../../core/money/index.ts';
import { encodeUserEvents, type UserMessage, type UserTopic } from '../../infra/live-feed/index.ts';
import { Balances } from './balances.ts';
import { fillMessage, type OrderNews, orderMessage, walletMessage } from './private-json.ts';

export interface PrivateMessage {
  readonly user: UserId;
  readonly payload: string;
}

interface UserNews {
  /** By ascending index. */
  readonly messages: UserMessage[];
  /** Assets of which the user has more or less than before the part. */
  readonly moved: Set<AssetId>;
  movedIndex: number;
}

type Position = readonly [frame: number, index: number];

export class PrivateNews {
  readonly balances = new Balances();
  readonly #data: MarketData;
  /** The last entry that each user was told. */
  readonly #told = new Map<UserId, Position>();
  #news = new Map<UserId, UserNews>();
  #index = 0;
  #timeMs = 0;

  constructor(data: MarketData) {
    this.#data = data;
  }

  /** Before the event changes anything: an order that closes is forgotten by it. */
  orderClosedBy(event: Event): OpenOrder | undefined {
    return event.kind === 'OrderClosed' ? this.#data.orders.get(event.order) : undefined;
  }

  /** After the event has changed the market data. `index` is its place in the whole frame. */
  see(
    event: Event,
    at: { readonly index: number; readonly timeMs: number },
    closed: OpenOrder | undefined,
  ): void {
    this.#index = at.index;
    this.#timeMs = at.timeMs;
    this.#tell(event, closed);
    this.balances.apply(event, (user, asset) => {
      const news = this.#newsOf(user);
      news.moved.add(asset);
      news.movedIndex = at.index;
    });
  }

  /** The end of a part: all that it tells, one message for each user. */
  take(frame: number): PrivateMessage[] {
    const messages: PrivateMessage[] = [];
    for (const [user, news] of this.#news) messages.push(this.#messageTo(user, news, frame));
    this.#news = new Map();
    return messages;
  }

  *save(): Generator<SavedRow, void> {
    yield* this.balances.save();
    for (const [user, position] of this.#told) yield ['told', user, ...position];
  }

  /** False for a row of another kind. */
  restore(row: SavedRow): boolean {
    if (row[0] !== 'told') return this.balances.take(row);
    this.#told.set(row[1] as UserId, [Number(row[2]), Number(row[3])]);
    return true;
  }

  #tell(event: Event, closed: OpenOrder | undefined): void {
    switch (event.kind) {
      case 'OrderPlaced':
        this.#tellOrder(event, { action: 'insert', status: 'new' });
        break;
      case 'OrderTriggered':
        // Clients drop a triggered stop, and learn of the order that it has become.
        this.#tellOrder(event, { action: 'update', status: 'triggered' });
        this.#tellOrder(event, { action: 'insert', status: 'new' });
        break;
      case 'OrderAmended':
        this.#tellOrder(event, { action: 'update', status: 'open' });
        break;
      case 'OrderClosed':
        this.#tellClosed(event, closed);
        break;
      case 'TradeExecuted':
        this.#tellTrade(event);
        break;
    }
  }

  #tellTrade(trade: TradeExecuted): void {
    const { listed } = this.#data.market(trade.market);
    const how = { listed, timeMs: this.#timeMs };
    this.#add(trade.maker, 'usertrade', fillMessage(trade, 'maker', how));
    this.#add(trade.taker, 'usertrade', fillMessage(trade, 'taker', how));
    // An order that has nothing left is told of by its OrderClosed.
    const { makerOrder, market, takerOrder } = trade;
    const update = { action: 'update', status: 'open' } as const;
    if (trade.makerRemainingLots > 0) this.#tellOrder({ order: makerOrder, market }, update);
    if (trade.takerRemainingLots > 0) this.#tellOrder({ order: takerOrder, market }, update);
  }

  #tellOrder(
    { market, order: number }: { readonly order: OrderNumber; readonly market: MarketId },
    { action, status }: { action: OrderNews['action']; status: OrderNews['status'] | 'open' },
  ): void {
    const order = this.#data.orders.get(number);
    if (order === undefined) return;
    const told = status === 'open' ? orderStatus(order, undefined) : status;
    this.#addOrder(order, market, { action, status: told });
  }

  #tellClosed({ market, reason }: OrderClosed, closed: OpenOrder | undefined): void {
    if (closed === undefined) return;
    const status = orderStatus(closed, reason);
    this.#addOrder(closed, market, { action: 'update', status, closeReason: reason });
  }

  #addOrder(
    order: OpenOrder,
    market: MarketId,
    what: Pick<OrderNews, 'action' | 'status' | 'closeReason'>,
  ): void {
    const { listed } = this.#data.market(market);
    const message = orderMessage({ ...what, listed, order, updatedMs: this.#timeMs });
    this.#add(order.user, 'order', message);
  }

  #add(user: UserId, topic: UserTopic, text: string): void {
    this.#newsOf(user).messages.push({ index: this.#index, topic, text });
  }

  #newsOf(user: UserId): UserNews {
    let news = this.#news.get(user);
    if (news === undefined) {
      news = { messages: [], moved: new Set(), movedIndex: -1 };
      this.#news.set(user, news);
    }
    return news;
  }

  #messageTo(user: UserId, news: UserNews, frame: number): PrivateMessage {
    this.#addWallet(user, news);
    const { messages } = news;
    const [afterFrame, afterIndex] = this.#told.get(user) ?? [0, 0];
    this.#told.set(user, [frame, messages[messages.length - 1].index]);
    const after = { frame: afterFrame, index: afterIndex };
    return { user, payload: encodeUserEvents({ user, frame, after, messages }) };
  }

  /** The balances after the part belong to the last event that moved any of them. */
  #addWallet(user: UserId, { messages, moved, movedIndex: index }: UserNews): void {
    if (moved.size === 0) return;
    const balances = [...moved].map(
      (asset) => [this.#data.asset(asset), this.balances.of(user, asset)] as const,
    );
    const text = walletMessage(user, balances, this.#timeMs);
    const at = messages.findIndex((message) => message.index > index);
    messages.splice(at < 0 ? messages.length : at, 0, { index, topic: 'wallet', text });
  }
}
