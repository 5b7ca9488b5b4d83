// Assembles the projector process: journal, projector, progress messages, health server.

import { NatsBus } from '../../infra/bus/index.ts';
import { openJournal } from '../../infra/journal/index.ts';
import { postgresAddress } from '../../infra/postgres/index.ts';
import { createMetrics, type Logger, systemClock } from '../../infra/process/index.ts';
import {
  decodeWanted,
  encodeProgress,
  progressSubject,
  wantedSubject,
} from '../../infra/projections/index.ts';
import { sourceOpener } from '../../infra/replica/index.ts';
import { openStatus } from '../../infra/status/index.ts';
import { type ProjectorConfig, settingsOf } from './config.ts';
import { type Cursor, completeFrame } from './cursor.ts';
import { Lag } from './lag.ts';
import { Projector, type ProjectorWatcher } from './projector.ts';
import { watchProjector } from './telemetry.ts';

export interface ProjectorApp {
  readonly projector: Projector;
  readonly lag: Lag;
  readonly healthPort: number;
  /** Finishes the current transaction and closes all connections. */
  stop(): Promise<void>;
}

export interface ProjectorAppOptions {
  readonly config: ProjectorConfig;
  readonly log: Logger;
  onFault(reason: string, cause?: unknown): void;
}

export async function startProjector(options: ProjectorAppOptions): Promise<ProjectorApp> {
  const { config, log, onFault } = options;
  const metrics = createMetrics({ ofProcess: true });
  const journal = await openJournal({ config, as: 'projector', log });
  const { events, nats } = journal;
  const bus = new NatsBus(nats);
  const subject = progressSubject(config.exchange);
  const projector = new Projector({
    events,
    exchangeId: journal.found.exchangeId,
    clock: systemClock,
    settings: settingsOf(config),
    openSource: sourceOpener(config.archiveFolder, (problem) =>
      log.warn({ problem }, 'archived snapshot damaged'),
    ),
    onFault,
    connection: {
      ...postgresAddress(config, config.mode),
      schema: config.postgresSchema,
      name: config.instance,
      statementTimeoutMs: config.postgresStatementTimeoutMs,
    },
    watcher: publishProgress(watchProjector(log, metrics), (cursor) =>
      bus.publish(subject, progressOf(cursor)),
    ),
  });
  const wanted = bus.subscribe(wantedSubject(config.exchange), (message) => {
    const frame = decodeWanted(message);
    if (frame !== undefined) projector.want(frame);
  });
  const lag = new Lag({ events, projector, clock: systemClock, metrics });
  const health = openStatus({
    service: 'projector',
    config,
    bus,
    log,
    metrics,
    ready: () => ({
      journal: nats.isConnected,
      database: projector.isDatabaseConnected || projector.isStandby,
      lag: lag.ms <= config.lagMsMax || `${Math.round(lag.ms)} ms behind the log`,
    }),
    figures: () => ({
      frame: projector.cursor && completeFrame(projector.cursor),
      lag_messages: lag.messages,
      lag_ms: lag.ms,
      log_needed_after: projector.cursor && completeFrame(projector.cursor),
      stands_by: projector.isStandby ? 1 : 0,
    }),
  });
  const healthPort = await health.start();
  return { projector, lag, healthPort, stop };

  async function stop(): Promise<void> {
    lag.stop();
    wanted.stop();
    await projector.stop();
    await health.stop();
    await journal.close();
  }
}

function progressOf(cursor: Cursor): Uint8Array {
  const { eventsSequence, timeMs } = cursor;
  return encodeProgress({ frame: completeFrame(cursor), eventsSequence, timeMs });
}

function publishProgress(
  watcher: ProjectorWatcher,
  publish: (cursor: Cursor) => void,
): ProjectorWatcher {
  return {
    ...watcher,
    started(cursor) {
      watcher.started(cursor);
      publish(cursor);
    },
    written(written) {
      publish(written.cursor);
      watcher.written(written);
    },
  };
}
