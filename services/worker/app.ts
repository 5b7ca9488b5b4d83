// The parts of a worker process, put together: journal, command client, worker, health.

import { NatsBus } from '../../infra/bus/index.ts';
import {
  decodeLeaderBeat,
  linkSubjects,
  openCommandClient,
} from '../../infra/command-link/index.ts';
import { openJournal } from '../../infra/journal/index.ts';
import {
  createHealthServer,
  createMetrics,
  type Log,
  systemClock,
} from '../../infra/process/index.ts';
import { encodeOutcome, outboxSubjects } from '../../infra/registry/index.ts';
import { settingsOf, type WorkerConfig } from './config.ts';
import { watchWorker } from './events.ts';
import { lookUp } from './outcome-lookup.ts';
import { Worker } from './worker.ts';

export interface WorkerApp {
  readonly worker: Worker;
  readonly healthPort: number;
  /** Settles what is known by now, and closes everything. */
  stop(): Promise<void>;
}

export interface WorkerAppOptions {
  readonly config: WorkerConfig;
  readonly log: Log;
  onFault(reason: string, cause?: unknown): void;
}

const LOOKUP = { clock: systemClock, retryMs: 100, watchMs: 500 };

export async function startWorker(options: WorkerAppOptions): Promise<WorkerApp> {
  const { config, log, onFault } = options;
  const { exchange } = config;
  const metrics = createMetrics({ ofProcess: true });
  const journal = await openJournal({ config, name: config.instance, log });
  const { commands, events, nats } = journal;
  const bus = new NatsBus(nats);
  const subjects = outboxSubjects(exchange);
  let leaderFrame: number | undefined;
  const worker = new Worker({
    clock: systemClock,
    settings: settingsOf(config),
    onFault,
    connection: {
      url: config.postgresUrl.reveal(),
      schema: config.registrySchema,
      name: config.instance,
      statementTimeoutMs: config.postgresStatementTimeoutMs,
    },
    client: openCommandClient({ bus, clock: systemClock, exchange }),
    leaderFrame: () => leaderFrame,
    lookUp: (rows, toFrame) => lookUp({ ...LOOKUP, commands, events }, rows, toFrame),
    tell: (outcome) => bus.publish(subjects.settled, encodeOutcome(outcome)),
    watcher: watchWorker(log, metrics),
  });
  const heard = [
    bus.subscribe(subjects.waiting, () => worker.call()),
    bus.subscribe(linkSubjects(exchange).leader, (message) => {
      const beat = decodeLeaderBeat(message);
      if (beat === undefined) return;
      const isFirst = leaderFrame === undefined;
      leaderFrame = Math.max(leaderFrame ?? 0, beat.sequence);
      if (isFirst) worker.call();
    }),
  ];
  const health = createHealthServer({
    host: config.healthHost,
    port: config.healthPort,
    metrics,
    ready: () => ({
      journal: nats.isConnected,
      database: worker.isDatabaseThere,
      channels:
        worker.channelsHeldUp.length === 0 || `held up: ${worker.channelsHeldUp.join(', ')}`,
    }),
  });
  const healthPort = await health.start();
  return { worker, healthPort, stop };

  async function stop(): Promise<void> {
    for (const subscription of heard) subscription.stop();
    await worker.stop();
    await health.stop();
    await journal.close();
  }
}
