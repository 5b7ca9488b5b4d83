// Full books on real NATS: a gateway's books and their clients, while the publisher is killed and
// restarted. After every message a client has the engine's book at the named frame.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { headers } from '@nats-io/transport-node';
import type { Nats } from '../../infra/bus/index.ts';
import { type BookKind, FRAME_HEADER, PART_HEADER } from '../../infra/live-feed/index.ts';
import { systemClock } from '../../infra/process/index.ts';
import type { BookAnswer } from '../../services/gateway-websocket/levels/book-link.ts';
import { LevelBook } from '../../services/gateway-websocket/levels/level-book.ts';
import { NatsBookLink } from '../../services/gateway-websocket/levels/nats-book-link.ts';
import { OrderQueues } from '../../services/gateway-websocket/levels/order-queues.ts';
import { SyncedBook } from '../../services/gateway-websocket/levels/synced-book.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import { chosenSeed, Random } from '../flows/index.ts';
import { startNatsForTest } from '../nats/nats-for-test.ts';
import { EngineBooks } from './engine-books.ts';
import { LevelClient, textsIn } from './level-client.ts';
import { feedFlow, openEvents, PATIENCE_MS, PublisherProcess } from './publisher-process.ts';

const KILLS = 5;
const TOPICS: Record<BookKind, string> = { l2: 'orderbook_l2', l3: 'orders_l3' };

/** Subscriber to one book of a gateway, with its client. */
class BookSubscriber {
  readonly client = new LevelClient();
  readonly kind: BookKind;
  readonly symbol: string;
  gapCount = 0;
  fault: unknown;

  constructor(
    context: TestContext,
    link: NatsBookLink,
    of: { kind: BookKind; symbol: string; books: EngineBooks },
  ) {
    const { books, kind, symbol } = of;
    this.kind = kind;
    this.symbol = symbol;
    const book = new SyncedBook({
      kind,
      symbol,
      topic: TOPICS[kind],
      link,
      clock: systemClock,
      book: kind === 'l2' ? new LevelBook() : new OrderQueues(),
      onGap: () => {
        this.gapCount += 1;
      },
    });
    context.after(() => book.close());
    book.subscribe({
      subscriber: { id: 1, caller: undefined, isOpen: true, watchClose: () => ({ stop() {} }) },
      channel: '',
      symbol,
      fields: {},
      sendOrClose() {},
      send: ({ bytes }) => {
        try {
          for (const text of textsIn(bytes)) {
            this.client.receive(text);
            books.compare(this.client, { kind, symbol, frame: this.client.sequence! });
          }
        } catch (fault) {
          this.fault ??= fault;
        }
        return true;
      },
    });
  }
}

function openLink(context: TestContext, nats: Nats): NatsBookLink {
  const link = new NatsBookLink({ nats, exchange: 'rialto', clock: systemClock });
  context.after(() => link.close());
  return link;
}

test(`with a publisher killed ${KILLS} times, no client keeps a wrong book`, async (context) => {
  const { connect, servers } = await startNatsForTest(context, { nodes: 1 });
  const writer = await openEvents(await connect());
  const link = openLink(context, await connect());
  const seed = chosenSeed();
  context.diagnostic(`seed ${seed}`);
  const random = new Random(seed);
  const books = new EngineBooks();
  const subscribers: BookSubscriber[] = [];

  let program = new PublisherProcess(context, servers.urls);
  let kills = 0;
  const feeding = feedFlow(writer, {
    flow: 'thin-pairs',
    seed,
    pauseMs: 20,
    isEnough: () => kills >= KILLS,
    see: (frame, exchange) => books.apply(frame, exchange),
  });
  for (; kills < KILLS; kills += 1) {
    await program.waitFor('publisher caught up');
    const { symbol } = books.markets[random.below(books.markets.length)];
    for (const kind of ['l2', 'l3'] as const) {
      subscribers.push(new BookSubscriber(context, link, { kind, symbol, books }));
    }
    await delay(random.below(1_500));
    assert.equal(subscribers.find(({ fault }) => fault !== undefined)?.fault, undefined);
    await program.end('SIGKILL');
    program = new PublisherProcess(context, servers.urls);
  }
  const { frames } = await feeding;
  await program.waitFor('publisher caught up');
  const last = frames.at(-1)!.sequence;
  const isAtEnd = ({ client, kind, symbol }: BookSubscriber): boolean => {
    try {
      books.compare(client, { kind, symbol, frame: last });
      return true;
    } catch {
      return false;
    }
  };
  const question = () => subscribers.every(isAtEnd);
  await waitUntil({ what: 'all have the last book', timeoutMs: PATIENCE_MS, question });
  for (const { fault } of subscribers) assert.equal(fault, undefined);
  const total = (of: (subscriber: BookSubscriber) => number) =>
    subscribers.reduce((sum, subscriber) => sum + of(subscriber), 0);
  const [updates, wholes, gaps] = [
    total(({ client }) => client.updateCount),
    total(({ client }) => client.snapshotCount),
    total(({ gapCount }) => gapCount),
  ];
  context.diagnostic(
    `${frames.length} frames, ${subscribers.length} books, ${updates} updates, ${wholes} wholes, ` +
      `${gaps} gaps`,
  );
  assert.ok(updates > 30 && wholes > subscribers.length && gaps > 0);
  await program.end('SIGTERM');
});

test('a response in parts is joined, and an incomplete response is ignored', async (context) => {
  const { connect } = await startNatsForTest(context, { nodes: 1 });
  const [nats, other] = [await connect(), await connect()];
  const link = openLink(context, nats);
  const ask = (symbol: string) =>
    new Promise<BookAnswer | undefined>((resolve) => link.ask({ kind: 'l2', symbol }, resolve));
  assert.equal(await ask('a-b'), undefined, 'no publisher');

  const parts: Record<string, [frame: string, part: string, payload: string][]> = {
    'a-b': [['7', '1/3', '{"bids"'], ['7', '2/3', ':[],'], ['7', '3/3', '"asks":[]}']],
    'c-d': [['7', '1/3', '{"bids"'], ['7', '3/3', '"asks":[]}']],
    'e-f': [['7', '1/1', '{}']],
  }; // biome-ignore format: rows
  other.client.subscribe('rialto.ask.depth.*', {
    callback: (_, message) => {
      const symbol = message.subject.split('.')[3];
      if (parts[symbol] === undefined) message.respond('');
      for (const [frame, part, payload] of parts[symbol] ?? []) {
        const made = headers();
        made.set(FRAME_HEADER, frame);
        made.set(PART_HEADER, part);
        message.respond(payload, { headers: made });
      }
    },
  });
  await other.client.flush();
  assert.deepEqual(await ask('a-b'), { frame: 7, payload: '{"bids":[],"asks":[]}' });
  assert.equal(await ask('c-d'), undefined, 'a part is missing');
  assert.deepEqual(await ask('e-f'), { frame: 7, payload: '{}' });
  assert.equal(await ask('g-h'), undefined, 'unknown market');
});
