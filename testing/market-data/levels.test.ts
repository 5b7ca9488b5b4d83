// Whole books from the publisher through a gateway to a client, in virtual time. The client's book
// is the engine's of the frame that it names, after every message, whatever is lost on the way.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BOOK_WORDS, type BookKind } from '../../infra/live-feed/index.ts';
import type { Frame } from '../../services/gateway-websocket/frame.ts';
import type {
  BookAnswer,
  BookLink,
  BookName,
  BookNews,
} from '../../services/gateway-websocket/levels/book-link.ts';
import { FollowedBook } from '../../services/gateway-websocket/levels/followed-book.ts';
import { LevelBook } from '../../services/gateway-websocket/levels/level-book.ts';
import { OrderQueues } from '../../services/gateway-websocket/levels/order-queues.ts';
import type { Following } from '../../services/gateway-websocket/topic.ts';
import type { FlowName } from '../flows/index.ts';
import { EngineBooks } from './engine-books.ts';
import { askFeed } from './fake-feed.ts';
import { LevelClient, textsIn } from './level-client.ts';
import { PublisherStage, STAGE_SUBJECTS } from './publisher-stage.ts';

const TOPICS: Record<BookKind, string> = { l2: 'orderbook_l2', l3: 'orders_l3' };

/** Percent of what the publisher says of books. */
interface Trouble {
  readonly lost: number;
  readonly doubled: number;
  readonly late: number;
}

const NO_TROUBLE: Trouble = { lost: 0, doubled: 0, late: 0 };

/** A socket that follows one book, with the client behind it. */
class Seat {
  readonly client = new LevelClient();
  readonly book: FollowedBook;
  readonly kind: BookKind;
  readonly symbol: string;
  readonly following: Following;
  /** Takes nothing, and has left something out. */
  isFull = false;
  isStale = false;

  constructor(desk: Desk, book: FollowedBook, { kind, symbol }: BookName) {
    this.book = book;
    this.kind = kind;
    this.symbol = symbol;
    const send = (frame: Frame): boolean => {
      if (this.isFull || this.isStale) {
        this.isStale = true;
        return false;
      }
      for (const text of textsIn(frame.bytes)) {
        this.client.hear(text);
        desk.compare(this);
      }
      return true;
    };
    const follower = { id: 1, caller: undefined, isOpen: true, watchClose: () => ({ stop() {} }) };
    const channel = `${TOPICS[kind]}:${symbol}`;
    this.following = { follower, channel, symbol, fields: {}, send, sendOrClose() {} };
    book.follow(this.following);
  }

  drain(): void {
    this.isFull = false;
    if (!this.isStale) return;
    this.isStale = false;
    this.book.refresh(this.following);
  }
}

/** A gateway's books on the network of a stage, and the engine's after every frame. */
class Desk implements BookLink {
  readonly stage: PublisherStage;
  readonly seats: Seat[] = [];
  readonly books = new EngineBooks();
  gapCount = 0;
  readonly #trouble: Trouble;
  readonly #books = new Map<string, FollowedBook>();
  readonly #hearers = new Map<string, (news: BookNews) => void>();
  readonly #returns = new Set<() => void>();
  readonly #inboxes = new Map<string, (payload: string, headers: Headers) => void>();
  #isCut = false;

  constructor(seed: number, trouble: Trouble) {
    this.#trouble = trouble;
    this.stage = new PublisherStage(seed, 0, (subject, payload, headers) => {
      this.#hear(subject, payload, headers);
    });
  }

  sit(name: BookName): void {
    const key = `${name.kind}.${name.symbol}`;
    let book = this.#books.get(key);
    if (book === undefined) {
      book = new FollowedBook({
        ...name,
        topic: TOPICS[name.kind],
        link: this,
        clock: this.stage.time,
        book: name.kind === 'l2' ? new LevelBook() : new OrderQueues(),
        onGap: () => {
          this.gapCount += 1;
        },
      });
      this.#books.set(key, book);
    }
    this.seats.push(new Seat(this, book, name));
  }

  follow({ kind, symbol }: BookName, hear: (news: BookNews) => void) {
    this.#hearers.set(`${STAGE_SUBJECTS.live}.${kind}.${symbol}`, hear);
    return { stop() {} };
  }

  watchReturns(returned: () => void) {
    this.#returns.add(returned);
    return { stop() {} };
  }

  ask({ kind, symbol }: BookName, done: (answer: BookAnswer | undefined) => void): void {
    const { network, time } = this.stage;
    const replyTo = `inbox.${this.#inboxes.size}`;
    const subject = `${STAGE_SUBJECTS.ask}.${BOOK_WORDS.questions[kind]}.${symbol}`;
    let isOver = false;
    const end = (answer: BookAnswer | undefined): void => {
      if (!isOver) done(answer);
      isOver = true;
    };
    time.after(200, () => end(undefined));
    this.#inboxes.set(replyTo, (payload, headers) => {
      end(payload === '' ? undefined : { frame: Number(headers['Rialto-Frame']), payload });
    });
    if (!this.#isCut) askFeed(network, { subject, payload: '', replyTo });
  }

  /** As a gateway does every few seconds. */
  sayInterest(): void {
    const of = (kind: BookKind) => [
      ...new Set(this.seats.filter((seat) => seat.kind === kind).map(({ symbol }) => symbol)),
    ];
    const payload = JSON.stringify({ l2: of('l2'), l3: of('l3') });
    const subject = `${STAGE_SUBJECTS.ask}.${BOOK_WORDS.interest}`;
    if (!this.#isCut) askFeed(this.stage.network, { subject, payload, replyTo: '' });
  }

  /** The gateway's own connection. */
  cut(): void {
    this.#isCut = true;
  }

  mend(): void {
    this.#isCut = false;
    for (const returned of this.#returns) returned();
  }

  /** What the client has is the engine's book after the frame that it names. */
  compare({ client, kind, symbol }: Seat, frame = client.sequence): void {
    this.books.compare(client, { kind, symbol, frame: frame ?? 0 });
  }

  /** At the end nobody is behind, also if nobody noticed anything. */
  compareWithEnd(): void {
    const last = this.stage.frames.at(-1)!.sequence;
    for (const seat of this.seats) this.compare(seat, last);
  }

  #hear(subject: string, payload: string, headers: Headers): void {
    if (this.#isCut) return;
    const inbox = this.#inboxes.get(subject);
    if (inbox !== undefined) {
      inbox(payload, headers);
      return;
    }
    if (subject === `${STAGE_SUBJECTS.live}.${BOOK_WORDS.begun}`) this.sayInterest();
    const hear = this.#hearers.get(subject);
    if (hear === undefined) return;
    const [frame, previous] = [headers['Rialto-Frame'], headers['Rialto-Previous']].map(Number);
    const { random, time } = this.stage;
    const { doubled, late, lost } = this.#trouble;
    if (random.chance(lost)) return;
    if (random.chance(doubled)) hear({ frame, previous, payload });
    if (random.chance(late)) time.after(random.below(80), () => hear({ frame, previous, payload }));
    else hear({ frame, previous, payload });
  }
}

type Headers = Readonly<Record<string, string>>;

interface Run {
  readonly flow: FlowName;
  readonly seed: number;
  readonly network?: Trouble;
  /** Something goes wrong, or comes right, after a message of EVENTS. */
  readonly disturb?: (desk: Desk) => void;
}

function run({ disturb = () => {}, flow, network = NO_TROUBLE, seed }: Run): Desk {
  const desk = new Desk(seed, network);
  const { stage } = desk;
  stage.start();
  stage.pass(100);
  const interest = (): void => {
    stage.time.after(3_000, interest);
    desk.sayInterest();
  };
  interest();
  const trouble = (): void => {
    // Followers come at any moment.
    if (desk.seats.length < 12 && stage.random.chance(15) && desk.books.markets.length > 0) {
      const { symbol } = desk.books.markets[stage.random.below(desk.books.markets.length)];
      desk.sit({ kind: stage.random.chance(50) ? 'l2' : 'l3', symbol });
    }
    disturb(desk);
  };
  stage.runFlow(flow, trouble, {
    commands: 3_000,
    see: (frame) => desk.books.see(frame, stage.engine),
  });
  stage.pass(15_000);
  for (const seat of desk.seats) seat.drain();
  desk.compareWithEnd();
  assert.ok(desk.seats.length > 5);
  return desk;
}

function sum(desk: Desk, of: (client: LevelClient) => number): number {
  return desk.seats.reduce((total, { client }) => total + of(client), 0);
}

for (const flow of ['calm', 'cancelling', 'flash-crash', 'thin-pairs', 'adversarial'] as const) {
  test(`followed from any moment of the ${flow} flow, a book is the engine's`, () => {
    const desk = run({ flow, seed: 1 });
    assert.ok(sum(desk, ({ updateCount }) => updateCount) > 100);
    // One whole for each, and no more.
    assert.equal(
      sum(desk, ({ snapshotCount }) => snapshotCount),
      desk.seats.length,
    );
    assert.equal(desk.gapCount, 0);
  });
}

const troubles: [title: string, trouble: Trouble, hasGaps: boolean][] = [
  ['lost', { ...NO_TROUBLE, lost: 20 }, true],
  ['doubled', { ...NO_TROUBLE, doubled: 30 }, false],
  ['late and in another order', { ...NO_TROUBLE, late: 30 }, true],
  ['lost, doubled and late', { lost: 10, doubled: 10, late: 20 }, true],
];

for (const [title, trouble, hasGaps] of troubles) {
  test(`what the publisher says is ${title}: nobody keeps a wrong book`, () => {
    for (const flow of ['calm', 'thin-pairs'] as const) {
      const desk = run({ flow, seed: 3, network: trouble });
      assert.equal(desk.gapCount > 0, hasGaps);
      const snapshots = sum(desk, ({ snapshotCount }) => snapshotCount);
      assert.equal(snapshots > desk.seats.length, hasGaps);
    }
  });
}

test('the publisher is killed and starts again: nobody keeps a wrong book', () => {
  let crashes = 0;
  const desk = run({
    flow: 'thin-pairs',
    seed: 4,
    disturb({ stage }) {
      if (!stage.random.chance(5)) return;
      crashes += 1;
      stage.crash();
      stage.pass(stage.random.below(100));
      stage.start();
    },
  });
  assert.ok(crashes > 5 && sum(desk, ({ updateCount }) => updateCount) > 100);
});

test('the publisher loses its connection now and then: nobody keeps a wrong book', () => {
  run({
    flow: 'calm',
    seed: 5,
    disturb({ stage }) {
      if (!stage.random.chance(5)) return;
      stage.feed?.lose();
      stage.pass(stage.random.below(300));
      stage.feed?.regain();
    },
  });
});

test('the gateway loses its connection now and then: nobody keeps a wrong book', () => {
  run({
    flow: 'calm',
    seed: 6,
    disturb(desk) {
      if (!desk.stage.random.chance(5)) return;
      desk.cut();
      desk.stage.pass(desk.stage.random.below(300));
      desk.mend();
    },
  });
});

test('a slow socket gets a whole instead of what it missed', () => {
  const desk = run({
    flow: 'calm',
    seed: 7,
    disturb({ seats, stage }) {
      for (const seat of seats) {
        if (seat.isFull) {
          if (stage.random.chance(20)) seat.drain();
        } else seat.isFull = stage.random.chance(5);
      }
    },
  });
  assert.ok(sum(desk, ({ snapshotCount }) => snapshotCount) > 2 * desk.seats.length);
  assert.equal(desk.gapCount, 0);
});

test('who is not interested any more is forgotten', () => {
  const desk = new Desk(8, NO_TROUBLE);
  const { stage } = desk;
  stage.start();
  stage.pass(100);
  stage.runFlow('calm', () => {}, { see: (frame) => desk.books.see(frame, stage.engine) });
  stage.pass(1_000);
  const { market, symbol } = desk.books.markets[0];
  desk.sit({ kind: 'l3', symbol });
  stage.pass(1_000);
  const { orders } = stage.publisher!.state!.data;
  assert.ok([...orders.restingOrders(market as never)].length > 0);
  // The book asks again when it hears nothing; cut off, it can not.
  desk.cut();
  stage.pass(15_000);
  assert.throws(() => orders.restingOrders(market as never), /known of followed markets/);
});
