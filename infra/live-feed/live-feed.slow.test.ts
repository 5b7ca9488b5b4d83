// The copy of all public data on real servers: complete after its start, and complete again after
// any loss.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { headers } from '@nats-io/transport-node';
import { startNatsForTest } from '../../testing/nats/nats-for-test.ts';
import { until } from '../../tools/services/wait-until.ts';
import type { Nats } from '../bus/index.ts';
import { systemClock } from '../process/index.ts';
import { FRAME_HEADER, feedSubjects } from './feed-subjects.ts';
import { type FeedChange, LiveFeed } from './live-feed.ts';

const SUBJECTS = feedSubjects('rialto');
// A loaded machine answers late; this test does not measure speed.
const PATIENCE_MS = 30_000;

/** Returns the name of the stream's leader. */
async function makeStream({ client }: Nats): Promise<string | undefined> {
  const config = {
    name: SUBJECTS.stream,
    subjects: [`${SUBJECTS.feed}.>`],
    num_replicas: 1,
    storage: 'memory',
    max_msgs_per_subject: 1,
    allow_direct: true,
  };
  const api = `$JS.API.STREAM.CREATE.${SUBJECTS.stream}`;
  const answer = await client.request(api, JSON.stringify(config), { timeout: PATIENCE_MS });
  const { cluster, error } = answer.json<{ error?: unknown; cluster?: { leader?: string } }>();
  assert.equal(error, undefined);
  return cluster?.leader;
}

/** Like the publisher: acknowledged by the stream. */
async function keep(
  { client }: Nats,
  value: { name: string; frame: number; text: string },
): Promise<void> {
  const made = headers();
  made.set(FRAME_HEADER, String(value.frame));
  const options = { headers: made, timeout: PATIENCE_MS };
  const subject = `${SUBJECTS.feed}.${value.name}`;
  const answer = await client.request(subject, value.text, options);
  assert.equal(answer.json<{ stream?: string }>().stream, SUBJECTS.stream);
}

function follow(context: TestContext, nats: Nats, readAgainAfterMs?: number) {
  const changes: FeedChange[] = [];
  const feed = new LiveFeed({
    nats,
    exchange: 'rialto',
    clock: systemClock,
    onChange: (change: FeedChange) => changes.push(change),
    ...(readAgainAfterMs === undefined ? {} : { readAgainAfterMs }),
  });
  context.after(() => feed.close());
  return { feed, changes };
}

test('the feed waits for the stream, and an empty stream is complete', async (context) => {
  const { connect } = await startNatsForTest(context, { nodes: 1 });
  const [nats, writer] = [await connect(), await connect()];
  const { feed } = follow(context, nats);
  const started = feed.start();
  assert.equal(feed.isLive, false);
  await makeStream(writer);
  await started;
  assert.equal(feed.isLive, true);
  assert.equal(feed.all('book').size, 0);
});

test('the feed has every last value after its start, and each later one', async (context) => {
  const { connect } = await startNatsForTest(context, { nodes: 1 });
  const [nats, writer] = [await connect(), await connect()];
  await makeStream(writer);
  // Large enough for flow control: some 8 MB.
  const long = `"${'x'.repeat(40_000)}"`;
  const symbols = Array.from({ length: 200 }, (_, index) => `a${index}-usdt`);
  for (const symbol of symbols) {
    await keep(writer, { name: `depth.${symbol}`, frame: 1, text: '"replaced"' });
    await keep(writer, { name: `depth.${symbol}`, frame: 2, text: long });
  }
  const { changes, feed } = follow(context, nats);
  await feed.start();
  assert.equal(feed.isLive, true);
  assert.deepEqual([...feed.all('depth').keys()].sort(), [...symbols].sort());
  for (const { frame, text } of feed.all('depth').values()) {
    assert.ok(frame === 2 && text === long);
  }
  await keep(writer, { name: 'depth.a7-usdt', frame: 3, text: '"newer"' });
  await until('the newer value is there', () => feed.get('depth', 'a7-usdt')?.frame === 3);
  assert.deepEqual(changes.at(-1), {
    kind: 'depth',
    symbol: 'a7-usdt',
    value: feed.get('depth', 'a7-usdt'),
  });
  assert.equal(changes.length, 201);
});

test('reading completes even while values change all the time', async (context) => {
  const { connect } = await startNatsForTest(context, { nodes: 1 });
  const [nats, writer] = [await connect(), await connect()];
  await makeStream(writer);
  const symbols = Array.from({ length: 50 }, (_, index) => `a${index}-usdt`);
  const sent = new Map<string, number>();
  let frame = 0;
  let isOver = false;
  const put = async (symbol: string) => {
    frame += 1;
    sent.set(symbol, frame);
    await keep(writer, { name: `book.${symbol}`, frame, text: String(frame) });
  };
  for (const symbol of symbols) await put(symbol);
  const writing = (async () => {
    for (let at = 0; !isOver; at += 1) await put(symbols[(at * 7) % symbols.length]);
  })();
  const { feed } = follow(context, nats, 20);
  await feed.start();
  assert.equal(feed.all('book').size, symbols.length);
  await until('much has happened', () => frame > 1_000);
  isOver = true;
  await writing;
  const isEqual = () =>
    symbols.every((symbol) => feed.get('book', symbol)?.frame === sent.get(symbol));
  await until('it has the last of each', isEqual);
});

test('values published during a disconnect are read afterwards', async (context) => {
  const { connect, servers } = await startNatsForTest(context, { nodes: 3 });
  const leader = await makeStream(await connect());
  const home = servers.nodes.find(({ name }) => name !== leader);
  const other = servers.nodes.find(({ name }) => name === leader);
  assert.ok(home !== undefined && other !== undefined);
  // Each knows one server only, so neither fails over.
  const [nats, writer] = [await connect([home.url]), await connect([other.url])];
  await keep(writer, { name: 'ticker.btc-usdt', frame: 1, text: '"first"' });
  const { feed } = follow(context, nats);
  await feed.start();
  assert.equal(feed.get('ticker', 'btc-usdt')?.text, '"first"');
  await home.kill('SIGSTOP');
  await until('the loss is noticed', () => !feed.isLive);
  assert.equal(feed.get('ticker', 'btc-usdt')?.text, '"first"');
  // The same frame: only the window has moved.
  await keep(writer, { name: 'ticker.btc-usdt', frame: 1, text: '"moved"' });
  await keep(writer, { name: 'ticker.eth-usdt', frame: 2, text: '"new"' });
  await home.kill('SIGCONT');
  await until('it is live again', () => feed.isLive);
  assert.equal(feed.get('ticker', 'btc-usdt')?.text, '"moved"');
  assert.equal(feed.get('ticker', 'eth-usdt')?.text, '"new"');
});
