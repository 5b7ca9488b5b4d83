// Measures a publisher's speed: derivation alone, with checkpoints, and the full publisher on a
// real NATS server. Generates a flow once and copies it into batches like those from a busy
// sequencer.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { MarketData } from '../../core/market-data/index.ts';
import type { EventFrame } from '../../core/messages/index.ts';
import { connectNats } from '../../infra/bus/index.ts';
import {
  decodeEventBatch,
  EventWriter,
  encodeEventBatch,
  JetStreamLog,
  journalNames,
  NO_EVENTS,
  NO_HASH,
} from '../../infra/journal/index.ts';
import { BOOK_KINDS } from '../../infra/live-feed/index.ts';
import { createLogger, createMetrics, systemClock } from '../../infra/process/index.ts';
import { encodeEvents } from '../../infra/replica/index.ts';
import { drive, type FlowName } from '../../testing/flows/index.ts';
import { makeEngine } from '../../testing/properties/tested-exchange.ts';
import { createLogOnce } from '../../tools/create-log/create-log.ts';
import { startNats } from '../../tools/services/nats.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import { startPublisher } from './app.ts';
import { takeBookChanges, trackBook } from './book-json.ts';
import { publisherConfig } from './config.ts';
import { FeedState } from './feed-state.ts';
import { watchPublisher } from './telemetry.ts';

const FRAMES_PER_BATCH = 20;

export async function run({ quick }: { quick: boolean }): Promise<Record<string, unknown>> {
  const commands = quick ? 20_000 : 200_000;
  const results: Record<string, unknown> = {};
  for (const flow of ['calm', 'cancelling', 'thin-pairs'] as const) {
    const frames = framesOf(flow, commands);
    results[flow] = {
      ...deriveMarketData(frames),
      ...trackBooks(frames),
      ...derive(frames),
    };
    console.log(flow, results[flow]);
  }
  results.wholeCalm = await publish(framesOf('calm', commands));
  return results;
}

function framesOf(flow: FlowName, commands: number): EventFrame[] {
  const { apply } = makeEngine();
  return [...drive({ flow, seed: 1, commands, apply })].map(({ seen }) => seen);
}

function deriveMarketData(frames: readonly EventFrame[]): Record<string, number> {
  const data = new MarketData();
  const cpuBefore = process.cpuUsage();
  let eventCount = 0;
  for (const { events, timeMs } of frames) {
    for (const event of events) data.apply(event, timeMs);
    for (const _ of data.takeChanges());
    eventCount += events.length;
  }
  const { system, user } = process.cpuUsage(cpuBefore);
  const seconds = (system + user) / 1e6;
  return { marketDataEventsPerProcessorSecond: Math.round(eventCount / seconds) };
}

/** Tracks every book, and takes changes after every frame. */
function trackBooks(frames: readonly EventFrame[]): Record<string, number> {
  const results: Record<string, number> = {};
  for (const kind of BOOK_KINDS) {
    const data = new MarketData();
    const cpuBefore = process.cpuUsage();
    let [eventCount, bytes] = [0, 0];
    for (const { events, timeMs } of frames) {
      for (const event of events) data.apply(event, timeMs);
      eventCount += events.length;
      for (const { market } of data.takeChanges()) {
        const { market: id } = market.listed;
        trackBook(data.orders, kind, id);
        bytes += takeBookChanges(data.orders, kind, { market: id, timeMs })?.length ?? 0;
      }
    }
    const { system, user } = process.cpuUsage(cpuBefore);
    const seconds = (system + user) / 1e6;
    results[`${kind}EventsPerProcessorSecond`] = Math.round(eventCount / seconds);
    results[`${kind}BytesPerEvent`] = Math.round(bytes / eventCount);
  }
  return results;
}

function derive(frames: readonly EventFrame[]): Record<string, number> {
  const messages = batchesOf(frames);
  const state = FeedState.create();
  let [payloads, bytes] = [0, 0];
  const cpuBefore = process.cpuUsage();
  const startMs = performance.now();
  messages.forEach((message, at) => {
    state.apply(decodeEventBatch(message), at + 1, (messages) => {
      payloads += messages.length;
      for (const { payload } of messages) bytes += payload.length;
    });
    for (const _ of state.takeChanges());
  });
  const seconds = (performance.now() - startMs) / 1_000;
  const { system, user } = process.cpuUsage(cpuBefore);
  const savedMs = performance.now();
  const chunks = state.save();
  const checkpointMs = Math.round(performance.now() - savedMs);
  return {
    framesPerSecond: Math.round(frames.length / seconds),
    eventsPerSecond: Math.round(state.eventsApplied / seconds),
    // More meaningful on a shared machine.
    eventsPerProcessorSecond: Math.round(state.eventsApplied / ((system + user) / 1e6)),
    privateMessagesPerSecond: Math.round(payloads / seconds),
    privateMegabytesPerSecond: Math.round(bytes / seconds / 1e6),
    openOrders: state.data.orders.count,
    checkpointMs,
    checkpointBytes: chunks.reduce((sum, { length }) => sum + length, 0),
  };
}

function batchesOf(frames: readonly EventFrame[]): Uint8Array[] {
  const batches: Uint8Array[] = [];
  let hash = NO_HASH;
  for (let at = 0; at < frames.length; at += FRAMES_PER_BATCH) {
    const some = frames.slice(at, at + FRAMES_PER_BATCH);
    const batch = encodeEventBatch(
      hash,
      some.flatMap((frame) => encodeEvents(frame).parts),
    );
    hash = batch.hash;
    batches.push(batch.message);
  }
  return batches;
}

/**
 * On a real server, with the publisher in this process: from a full EVENTS log to the last
 * acknowledgment.
 */
async function publish(frames: readonly EventFrame[]): Promise<Record<string, number>> {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-bench-'));
  const servers = await startNats({ folder, nodes: 1 });
  const nats = await connectNats({ urls: servers.urls, name: 'bench' });
  const log = createLogger({ service: 'publisher', instance: 'bench', level: 'warn' });
  const config = publisherConfig({
    RIALTO_MODE: 'development',
    RIALTO_REPLICAS: '1',
    RIALTO_LOG_LEVEL: 'warn',
    RIALTO_NATS_URLS: servers.urls.join(),
  });
  try {
    const { exchange } = config;
    await createLogOnce(nats, { exchange });
    const counts = { published: 0, stored: 0 };
    const app = await startPublisher({
      config,
      log,
      onFault: (reason, cause) => {
        throw new Error(reason, { cause });
      },
      watch: () => ({
        ...watchPublisher(log, createMetrics()),
        published: (count) => {
          counts.published += count;
        },
        stored: () => {
          counts.stored += 1;
        },
      }),
    });
    const live = {
      what: 'live',
      timeoutMs: 30_000,
      question: () => app.publisher?.isLive === true,
    };
    await waitUntil(live);
    const writer = new EventWriter({
      gapMs: 0,
      log: new JetStreamLog({ nats, ...journalNames(exchange).events }),
      clock: systemClock,
      retryMs: 50,
      end: NO_EVENTS,
      onStored: () => {},
      onFault: (reason) => {
        throw new Error(reason);
      },
    });
    const startMs = performance.now();
    for (const frame of frames) writer.push(encodeEvents(frame).parts);
    const last = frames[frames.length - 1].sequence;
    while ((app.publisher?.delivered.frame ?? 0) < last) await turn();
    const seconds = (performance.now() - startMs) / 1_000;
    await app.stop();
    return {
      framesPerSecond: Math.round(frames.length / seconds),
      saidPerSecond: Math.round(counts.published / seconds),
      keptPerSecond: Math.round(counts.stored / seconds),
    };
  } finally {
    await nats.close();
    await servers.stop();
    rmSync(folder, { recursive: true });
  }
}
