// What a user has at one place of the stream: open orders, recent trades and balances, as the
// messages that clients get.

import type { Position, UserTopic } from '../../../infra/live-feed/index.ts';
import { FramedMessage } from './user-entries.ts';

export interface Snapshot {
  /** Everything up to this place is in it, and nothing after it. */
  readonly position: Position;
  /** By topic, as sockets that follow one topic get it. */
  readonly messages: Readonly<Record<UserTopic, FramedMessage>>;
  /** A JSON array of messages with all open orders, for those who build on it. */
  readonly data: string;
  readonly timeMs: number;
}

/** As JSON, each of them. */
export interface AccountTexts {
  /** The oldest first, all that are open. */
  readonly orders: readonly string[];
  /** The newest first. */
  readonly fills: readonly string[];
  readonly balance: string;
}

/** Clients of the usual topic know no more than so many orders. */
export const ORDERS_IN_PARTIAL_MAX = 50;

export function makeSnapshot(
  { balance, fills, orders }: AccountTexts,
  at: { readonly user: number; readonly position: Position; readonly timeMs: number },
): Snapshot {
  const { position, timeMs, user } = at;
  const partial = (topic: UserTopic, data: string) =>
    new FramedMessage(
      topic,
      `{"topic":"${topic}","action":"partial","user_id":${user}` +
        `,"data":${data},"time":${Math.floor(timeMs / 1_000)}}`,
    );
  const order = partial('order', `[${orders.slice(-ORDERS_IN_PARTIAL_MAX).join(',')}]`);
  const usertrade = partial('usertrade', `[${fills.join(',')}]`);
  const wallet = partial('wallet', balance);
  const allOrders =
    orders.length > ORDERS_IN_PARTIAL_MAX ? partial('order', `[${orders.join(',')}]`) : order;
  return {
    position,
    timeMs,
    messages: { order, usertrade, wallet },
    data: `[${allOrders.text},${usertrade.text},${wallet.text}]`,
  };
}
