// Book subscriptions on NATS: announces interest, receives changes, and joins the parts of long
// responses. Ignores messages that it cannot parse.

import type { Msg } from '@nats-io/transport-node';
import { type Nats, raiseBug, type Watch } from '../../../infra/bus/index.ts';
import {
  BOOK_KINDS,
  BOOK_SUBJECTS,
  type BookKind,
  type FeedSubjects,
  FRAME_HEADER,
  feedSubjects,
  INTEREST_EVERY_MS,
  type Interest,
  PART_HEADER,
  PREVIOUS_HEADER,
} from '../../../infra/live-feed/index.ts';
import type { Clock, Timer } from '../../../infra/process/index.ts';
import type { BookAnswer, BookChange, BookLink, BookName } from './book-link.ts';

export interface NatsBookLinkOptions {
  readonly nats: Nats;
  readonly exchange: string;
  readonly clock: Clock;
}

// Time limit for the first part of a response and between two parts.
const SILENT_MS_MAX = 3_000;
const PART = /^(\d+)\/(\d+)$/;

export class NatsBookLink implements BookLink {
  readonly #nats: Nats;
  readonly #clock: Clock;
  readonly #subjects: FeedSubjects;
  /** Subscription count of each book, by symbol. */
  readonly #interest: Record<BookKind, Map<string, number>> = { l2: new Map(), l3: new Map() };
  readonly #watches: Watch[];
  #timer: Timer | undefined;

  constructor({ clock, exchange, nats }: NatsBookLinkOptions) {
    this.#nats = nats;
    this.#clock = clock;
    this.#subjects = feedSubjects(exchange);
    this.#watches = [
      this.#listen(`${this.#subjects.live}.${BOOK_SUBJECTS.begun}`, () => this.#announceInterest()),
      nats.watch((isConnected) => {
        if (isConnected) this.#announceInterest();
      }),
    ];
    this.#announcePeriodically();
  }

  close(): void {
    this.#timer?.cancel();
    for (const watch of this.#watches) watch.stop();
  }

  subscribe({ kind, symbol }: BookName, receive: (change: BookChange) => void): Watch {
    const counts = this.#interest[kind];
    counts.set(symbol, (counts.get(symbol) ?? 0) + 1);
    const subject = `${this.#subjects.live}.${kind}.${symbol}`;
    const listening = this.#listen(subject, (message) => {
      const [frame, previous] = [FRAME_HEADER, PREVIOUS_HEADER].map((name) =>
        numberIn(message, name),
      );
      if (frame === undefined || previous === undefined) return;
      receive({ frame, previous, payload: message.string() });
    });
    return {
      stop: () => {
        listening.stop();
        const count = (counts.get(symbol) ?? 0) - 1;
        if (count > 0) counts.set(symbol, count);
        else counts.delete(symbol);
      },
    };
  }

  ask({ kind, symbol }: BookName, done: (answer: BookAnswer | undefined) => void): void {
    const { client, isConnected } = this.#nats;
    if (!isConnected) {
      this.#clock.soon(() => done(undefined));
      return;
    }
    const inbox = this.#nats.createInbox();
    const parts: string[] = [];
    let timer = this.#clock.after(SILENT_MS_MAX, () => end(undefined));
    const listening = this.#listen(inbox, (message) => {
      const [, part, count] = PART.exec(message.headers?.get(PART_HEADER) ?? '') ?? [];
      const frame = numberIn(message, FRAME_HEADER);
      // No responder, an unknown market, or a missing part.
      if (frame === undefined || Number(part) !== parts.length + 1) {
        end(undefined);
        return;
      }
      parts.push(message.string());
      if (Number(count) === parts.length) {
        end({ frame, payload: parts.join('') });
        return;
      }
      timer.cancel();
      timer = this.#clock.after(SILENT_MS_MAX, () => end(undefined));
    });
    const end = (answer: BookAnswer | undefined): void => {
      timer.cancel();
      listening.stop();
      done(answer);
    };
    const question = `${this.#subjects.ask}.${BOOK_SUBJECTS.questions[kind]}.${symbol}`;
    client.publish(question, '', { reply: inbox });
  }

  watchReturns(returned: () => void): Watch {
    return this.#nats.watch((isConnected) => {
      if (isConnected) returned();
    });
  }

  #announcePeriodically(): void {
    this.#announceInterest();
    this.#timer = this.#clock.after(INTEREST_EVERY_MS, () => this.#announcePeriodically());
  }

  #announceInterest(): void {
    const { client, isConnected } = this.#nats;
    const count = BOOK_KINDS.reduce((sum, kind) => sum + this.#interest[kind].size, 0);
    if (!isConnected || count === 0) return;
    const { l2, l3 } = this.#interest;
    const interest: Interest = { l2: [...l2.keys()], l3: [...l3.keys()] };
    client.publish(`${this.#subjects.ask}.${BOOK_SUBJECTS.interest}`, JSON.stringify(interest));
  }

  #listen(subject: string, receive: (message: Msg) => void): Watch {
    const { client } = this.#nats;
    const subscription = client.subscribe(subject, {
      callback: (fault, message) => {
        try {
          if (fault !== null) throw fault;
          receive(message);
        } catch (bug) {
          raiseBug(bug);
        }
      },
    });
    return {
      stop() {
        if (!client.isClosed()) subscription.unsubscribe();
      },
    };
  }
}

function numberIn({ headers }: Msg, name: string): number | undefined {
  const number = Number(headers?.get(name) || Number.NaN);
  return Number.isSafeInteger(number) ? number : undefined;
}
