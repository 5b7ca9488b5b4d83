// A user's account at one stream position: orders, recent trades and balances, as messages to
// clients.

import type { Position, UserTopic } from '../../../infra/live-feed/index.ts';
import { FramedMessage } from './user-entries.ts';

export interface Snapshot {
  /** Includes everything up to this position and nothing after it. */
  readonly position: Position;
  /** By topic, for sockets that subscribe to a single topic. */
  readonly messages: Readonly<Record<UserTopic, FramedMessage>>;
  /** A JSON array of messages with all open orders, for the resumable topic. */
  readonly data: string;
  readonly timeMs: number;
}

/** JSON texts. */
export interface AccountTexts {
  /** All open orders, oldest first. */
  readonly openOrders: readonly string[];
  /** The last orders of any status, newest first: at most ORDERS_IN_PARTIAL_MAX. */
  readonly lastOrders: readonly string[];
  /** Newest first. */
  readonly fills: readonly string[];
  readonly balance: string;
}

/** The `order` topic sends at most this many orders. */
export const ORDERS_IN_PARTIAL_MAX = 50;

export function makeSnapshot(
  { balance, fills, lastOrders, openOrders }: AccountTexts,
  at: { readonly user: number; readonly position: Position; readonly timeMs: number },
): Snapshot {
  const { position, timeMs, user } = at;
  const partial = (topic: UserTopic, data: string) =>
    new FramedMessage(
      topic,
      `{"topic":"${topic}","action":"partial","user_id":${user}` +
        `,"data":${data},"time":${Math.floor(timeMs / 1_000)}}`,
    );
  const order = partial('order', `[${lastOrders.join(',')}]`);
  const usertrade = partial('usertrade', `[${fills.join(',')}]`);
  const wallet = partial('wallet', balance);
  const allOpen = partial('order', `[${openOrders.join(',')}]`);
  return {
    position,
    timeMs,
    messages: { order, usertrade, wallet },
    data: `[${allOpen.text},${usertrade.text},${wallet.text}]`,
  };
}
