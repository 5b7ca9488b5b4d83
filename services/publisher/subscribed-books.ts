// Level 2 and level 3 books that gateways subscribe to: returns the full book on request, and
// publishes the changes after it. A book without subscribers costs nothing.

import type { MarketChange, MarketState } from '../../core/market-data/index.ts';
import type { MarketId } from '../../core/money/index.ts';
import {
  BOOK_KINDS,
  BOOK_SILENCE_MS_MAX,
  BOOK_SUBJECTS,
  type BookKind,
  type FeedSubjects,
  FRAME_HEADER,
  INTEREST_LASTS_MS,
  PART_HEADER,
  PREVIOUS_HEADER,
} from '../../infra/live-feed/index.ts';
import type { Clock, Timer } from '../../infra/process/index.ts';
import { fullBook, takeBookChanges, trackBook, untrackBook } from './book-json.ts';
import type { Feed, FeedRequest, FeedSubscription } from './feed-port.ts';
import type { FeedState } from './feed-state.ts';

export interface SubscribedBooksOptions {
  readonly state: FeedState;
  readonly feed: Feed;
  readonly clock: Clock;
  readonly subjects: FeedSubjects;
  /** Minimum interval between two messages for a busy book. */
  readonly everyMs: number;
  onPublished(bytes: number): void;
}

/** A book with a subscriber. */
interface SubscribedBook {
  readonly kind: BookKind;
  readonly market: MarketState;
  /** Everything up to this frame is published, or had no change. */
  frame: number;
  /** The interest expires at this time unless it is renewed. */
  untilMs: number;
  /** The times of the last change and of the last message of any kind. */
  sentMs: number;
  mentionedMs: number;
  /** Last response, while the book has not changed. */
  answer: string | undefined;
}

interface BookRequest {
  readonly kind: BookKind;
  readonly symbol: string;
  readonly replyTo: string;
}

// In characters, all of one byte. A server's default message limit is a mebibyte.
const PART_LENGTH = 256 * 1024;
// In the middle of a frame, requests are queued until its end; beyond this number they are dropped
// and retried.
const WAITING_REQUESTS_MAX = 1_000;

export class SubscribedBooks {
  readonly #options: SubscribedBooksOptions;
  readonly #books: Record<BookKind, Map<MarketId, SubscribedBook>> = {
    l2: new Map(),
    l3: new Map(),
  };
  readonly #due = new Set<SubscribedBook>();
  readonly #symbols = new Map<string, MarketState>();
  #subscriptions: FeedSubscription[] = [];
  #waiting: BookRequest[] = [];
  #isOpen = false;
  #timer: Timer | undefined;

  constructor(options: SubscribedBooksOptions) {
    this.#options = options;
    options.feed.watch((isConnected) => {
      if (isConnected) this.#run();
    });
  }

  /** Called when the state has caught up. Requests get responses after that. */
  open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    const { feed, subjects } = this.#options;
    const { begun, interest, questions } = BOOK_SUBJECTS;
    for (const kind of BOOK_KINDS) {
      const subscription = feed.subscribe(
        `${subjects.ask}.${questions[kind]}.*`,
        'one',
        (question) => this.#onRequest(kind, question),
      );
      this.#subscriptions.push(subscription);
    }
    const subscription = feed.subscribe(`${subjects.ask}.${interest}`, 'each', ({ payload }) =>
      this.#onInterest(payload),
    );
    this.#subscriptions.push(subscription);
    if (feed.isConnected) feed.publish(`${subjects.live}.${begun}`, '');
  }

  changed(changes: Iterable<MarketChange>): void {
    if (!this.#isOpen) return;
    for (const { isBookChanged, market } of changes) {
      if (!isBookChanged) continue;
      for (const kind of BOOK_KINDS) {
        const book = this.#books[kind].get(market.listed.market);
        if (book === undefined) continue;
        book.answer = undefined;
        this.#due.add(book);
      }
    }
    if (this.#waiting.length > 0 && this.#options.state.position.isComplete) {
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const request of waiting) this.#reply(request);
    }
    this.#run();
  }

  /** Called periodically: expired books are dropped, and quiet ones get a heartbeat. */
  tick(): void {
    const { clock, feed } = this.#options;
    const nowMs = clock.elapsedMs();
    for (const kind of BOOK_KINDS) {
      for (const book of this.#books[kind].values()) {
        if (nowMs >= book.untilMs) this.#forget(book);
        else if (nowMs - book.mentionedMs >= BOOK_SILENCE_MS_MAX && feed.isConnected) {
          this.#publish(book, { previous: book.frame, payload: '' });
        }
      }
    }
  }

  stop(): void {
    this.#isOpen = false;
    this.#timer?.cancel();
    for (const subscription of this.#subscriptions) subscription.stop();
    this.#subscriptions = [];
  }

  #onRequest(kind: BookKind, { replyTo, subject }: FeedRequest): void {
    if (!this.#isOpen || replyTo === '') return;
    const request = { kind, symbol: subject.slice(subject.lastIndexOf('.') + 1), replyTo };
    if (this.#options.state.position.isComplete) this.#reply(request);
    else if (this.#waiting.length < WAITING_REQUESTS_MAX) this.#waiting.push(request);
  }

  /** An unknown market gets an empty response. */
  #reply({ kind, replyTo, symbol }: BookRequest): void {
    const { feed, onPublished, state } = this.#options;
    const book = this.#follow(kind, symbol);
    if (book === undefined) {
      feed.publish(replyTo, '');
      return;
    }
    const { frame, timeMs } = state.position;
    book.answer ??= fullBook(state.data.orders, kind, { listed: book.market.listed, timeMs });
    const { answer } = book;
    const partCount = Math.ceil(answer.length / PART_LENGTH);
    for (let part = 0; part < partCount; part += 1) {
      const payload = answer.slice(part * PART_LENGTH, (part + 1) * PART_LENGTH);
      const headers = {
        [FRAME_HEADER]: String(frame),
        [PART_HEADER]: `${part + 1}/${partCount}`,
      };
      feed.publish(replyTo, payload, headers);
      onPublished(payload.length);
    }
  }

  #onInterest(payload: string): void {
    if (!this.#isOpen) return;
    const interest = parseInterest(payload);
    for (const kind of BOOK_KINDS) {
      for (const symbol of interest[kind]) this.#follow(kind, symbol);
    }
  }

  #follow(kind: BookKind, symbol: string): SubscribedBook | undefined {
    const { clock, state } = this.#options;
    const market = this.#marketOf(symbol);
    if (market === undefined) return undefined;
    const nowMs = clock.elapsedMs();
    const untilMs = nowMs + INTEREST_LASTS_MS;
    const { market: id } = market.listed;
    let book = this.#books[kind].get(id);
    if (book === undefined) {
      // In the middle of a frame its earlier changes are not tracked, so tracking must begin at the
      // end of a frame.
      if (!state.position.isComplete) return undefined;
      trackBook(state.data.orders, kind, id);
      book = {
        kind,
        market,
        frame: state.position.frame,
        untilMs,
        answer: undefined,
        // A heartbeat follows soon, so earlier subscribers notice a gap.
        sentMs: Number.NEGATIVE_INFINITY,
        mentionedMs: Number.NEGATIVE_INFINITY,
      };
      this.#books[kind].set(id, book);
    }
    book.untilMs = untilMs;
    return book;
  }

  #forget(book: SubscribedBook): void {
    const { market: id } = book.market.listed;
    untrackBook(this.#options.state.data.orders, book.kind, id);
    this.#books[book.kind].delete(id);
    this.#due.delete(book);
  }

  #run(): void {
    const { clock, everyMs, feed, state } = this.#options;
    if (this.#due.size === 0) return;
    this.#timer?.cancel();
    // While disconnected, changes accumulate and are published after the reconnect.
    if (!this.#isOpen || !state.position.isComplete || !feed.isConnected) return;
    const nowMs = clock.elapsedMs();
    let nextMs = Number.POSITIVE_INFINITY;
    for (const book of this.#due) {
      const dueMs = book.sentMs + everyMs;
      if (nowMs >= dueMs) this.#send(book, nowMs);
      else nextMs = Math.min(nextMs, dueMs);
    }
    if (nextMs < Number.POSITIVE_INFINITY) {
      this.#timer = clock.after(nextMs - nowMs, () => this.#run());
    }
  }

  #send(book: SubscribedBook, nowMs: number): void {
    const { data, position } = this.#options.state;
    this.#due.delete(book);
    const at = { market: book.market.listed.market, timeMs: position.timeMs };
    const payload = takeBookChanges(data.orders, book.kind, at);
    if (payload === undefined) return;
    const previous = book.frame;
    book.frame = position.frame;
    book.sentMs = nowMs;
    this.#publish(book, { previous, payload });
  }

  #publish(
    book: SubscribedBook,
    { payload, previous }: { previous: number; payload: string },
  ): void {
    const { clock, feed, onPublished, subjects } = this.#options;
    const subject = `${subjects.live}.${book.kind}.${book.market.listed.symbol}`;
    const headers = {
      [FRAME_HEADER]: String(book.frame),
      [PREVIOUS_HEADER]: String(previous),
    };
    feed.publish(subject, payload, headers);
    book.mentionedMs = clock.elapsedMs();
    onPublished(payload.length);
  }

  #marketOf(symbol: string): MarketState | undefined {
    const { markets } = this.#options.state.data;
    if (this.#symbols.size < markets.size) {
      for (const market of markets.values()) this.#symbols.set(market.listed.symbol, market);
    }
    return this.#symbols.get(symbol);
  }
}

/** The message is not validated anywhere else. */
function parseInterest(payload: string): Record<BookKind, string[]> {
  let said: unknown;
  try {
    said = JSON.parse(payload);
  } catch {
    said = undefined;
  }
  const symbolsOf = (kind: BookKind): string[] => {
    const symbols: unknown = (said as Partial<Record<BookKind, unknown>> | null | undefined)?.[
      kind
    ];
    return Array.isArray(symbols) ? symbols.filter((symbol) => typeof symbol === 'string') : [];
  };
  return { l2: symbolsOf('l2'), l3: symbolsOf('l3') };
}
