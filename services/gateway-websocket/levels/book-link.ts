// The port through which synced books use the network. NATS implements it, and a fake in tests.

import type { Watch } from '../../../infra/bus/index.ts';
import type { BookKind } from '../../../infra/live-feed/index.ts';

export interface BookName {
  readonly kind: BookKind;
  /** The market's symbol. */
  readonly symbol: string;
}

/** The changes after frame `previous` up to `frame`; an empty payload if there are none. */
export interface BookChange {
  readonly previous: number;
  readonly frame: number;
  readonly payload: string;
}

/** The full book after `frame`. */
export interface BookAnswer {
  readonly frame: number;
  readonly payload: string;
}

export interface BookLink {
  /** Renews the interest in the book with the publisher, and receives the book's changes. */
  subscribe(name: BookName, receive: (change: BookChange) => void): Watch;
  /** Called back once: undefined if the market is unknown or there is no answer. */
  ask(name: BookName, done: (answer: BookAnswer | undefined) => void): void;
  /** Calls back after a reconnect: any message may have been missed. */
  watchReturns(returned: () => void): Watch;
}
