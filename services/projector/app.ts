// The parts of a projector process, put together: journal, projector, progress, health.

import { NatsBus } from '../../infra/bus/index.ts';
import { openJournal } from '../../infra/journal/index.ts';
import {
  createHealthServer,
  createMetrics,
  type Logger,
  systemClock,
} from '../../infra/process/index.ts';
import { encodeProgress, progressSubject } from '../../infra/projections/index.ts';
import { type ProjectorConfig, settingsOf } from './config.ts';
import { type Cursor, completeFrame } from './cursor.ts';
import { Lag } from './lag.ts';
import { Projector, type ProjectorWatcher } from './projector.ts';
import { watchProjector } from './telemetry.ts';

export interface ProjectorApp {
  readonly projector: Projector;
  readonly lag: Lag;
  readonly healthPort: number;
  /** Ends the transaction under way, and closes everything. */
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
  const journal = await openJournal({ config, name: config.instance, log });
  const { events, nats } = journal;
  const bus = new NatsBus(nats);
  const subject = progressSubject(config.exchange);
  const projector = new Projector({
    events,
    clock: systemClock,
    settings: settingsOf(config),
    onFault,
    connection: {
      url: config.postgresUrl.reveal(),
      schema: config.postgresSchema,
      name: config.instance,
      statementTimeoutMs: config.postgresStatementTimeoutMs,
    },
    watcher: tellProgress(watchProjector(log, metrics), (cursor) =>
      bus.publish(subject, progressOf(cursor)),
    ),
  });
  const lag = new Lag({ events, projector, clock: systemClock, metrics });
  const health = createHealthServer({
    host: config.healthHost,
    port: config.healthPort,
    metrics,
    ready: () => ({
      journal: nats.isConnected,
      database: projector.isDatabaseThere,
      lag: lag.ms <= config.lagMsMax || `it is ${Math.round(lag.ms)} ms behind`,
    }),
  });
  const healthPort = await health.start();
  return { projector, lag, healthPort, stop };

  async function stop(): Promise<void> {
    lag.stop();
    await projector.stop();
    await health.stop();
    await journal.close();
  }
}

function progressOf(cursor: Cursor): Uint8Array {
  const { eventsSequence, timeMs } = cursor;
  return encodeProgress({ frame: completeFrame(cursor), eventsSequence, timeMs });
}

function tellProgress(watcher: ProjectorWatcher, tell: (cursor: Cursor) => void): ProjectorWatcher {
  return {
    ...watcher,
    started(cursor) {
      watcher.started(cursor);
      tell(cursor);
    },
    written(written) {
      tell(written.cursor);
      watcher.written(written);
    },
  };
}
