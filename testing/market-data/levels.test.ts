// Full books from the publisher through a gateway to a client, in virtual time. After every
// message, the client's book equals the engine's at the named frame, regardless of losses.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BOOK_SUBJECTS, type BookKind } from '../../infra/live-feed/index.ts';
import type { Frame } from '../../services/gateway-websocket/frame.ts';
import type {
  BookAnswer,
  BookChange,
  BookLink,
  BookName,
} from '../../services/gateway-websocket/levels/book-link.ts';
import { LevelBook } from '../../services/gateway-websocket/levels/level-book.ts';
import { OrderQueues } from '../../services/gateway-websocket/levels/order-queues.ts';
import { SyncedBook } from '../../services/gateway-websocket/levels/synced-book.ts';
import type { ChannelSubscription } from '../../services/gateway-websocket/topic.ts';
import type { FlowName } from '../flows/index.ts';
import { EngineBooks } from './engine-books.ts';
import { askFeed } from './fake-feed.ts';
import { LevelClient, textsIn } from './level-client.ts';
import { PublisherStage, STAGE_SUBJECTS } from './publisher-stage.ts';

const TOPICS: Record<BookKind, string> = { l2: 'orderbook_l2', l3: 'orders_l3' };

/** Percentages of the publisher's book messages. */
interface NetworkFaults {
  readonly lost: number;
  readonly doubled: number;
  readonly late: number;
}

const NO_FAULTS: NetworkFaults = { lost: 0, doubled: 0, late: 0 };

/** A socket with a subscription to one book, and its client. */
class BookSubscriber {
  readonly client = new LevelClient();
  readonly book: SyncedBook;
  readonly kind: BookKind;
  readonly symbol: string;
  readonly subscription: ChannelSubscription;
  /** Whether the socket accepts nothing and has dropped a frame. */
  isFull = false;
  isStale = false;

  constructor(gateway: GatewayBooks, book: SyncedBook, { kind, symbol }: BookName) {
    this.book = book;
    this.kind = kind;
    this.symbol = symbol;
    const send = (frame: Frame): boolean => {
      if (this.isFull || this.isStale) {
        this.isStale = true;
        return false;
      }
      for (const text of textsIn(frame.bytes)) {
        this.client.receive(text);
        gateway.compare(this);
      }
      return true;
    };
    const subscriber = {
      id: 1,
      caller: undefined,
      isOpen: true,
      watchClose: () => ({ stop() {} }),
    };
    const channel = `${TOPICS[kind]}:${symbol}`;
    this.subscription = { subscriber, channel, symbol, fields: {}, send, sendOrClose() {} };
    book.subscribe(this.subscription);
  }

  drain(): void {
    this.isFull = false;
    if (!this.isStale) return;
    this.isStale = false;
    this.book.refresh(this.subscription);
  }
}

/** A gateway's books on a simulated network, and the engine's books after every frame. */
class GatewayBooks implements BookLink {
  readonly stage: PublisherStage;
  readonly subscribers: BookSubscriber[] = [];
  readonly books = new EngineBooks();
  gapCount = 0;
  readonly #faults: NetworkFaults;
  readonly #books = new Map<string, SyncedBook>();
  readonly #receivers = new Map<string, (change: BookChange) => void>();
  readonly #returns = new Set<() => void>();
  readonly #inboxes = new Map<string, (payload: string, headers: Headers) => void>();
  #isCut = false;

  constructor(seed: number, faults: NetworkFaults) {
    this.#faults = faults;
    this.stage = new PublisherStage(seed, 0, (subject, payload, headers) => {
      this.#receive(subject, payload, headers);
    });
  }

  subscribeTo(name: BookName): void {
    const key = `${name.kind}.${name.symbol}`;
    let book = this.#books.get(key);
    if (book === undefined) {
      book = new SyncedBook({
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
    this.subscribers.push(new BookSubscriber(this, book, name));
  }

  subscribe({ kind, symbol }: BookName, receive: (change: BookChange) => void) {
    this.#receivers.set(`${STAGE_SUBJECTS.live}.${kind}.${symbol}`, receive);
    return { stop() {} };
  }

  watchReturns(returned: () => void) {
    this.#returns.add(returned);
    return { stop() {} };
  }

  ask({ kind, symbol }: BookName, done: (answer: BookAnswer | undefined) => void): void {
    const { network, time } = this.stage;
    const replyTo = `inbox.${this.#inboxes.size}`;
    const subject = `${STAGE_SUBJECTS.ask}.${BOOK_SUBJECTS.questions[kind]}.${symbol}`;
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

  /** Renews interest, like a gateway does every few seconds. */
  sayInterest(): void {
    const of = (kind: BookKind) => [
      ...new Set(
        this.subscribers
          .filter((subscriber) => subscriber.kind === kind)
          .map(({ symbol }) => symbol),
      ),
    ];
    const payload = JSON.stringify({ l2: of('l2'), l3: of('l3') });
    const subject = `${STAGE_SUBJECTS.ask}.${BOOK_SUBJECTS.interest}`;
    if (!this.#isCut) askFeed(this.stage.network, { subject, payload, replyTo: '' });
  }

  /** Cuts the gateway's own connection. */
  cut(): void {
    this.#isCut = true;
  }

  mend(): void {
    this.#isCut = false;
    for (const returned of this.#returns) returned();
  }

  /** Checks that the client's book equals the engine's after the named frame. */
  compare({ client, kind, symbol }: BookSubscriber, frame = client.sequence): void {
    this.books.compare(client, { kind, symbol, frame: frame ?? 0 });
  }

  /** At the end every client must be up to date, even if none has noticed a gap. */
  compareWithEnd(): void {
    const last = this.stage.frames.at(-1)!.sequence;
    for (const subscriber of this.subscribers) this.compare(subscriber, last);
  }

  #receive(subject: string, payload: string, headers: Headers): void {
    if (this.#isCut) return;
    const inbox = this.#inboxes.get(subject);
    if (inbox !== undefined) {
      inbox(payload, headers);
      return;
    }
    if (subject === `${STAGE_SUBJECTS.live}.${BOOK_SUBJECTS.begun}`) this.sayInterest();
    const receive = this.#receivers.get(subject);
    if (receive === undefined) return;
    const [frame, previous] = [headers['Rialto-Frame'], headers['Rialto-Previous']].map(Number);
    const { random, time } = this.stage;
    const { doubled, late, lost } = this.#faults;
    if (random.chance(lost)) return;
    if (random.chance(doubled)) receive({ frame, previous, payload });
    if (random.chance(late))
      time.after(random.below(80), () => receive({ frame, previous, payload }));
    else receive({ frame, previous, payload });
  }
}

type Headers = Readonly<Record<string, string>>;

interface Run {
  readonly flow: FlowName;
  readonly seed: number;
  readonly network?: NetworkFaults;
  /** Called after an EVENTS message. Starts or ends a fault. */
  readonly disturb?: (gateway: GatewayBooks) => void;
}

function run({ disturb = () => {}, flow, network = NO_FAULTS, seed }: Run): GatewayBooks {
  const gateway = new GatewayBooks(seed, network);
  const { stage } = gateway;
  stage.start();
  stage.pass(100);
  const interest = (): void => {
    stage.time.after(3_000, interest);
    gateway.sayInterest();
  };
  interest();
  const faults = (): void => {
    // Subscribers arrive at any moment.
    if (
      gateway.subscribers.length < 12 &&
      stage.random.chance(15) &&
      gateway.books.markets.length > 0
    ) {
      const { symbol } = gateway.books.markets[stage.random.below(gateway.books.markets.length)];
      gateway.subscribeTo({ kind: stage.random.chance(50) ? 'l2' : 'l3', symbol });
    }
    disturb(gateway);
  };
  stage.runFlow(flow, faults, {
    commands: 3_000,
    see: (frame) => gateway.books.apply(frame, stage.engine),
  });
  stage.pass(15_000);
  for (const subscriber of gateway.subscribers) subscriber.drain();
  gateway.compareWithEnd();
  assert.ok(gateway.subscribers.length > 5);
  return gateway;
}

function sum(gateway: GatewayBooks, of: (client: LevelClient) => number): number {
  return gateway.subscribers.reduce((total, { client }) => total + of(client), 0);
}

for (const flow of ['calm', 'cancelling', 'flash-crash', 'thin-pairs', 'adversarial'] as const) {
  test(`subscribed at any moment of the ${flow} flow, a book equals the engine's`, () => {
    const gateway = run({ flow, seed: 1 });
    assert.ok(sum(gateway, ({ updateCount }) => updateCount) > 100);
    // Exactly one full book each.
    assert.equal(
      sum(gateway, ({ snapshotCount }) => snapshotCount),
      gateway.subscribers.length,
    );
    assert.equal(gateway.gapCount, 0);
  });
}

const troubles: [title: string, faults: NetworkFaults, hasGaps: boolean][] = [
  ['lost', { ...NO_FAULTS, lost: 20 }, true],
  ['doubled', { ...NO_FAULTS, doubled: 30 }, false],
  ['late and in another order', { ...NO_FAULTS, late: 30 }, true],
  ['lost, doubled and late', { lost: 10, doubled: 10, late: 20 }, true],
];

for (const [title, faults, hasGaps] of troubles) {
  test(`with book messages ${title}, no client keeps a wrong book`, () => {
    for (const flow of ['calm', 'thin-pairs'] as const) {
      const gateway = run({ flow, seed: 3, network: faults });
      assert.equal(gateway.gapCount > 0, hasGaps);
      const snapshots = sum(gateway, ({ snapshotCount }) => snapshotCount);
      assert.equal(snapshots > gateway.subscribers.length, hasGaps);
    }
  });
}

test('with a killed and restarted publisher, no client keeps a wrong book', () => {
  let crashes = 0;
  const gateway = run({
    flow: 'thin-pairs',
    seed: 5,
    disturb({ stage }) {
      if (!stage.random.chance(5)) return;
      crashes += 1;
      stage.crash();
      stage.pass(stage.random.below(100));
      stage.start();
    },
  });
  assert.ok(crashes > 5 && sum(gateway, ({ updateCount }) => updateCount) > 100);
});

test('with a publisher that disconnects at times, no client keeps a wrong book', () => {
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

test('with a gateway that disconnects at times, no client keeps a wrong book', () => {
  run({
    flow: 'calm',
    seed: 6,
    disturb(gateway) {
      if (!gateway.stage.random.chance(5)) return;
      gateway.cut();
      gateway.stage.pass(gateway.stage.random.below(300));
      gateway.mend();
    },
  });
});

test('a slow socket gets a full book instead of the missed updates', () => {
  const gateway = run({
    flow: 'calm',
    seed: 7,
    disturb({ subscribers, stage }) {
      for (const subscriber of subscribers) {
        if (subscriber.isFull) {
          if (stage.random.chance(20)) subscriber.drain();
        } else subscriber.isFull = stage.random.chance(5);
      }
    },
  });
  assert.ok(sum(gateway, ({ snapshotCount }) => snapshotCount) > 2 * gateway.subscribers.length);
  assert.equal(gateway.gapCount, 0);
});

test('a book without renewed interest is dropped', () => {
  const gateway = new GatewayBooks(8, NO_FAULTS);
  const { stage } = gateway;
  stage.start();
  stage.pass(100);
  stage.runFlow('calm', () => {}, { see: (frame) => gateway.books.apply(frame, stage.engine) });
  stage.pass(1_000);
  const { market, symbol } = gateway.books.markets[0];
  gateway.subscribeTo({ kind: 'l3', symbol });
  stage.pass(1_000);
  const { orders } = stage.publisher!.state!.data;
  assert.ok([...orders.restingOrders(market as never)].length > 0);
  // The book requests data again when it receives nothing. While disconnected, it cannot.
  gateway.cut();
  stage.pass(15_000);
  assert.throws(() => orders.restingOrders(market as never), /tracked markets/);
});
