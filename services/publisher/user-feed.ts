// Derives the messages to users from the events in one part of a frame. They must follow from the
// log alone: the same part always produces the same messages.

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
import { fillMessage, type OrderUpdate, orderMessage, walletMessage } from './user-json.ts';

export interface UserPayload {
  readonly user: UserId;
  readonly payload: string;
}

interface PendingEvents {
  /** By ascending index. */
  readonly messages: UserMessage[];
  /** Assets whose balance the part has changed. */
  readonly moved: Set<AssetId>;
  movedIndex: number;
}

type Position = readonly [frame: number, index: number];

export class UserFeed {
  readonly balances = new Balances();
  readonly #data: MarketData;
  /** Last entry of each user. */
  readonly #lastEntries = new Map<UserId, Position>();
  #pending = new Map<UserId, PendingEvents>();
  #index = 0;
  #timeMs = 0;

  constructor(data: MarketData) {
    this.#data = data;
  }

  /** Call before applying the event: closing removes the order. */
  orderClosedBy(event: Event): OpenOrder | undefined {
    return event.kind === 'OrderClosed' ? this.#data.orders.get(event.order) : undefined;
  }

  /** Call after the event has changed the market data. `index` is its index in the entire frame. */
  apply(
    event: Event,
    at: { readonly index: number; readonly timeMs: number },
    closed: OpenOrder | undefined,
  ): void {
    this.#index = at.index;
    this.#timeMs = at.timeMs;
    this.#report(event, closed);
    this.balances.apply(event, (user, asset) => {
      const news = this.#pendingOf(user);
      news.moved.add(asset);
      news.movedIndex = at.index;
    });
  }

  /** Called at the end of a part. Returns one payload per user. */
  take(frame: number): UserPayload[] {
    const messages: UserPayload[] = [];
    for (const [user, news] of this.#pending) messages.push(this.#messageTo(user, news, frame));
    this.#pending = new Map();
    return messages;
  }

  *save(): Generator<SavedRow, void> {
    yield* this.balances.save();
    for (const [user, position] of this.#lastEntries) yield ['told', user, ...position];
  }

  /** Returns false for a row of another kind. */
  restore(row: SavedRow): boolean {
    if (row[0] !== 'told') return this.balances.take(row);
    this.#lastEntries.set(row[1] as UserId, [Number(row[2]), Number(row[3])]);
    return true;
  }

  #report(event: Event, closed: OpenOrder | undefined): void {
    switch (event.kind) {
      case 'OrderPlaced':
        this.#reportOrder(event, { action: 'insert', status: 'new' });
        break;
      case 'OrderTriggered':
      case 'OrderAmended':
        this.#reportOrder(event, { action: 'update', status: 'open' });
        break;
      case 'OrderClosed':
        this.#reportClosed(event, closed);
        break;
      case 'TradeExecuted':
        this.#reportTrade(event);
        break;
    }
  }

  #reportTrade(trade: TradeExecuted): void {
    const { listed } = this.#data.market(trade.market);
    const how = { listed, timeMs: this.#timeMs };
    this.#add(trade.maker, 'usertrade', fillMessage(trade, 'maker', how));
    this.#add(trade.taker, 'usertrade', fillMessage(trade, 'taker', how));
    // An order with nothing left is reported by its OrderClosed.
    const { makerOrder, market, takerOrder } = trade;
    const update = { action: 'update', status: 'open' } as const;
    if (trade.makerRemainingLots > 0) this.#reportOrder({ order: makerOrder, market }, update);
    if (trade.takerRemainingLots > 0) this.#reportOrder({ order: takerOrder, market }, update);
  }

  #reportOrder(
    { market, order: number }: { readonly order: OrderNumber; readonly market: MarketId },
    { action, status }: { action: OrderUpdate['action']; status: OrderUpdate['status'] | 'open' },
  ): void {
    const order = this.#data.orders.get(number);
    if (order === undefined) return;
    const told = status === 'open' ? orderStatus(order, undefined) : status;
    this.#addOrder(order, market, { action, status: told });
  }

  #reportClosed({ market, reason }: OrderClosed, closed: OpenOrder | undefined): void {
    if (closed === undefined) return;
    const status = orderStatus(closed, reason);
    this.#addOrder(closed, market, { action: 'update', status, closeReason: reason });
  }

  #addOrder(
    order: OpenOrder,
    market: MarketId,
    what: Pick<OrderUpdate, 'action' | 'status' | 'closeReason'>,
  ): void {
    const { listed } = this.#data.market(market);
    const message = orderMessage({ ...what, listed, order, updatedMs: this.#timeMs });
    this.#add(order.user, 'order', message);
  }

  #add(user: UserId, topic: UserTopic, text: string): void {
    this.#pendingOf(user).messages.push({ index: this.#index, topic, text });
  }

  #pendingOf(user: UserId): PendingEvents {
    let news = this.#pending.get(user);
    if (news === undefined) {
      news = { messages: [], moved: new Set(), movedIndex: -1 };
      this.#pending.set(user, news);
    }
    return news;
  }

  #messageTo(user: UserId, news: PendingEvents, frame: number): UserPayload {
    this.#addWallet(user, news);
    const { messages } = news;
    const [afterFrame, afterIndex] = this.#lastEntries.get(user) ?? [0, 0];
    this.#lastEntries.set(user, [frame, messages[messages.length - 1].index]);
    const after = { frame: afterFrame, index: afterIndex };
    return { user, payload: encodeUserEvents({ user, frame, after, messages }) };
  }

  /** The balances after the part belong to the last event that changed any of them. */
  #addWallet(user: UserId, { messages, moved, movedIndex: index }: PendingEvents): void {
    if (moved.size === 0) return;
    const balances = [...moved].map(
      (asset) => [this.#data.asset(asset), this.balances.of(user, asset)] as const,
    );
    const text = walletMessage(user, balances, this.#timeMs);
    const at = messages.findIndex((message) => message.index > index);
    messages.splice(at < 0 ? messages.length : at, 0, { index, topic: 'wallet', text });
  }
}
