// Assembles the publisher process: journal, feed streams, publisher, health.

import { NatsBus } from '../../infra/bus/index.ts';
import { logMarkOf, openJournal, openLogMark } from '../../infra/journal/index.ts';
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
import { PublisherLease } from './publisher-lease.ts';
import { watchPublisher } from './telemetry.ts';

export interface PublisherApp {
  /** Undefined while it is a standby. */
  readonly publisher: Publisher | undefined;
  readonly healthPort: number;
  /** Writes a checkpoint and closes everything. */
  stop(): Promise<void>;
}

export interface PublisherAppOptions {
  readonly config: PublisherConfig;
  readonly log: Logger;
  onFault(reason: string, cause?: unknown): void;
  /** Receives observable events; log lines and metrics by default. */
  readonly watch?: (log: Logger, metrics: Metrics) => PublisherWatcher;
}

export async function startPublisher(options: PublisherAppOptions): Promise<PublisherApp> {
  const { config, log, onFault, watch = watchPublisher } = options;
  const metrics = createMetrics({ ofProcess: true });
  const journal = await openJournal({ config, as: 'publisher', log, known: logMarkOf(config) });
  const { events, nats } = journal;
  const subjects = feedSubjects(config.exchange);
  await ensureStream(nats, feedStream(subjects, config.replicas));
  await ensureStream(nats, feedStateStream(subjects, config.replicas));
  const onProblem = (err: unknown) => log.warn({ err }, 'feed operation failed');
  const { exchange, instance, privateBytesMax: bytesMax, replicas } = config;
  const clock = systemClock;
  const privateStream = new PrivateStream({
    nats,
    clock,
    exchange,
    subject: subjects.private,
    replicas,
    bytesMax,
    onProblem,
  });
  await privateStream.start();
  const openPublisher = () =>
    new Publisher({
      events,
      subjects,
      clock,
      onFault,
      settings: settingsOf(config),
      openSource: sourceOpener(config.archiveFolder, (problem) =>
        log.warn({ problem }, 'archived snapshot damaged'),
      ),
      feed: new NatsFeed({ nats, clock, subjects, replicas, onProblem }),
      store: new NatsFeedStore({ nats, subjects, onProblem }),
      watcher: watch(log, metrics),
    });
  const lease = new PublisherLease({ nats, subjects, clock, instance, onProblem });
  let publisher: Publisher | undefined;
  const acquiring = lease
    .acquire((fault) => onFault(fault.message, fault))
    .then((isHeld) => {
      if (isHeld) publisher = openPublisher();
    });
  const health = openStatus({
    service: 'publisher',
    config,
    bus: new NatsBus(nats),
    log,
    metrics,
    ready: () => ({
      journal: nats.isConnected,
      live: publisher?.isLive ?? lease.isStandby,
    }),
    figures: () => ({
      frame: publisher?.state?.position.frame,
      log_needed_after: publisher?.logNeededAfter,
      stands_by: lease.isStandby ? 1 : 0,
    }),
  });
  const healthPort = await health.start();
  const mark = openLogMark({ config, journal, log, frame: () => frameOf(publisher) });
  return {
    get publisher() {
      return publisher;
    },
    healthPort,
    stop,
  };

  async function stop(): Promise<void> {
    mark?.stop();
    privateStream.stop();
    const working = publisher;
    working?.stop();
    if (working !== undefined) await new Promise((done) => working.finish(done));
    await lease.release();
    await acquiring;
    await health.stop();
    await journal.close();
  }
}

function frameOf(publisher: Publisher | undefined): number {
  return publisher?.state?.position.frame ?? 0;
}
