// What followed books ask of the network, and nothing more. NATS implements it, and tests do.

import type { Watch } from '../../../infra/bus/index.ts';
import type { BookKind } from '../../../infra/live-feed/index.ts';

export interface BookName {
  readonly kind: BookKind;
  /** Of the market. */
  readonly symbol: string;
}

/** What changed behind the frame `previous`, up to `frame`; empty when nothing did. */
export interface BookChange {
  readonly previous: number;
  readonly frame: number;
  readonly payload: string;
}

/** The whole, after `frame`. */
export interface BookAnswer {
  readonly frame: number;
  readonly payload: string;
}

export interface BookLink {
  /** Tells the publisher, again and again, that the book is followed, and hears what it says. */
  subscribe(name: BookName, hear: (news: BookChange) => void): Watch;
  /** Called back once: undefined when nobody knows, or nobody answers. */
  ask(name: BookName, done: (answer: BookAnswer | undefined) => void): void;
  /** Calls back when the connection is there again: anything may have been missed. */
  watchReturns(returned: () => void): Watch;
}
