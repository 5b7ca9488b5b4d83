// One market's whole book, kept up to date from the stream and proved by its checksum. What does
// not fit is never shown: the book is asked for again.

import { Following } from './following.ts';
import { type Level, LevelBook } from './level-book.ts';
import type { Trouble } from './private-news.ts';
import type { RialtoError } from './rialto-error.ts';
import type { TopicMessage } from './stream-link.ts';
import type { Follower } from './subscriptions.ts';
import type { StreamMessages } from './wire.generated.ts';

/** A book at one moment. Prices and sizes are texts; the best stand first. */
export interface Book {
  readonly symbol: string;
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
  /** Grows with each change. */
  readonly sequence: number;
  readonly timestamp: string;
}

export interface BookOptions {
  /** So many levels of each side are given; all unless told. */
  readonly levels?: number;
  /** Called after each change; then there is nothing to iterate over. */
  readonly onBook?: (book: Book) => void;
  readonly onError?: (error: unknown) => void;
}

/** Whoever iterates slowly gets the newest book, not each that there was. */
export class BookFollower implements Follower {
  readonly topic = 'orderbook_l2';
  readonly symbol: string;
  readonly following: Following<Book>;
  readonly #book = new LevelBook();
  readonly #levels: number;
  readonly #restart: () => void;
  readonly #onTrouble: (trouble: Trouble) => void;

  constructor(
    { levels, onBook, onError, symbol }: BookOptions & { readonly symbol: string },
    on: { restart(): void; end(): void; trouble(trouble: Trouble): void },
  ) {
    this.symbol = symbol;
    this.#levels = levels ?? Number.POSITIVE_INFINITY;
    this.#restart = () => on.restart();
    this.#onTrouble = (trouble) => on.trouble(trouble);
    const calls = {
      ...(onBook !== undefined && { onMessage: onBook }),
      ...(onError !== undefined && { onError }),
    };
    this.following = new Following({ ...calls, isNewestOnly: true }, () => on.end());
  }

  fields(): Readonly<Record<string, unknown>> {
    return {};
  }

  begin(): void {
    this.#book.forget();
  }

  take(message: TopicMessage): void {
    const step = this.#book.take(message as unknown as StreamMessages['orderbook_l2']);
    if (step === 'taken') {
      this.following.give(this.#now());
    } else if (step !== 'repeat') {
      this.#onTrouble(step);
      this.#restart();
    }
  }

  fail(error: RialtoError): void {
    this.following.fail(error);
  }

  end(): void {
    this.following.close();
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
