// Maintains the full order book of one market from the stream and verifies its checksums. After a
// gap or a mismatch it resubscribes; it never delivers a book that failed verification.

import type { StreamFault } from './account-subscriber.ts';
import { type Level, LevelBook } from './level-book.ts';
import type { RialtoError } from './rialto-error.ts';
import type { TopicMessage } from './stream-connection.ts';
import { Subscription } from './subscription.ts';
import type { Subscriber } from './subscription-set.ts';
import type { StreamMessages } from './wire.generated.ts';

/** An order book at one moment. Prices and sizes are texts; the best levels come first. */
export interface Book {
  readonly symbol: string;
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
  /** Increases with each change. */
  readonly sequence: number;
  readonly timestamp: string;
}

export interface BookOptions {
  /** Number of levels per side; all by default. */
  readonly levels?: number;
  /** Called after each change, instead of iterating. */
  readonly onBook?: (book: Book) => void;
  readonly onError?: (error: unknown) => void;
}

/** Conflated: a slow iterator gets the newest book, not every one. */
export class BookSubscriber implements Subscriber {
  readonly topic = 'orderbook_l2';
  readonly symbol: string;
  readonly subscription: Subscription<Book>;
  readonly #book = new LevelBook();
  readonly #levels: number;
  readonly #restart: () => void;
  readonly #onFault: (fault: StreamFault) => void;

  constructor(
    { levels, onBook, onError, symbol }: BookOptions & { readonly symbol: string },
    on: { restart(): void; end(): void; fault(fault: StreamFault): void },
  ) {
    this.symbol = symbol;
    this.#levels = levels ?? Number.POSITIVE_INFINITY;
    this.#restart = () => on.restart();
    this.#onFault = (fault) => on.fault(fault);
    const calls = {
      ...(onBook !== undefined && { onMessage: onBook }),
      ...(onError !== undefined && { onError }),
    };
    this.subscription = new Subscription({ ...calls, isNewestOnly: true }, () => on.end());
  }

  requestFields(): Readonly<Record<string, unknown>> {
    return {};
  }

  onSubscribe(): void {
    this.#book.reset();
  }

  onMessage(message: TopicMessage): void {
    const step = this.#book.apply(message as StreamMessages['orderbook_l2']);
    if (step === 'applied') {
      this.subscription.push(this.#now());
    } else if (step !== 'repeat') {
      this.#onFault(step);
      this.#restart();
    }
  }

  onFailure(error: RialtoError): void {
    this.subscription.fail(error);
  }

  onClose(): void {
    this.subscription.close();
  }

  #now(): Book {
    const { asks, bids, sequence, timestamp } = this.#book;
    return {
      symbol: this.symbol,
      sequence: sequence!,
      timestamp,
      bids: bids.slice(0, this.#levels),
      asks: asks.slice(0, this.#levels),
    };
  }
}
