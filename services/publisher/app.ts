// Assembles the publisher process: journal, streams of the feed, publisher, health.

import { NatsBus } from '../../infra/bus/index.ts';
import { openJournal } from '../../infra/journal/index.ts';
import { feedSubjects } from '../../infra/live-feed/index.ts';
import {
  createMetrics,
  type Logger,
  type Metrics,
  systemClock,
} from '../../infra/process/index.ts';
import { sourceOpener } from '../../infra/replica/index.ts';
import { openStatus } from '../../infra/status/index.ts';
import { type PublisherConfig, settingsOf } from './config.ts';
import { feedStream, NatsFeed } from './nats-feed.ts';
import { feedStateStream, NatsFeedStore } from './nats-feed-store.ts';
import { ensureStream } from './nats-streams.ts';
import { PrivateStream } from './private-stream.ts';
import { Publisher, type PublisherWatcher } from './publisher.ts';
import { watchPublisher } from './telemetry.ts';

export interface PublisherApp {
  readonly publisher: Publisher;
  readonly healthPort: number;
  /** Writes a checkpoint and closes everything. */
  stop(): Promise<void>;
}

export interface PublisherAppOptions {
  readonly config: PublisherConfig;
  readonly log: Logger;
  onFault(reason: string, cause?: unknown): void;
  /** Receives what happens; log lines and metrics by default. */
  readonly watch?: (log: Logger, metrics: Metrics) => PublisherWatcher;
}

export async function startPublisher(options: PublisherAppOptions): Promise<PublisherApp> {
  const { config, log, onFault, watch = watchPublisher } = options;
  const metrics = createMetrics({ ofProcess: true });
  const journal = await openJournal({ config, as: 'publisher', log });
  const { events, nats } = journal;
  const subjects = feedSubjects(config.exchange);
  await ensureStream(nats, feedStream(subjects, config.replicas));
  await ensureStream(nats, feedStateStream(subjects, config.replicas));
  const onProblem = (err: unknown) => log.warn({ err }, 'feed operation failed');
  const { exchange, privateBytesMax: bytesMax, replicas } = config;
  const privateStream = new PrivateStream({
    nats,
    clock: systemClock,
    exchange,
    subject: subjects.private,
    replicas,
    bytesMax,
    onProblem,
  });
  await privateStream.start();
  const publisher = new Publisher({
    events,
    subjects,
    clock: systemClock,
    onFault,
    settings: settingsOf(config),
    openSource: sourceOpener(config.archiveFolder, (problem) =>
      log.warn({ problem }, 'archived snapshot damaged'),
    ),
    feed: new NatsFeed({ nats, clock: systemClock, subjects, replicas, onProblem }),
    store: new NatsFeedStore({ nats, subjects, onProblem }),
    watcher: watch(log, metrics),
  });
  const health = openStatus({
    service: 'publisher',
    config,
    bus: new NatsBus(nats),
    log,
    metrics,
    ready: () => ({ journal: nats.isConnected, live: publisher.isLive }),
    figures: () => ({
      frame: publisher.state?.position.frame,
      log_needed_after: publisher.logNeededAfter,
    }),
  });
  const healthPort = await health.start();
  return { publisher, healthPort, stop };

  async function stop(): Promise<void> {
    privateStream.stop();
    publisher.stop();
    await new Promise((resolve) => publisher.finish(resolve));
    await health.stop();
    await journal.close();
  }
}
