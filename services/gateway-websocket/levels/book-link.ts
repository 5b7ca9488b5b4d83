// Port through which synced books use the network, implemented by NATS and by a fake in tests.

import type { Watch } from '../../../infra/bus/index.ts';
import type { BookKind } from '../../../infra/live-feed/index.ts';

export interface BookName {
  readonly kind: BookKind;
  /** Market symbol. */
  readonly symbol: string;
}

/** Changes after frame `previous` up to `frame`; the payload is empty if there are none. */
export interface BookChange {
  readonly previous: number;
  readonly frame: number;
  readonly payload: string;
}

/** Full book after `frame`. */
export interface BookAnswer {
  readonly frame: number;
  readonly payload: string;
}

export interface BookLink {
  /** Keeps the publisher sending the book, and receives the book's changes. */
  subscribe(name: BookName, receive: (change: BookChange) => void): Watch;
  /** Calls back once, with undefined if the market is unknown or the request times out. */
  ask(name: BookName, done: (answer: BookAnswer | undefined) => void): void;
  /** Calls back after a reconnect, because any message might have been missed. */
  watchReturns(returned: () => void): Watch;
}
