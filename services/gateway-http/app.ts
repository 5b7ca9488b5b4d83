// An HTTP gateway process, put together: journal, parts, budgets, server, health.

import { openJournal } from '../../infra/journal/index.ts';
import { createHealthServer, createMetrics, type Logger } from '../../infra/process/index.ts';
import { BUDGETS_DEFAULTS, Budgets } from './budgets.ts';
import { budgetSizes, type GatewayConfig } from './config.ts';
import { handlers } from './handlers.ts';
import { openParts } from './open-parts.ts';
import type { Parts } from './parts.ts';
import { createServer } from './server.ts';
import { watchGateway } from './telemetry.ts';

export interface GatewayApp {
  readonly url: string;
  readonly healthPort: number;
  readonly parts: Parts;
  /** Answers what is under way, refuses what is new, and closes everything. */
  stop(): Promise<void>;
}

export async function startGateway(config: GatewayConfig, log: Logger): Promise<GatewayApp> {
  const metrics = createMetrics({ ofProcess: true });
  const journal = await openJournal({ config, name: config.instance, log });
  const { close, parts } = await openParts({ config, journal, log, metrics });
  const { bus, clock, commands, feed } = parts;
  const budgets = new Budgets({
    ...BUDGETS_DEFAULTS,
    sizes: budgetSizes(config),
    clock,
    bus,
    exchange: config.exchange,
    instance: config.instance,
  });
  const server = createServer({
    parts,
    handlers,
    budgets,
    watcher: watchGateway(log, metrics, config.accessLog === 'on'),
    ...config,
    checkAnswers: config.checkAnswers === 'on',
  });
  const health = createHealthServer({
    host: config.healthHost,
    port: config.healthPort,
    metrics,
    ready: () => ({
      journal: journal.nats.isConnected,
      feed: feed.isLive,
      leader: commands.hasLeader,
    }),
  });
  const healthPort = await health.start();
  const url = await server.listen({ host: config.host, port: config.port });
  return { url, healthPort, parts, stop };

  async function stop(): Promise<void> {
    await server.close();
    budgets.stop();
    await close();
    await health.stop();
    await journal.close();
  }
}
