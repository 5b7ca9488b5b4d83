// Publisher processes on real NATS, killed at random moments while events arrive. Compares a
// subscriber that drops repeats by frame and index with naive computations of everything.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { EventFrame } from '../../core/messages/index.ts';
import type { Nats } from '../../infra/bus/index.ts';
import { FRAME_HEADER, feedSubjects, TRADE_HEADER } from '../../infra/live-feed/index.ts';
import { chosenSeed, Random } from '../../testing/flows/index.ts';
import { FeedProbe } from '../../testing/market-data/feed-probe.ts';
import { expectedEntryCount, judgeFeed } from '../../testing/market-data/judge-feed.ts';
import {
  DEPTH_LEVELS,
  feedFlow,
  openEvents,
  PATIENCE_MS,
  PublisherProcess,
} from '../../testing/market-data/publisher-process.ts';
import { type NatsForTest, startNatsForTest } from '../../testing/nats/nats-for-test.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';

// A loaded machine responds late; this test does not measure speed.
const PATIENT = { timeout: 30_000 };

const KILLS = 24;
const SUBJECTS = feedSubjects('rialto');

/** Prepares EVENTS with a writer, and a subscriber to everything. */
async function prepare(servers: NatsForTest) {
  const [writing, hearing] = [await servers.connect(), await servers.connect()];
  const writer = await openEvents(writing);
  const probe = new FeedProbe();
  const client = hearing.client;
  client.subscribe(`${SUBJECTS.private}.*`, {
    callback: (_, message) => probe.onPrivate(message.string()),
  });
  client.subscribe(`${SUBJECTS.live}.trades.*`, {
    callback: (_, message) => {
      const symbol = message.subject.split('.')[3];
      probe.onTrades(symbol, message.headers?.get(TRADE_HEADER) ?? '', message.string());
    },
  });
  await client.flush();
  return { writer, probe, hearing };
}

type Stored = { message?: { data: string; hdrs?: string; subject: string } };

/** Returns all last values now in the stream. */
async function readValues({ client }: Nats, probe: FeedProbe): Promise<void> {
  probe.values.clear();
  const api = `$JS.API.STREAM.MSG.GET.${SUBJECTS.stream}`;
  for (let seq = 1; ; seq += 1) {
    const body = JSON.stringify({ seq, next_by_subj: `${SUBJECTS.feed}.>` });
    const { message } = (await client.request(api, body, PATIENT)).json<Stored & { seq: number }>();
    if (message === undefined) return;
    const found = message as typeof message & { seq: number };
    seq = found.seq;
    const headers = Buffer.from(found.hdrs ?? '', 'base64').toString();
    const frame = Number(new RegExp(`${FRAME_HEADER}: (\\d+)`).exec(headers)?.[1]);
    const name = found.subject.slice(SUBJECTS.feed.length + 1);
    probe.onValue(name, frame, Buffer.from(found.data, 'base64').toString());
  }
}

async function waitUntilReceived(probe: FeedProbe, frames: readonly EventFrame[]): Promise<void> {
  const count = expectedEntryCount(frames);
  const question = () => probe.entryCount >= count;
  await waitUntil({ what: `all ${count} entries are received`, timeoutMs: PATIENCE_MS, question });
}

async function waitUntilJudged(judge: () => Promise<void>): Promise<void> {
  let fault: unknown;
  const question = () =>
    judge().then(
      () => true,
      (found) => {
        fault = found;
        return false;
      },
    );
  await waitUntil({ what: 'everything is as expected', timeoutMs: 30_000, question }).catch(() => {
    throw fault;
  });
}

test(`killed ${KILLS} times, it loses nothing and ends with correct data`, async (context) => {
  const servers = await startNatsForTest(context, { nodes: 1 });
  const { urls } = servers.servers;
  const { probe, hearing, writer } = await prepare(servers);
  const seed = chosenSeed();
  context.diagnostic(`seed ${seed}`);
  const random = new Random(seed);

  let program = new PublisherProcess(context, urls);
  await program.waitFor('publisher started');
  let kills = 0;
  const isEnough = () => kills >= KILLS;
  const feeding = feedFlow(writer, { flow: 'thin-pairs', seed, pauseMs: 25, isEnough });
  let [liveKills, checkpointStarts] = [0, 0];
  for (; kills < KILLS; kills += 1) {
    // Some are killed while they start or catch up, most while they work.
    if (random.chance(75)) await program.waitFor('publisher caught up');
    await delay(random.below(700));
    if (program.output.includes('publisher caught up')) liveKills += 1;
    if (/"from":(?!1,)/.test(program.output)) checkpointStarts += 1;
    await program.end('SIGKILL');
    program = new PublisherProcess(context, urls);
  }
  const { exchange, frames } = await feeding;
  await program.waitFor('publisher caught up');
  await waitUntilReceived(probe, frames);
  await waitUntilJudged(async () => {
    await readValues(hearing, probe);
    judgeFeed({ probe, exchange, frames, depthLevels: DEPTH_LEVELS });
  });
  const { messageCount, repeatCount } = probe;
  const text = `${frames.length} frames, ${messageCount} private messages, ${repeatCount} repeats`;
  context.diagnostic(
    `${text}, ${liveKills} kills while live, ${checkpointStarts} starts from a checkpoint`,
  );
  assert.ok(liveKills >= KILLS / 2 && checkpointStarts > 0);

  // An orderly shutdown leaves nothing to repeat.
  assert.equal(await program.end('SIGTERM'), 0, program.output);
  program = new PublisherProcess(context, urls);
  await program.waitFor('publisher caught up');
  await hearing.client.flush();
  assert.equal(probe.messageCount, messageCount);
  await program.end('SIGTERM');
});

test('servers that restart with empty memory get all last values again', async (context) => {
  const servers = await startNatsForTest(context, { nodes: 1 });
  const { probe, hearing, writer } = await prepare(servers);
  const program = new PublisherProcess(context, servers.servers.urls);
  await program.waitFor('publisher started');
  let isEnough = false;
  const feeding = feedFlow(writer, { flow: 'calm', seed: 3, pauseMs: 2, isEnough: () => isEnough });
  await program.waitFor('publisher caught up');
  await delay(1_000);
  isEnough = true;
  const { exchange, frames } = await feeding;
  await waitUntilReceived(probe, frames);

  await servers.servers.nodes[0].kill('SIGKILL');
  await servers.servers.nodes[0].start();
  // An earlier request would be lost, and its response never arrive.
  const question = () => hearing.isConnected;
  await waitUntil({ what: 'the subscriber is reconnected', timeoutMs: PATIENCE_MS, question });
  await waitUntilJudged(async () => {
    await readValues(hearing, probe);
    judgeFeed({ probe, exchange, frames, depthLevels: DEPTH_LEVELS });
  });
  await program.end('SIGTERM');
});
