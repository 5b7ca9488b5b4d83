// The parts of an HTTP gateway process, put together: journal, tables, keys, memory of public data,
// commands, server, health.

import { randomInt } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { openAccess } from '../../infra/access/index.ts';
import { NatsBus } from '../../infra/bus/index.ts';
import { COMMAND_CLIENT_DEFAULTS, CommandClient } from '../../infra/command-link/index.ts';
import { openJournal } from '../../infra/journal/index.ts';
import { type FeedChange, LiveFeed } from '../../infra/live-feed/index.ts';
import { openPool } from '../../infra/postgres/index.ts';
import {
  createHealthServer,
  createMetrics,
  type Log,
  systemClock,
} from '../../infra/process/index.ts';
import { Catalogue } from '../../infra/registry/index.ts';
import { BUDGETS_DEFAULTS, Budgets } from './budgets.ts';
import { CANDLE_MEMORY_DEFAULTS, CandleMemory } from './charts/candle-memory.ts';
import { candleTables } from './charts/candle-tables.ts';
import { Commands } from './commands.ts';
import { budgetSizes, type GatewayConfig } from './config.ts';
import { watchGateway } from './events.ts';
import { FRESH_READS_DEFAULTS, FreshReads } from './fresh-reads.ts';
import { handlers } from './handlers.ts';
import { ORDER_MEMORY_DEFAULTS, OrderMemory } from './orders/order-memory.ts';
import type { ExchangeIdentity, Parts } from './parts.ts';
import { createServer } from './server.ts';

export interface GatewayApp {
  readonly url: string;
  readonly healthPort: number;
  readonly parts: Parts;
  /** Answers what is under way, refuses what is new, and closes everything. */
  stop(): Promise<void>;
}

// Sources of commands are drawn, and never used twice: this many are enough for that.
const SOURCES = 2 ** 47;
const VERSION = '2.19.2';

export async function startGateway(config: GatewayConfig, log: Log): Promise<GatewayApp> {
  const metrics = createMetrics({ ofProcess: true });
  const clock = systemClock;
  const journal = await openJournal({ config, name: config.instance, log });
  const { exchange } = config;
  const bus = new NatsBus(journal.nats);
  const [projections, registry] = [config.postgresSchema, config.registrySchema].map((schema) =>
    openPool({
      ...{ url: config.postgresUrl.reveal(), schema, name: config.instance },
      connectionsMax: config.databaseConnectionsMax,
      statementTimeoutMs: config.statementTimeoutMs,
    }),
  );
  const client = new CommandClient({
    ...{ ...COMMAND_CLIENT_DEFAULTS, bus, clock, exchange, source: 1 + randomInt(SOURCES) },
  });
  const fresh = new FreshReads({
    ...{ ...FRESH_READS_DEFAULTS, commands: journal.commands, bus, clock, exchange },
    ...{ pool: projections, timeoutMs: config.freshTimeoutMs },
  });
  const access = openAccess({ config, bus, clock, log, pool: registry, metrics });
  const catalogue = new Catalogue({ projections, registry, clock, log });
  const onChange = (change: FeedChange) => candles.onFeed(change);
  const feed = new LiveFeed({ nats: journal.nats, clock, exchange, log, onChange });
  const candles = new CandleMemory({
    ...{ ...CANDLE_MEMORY_DEFAULTS, source: candleTables(projections), feed, clock },
  });
  const budgets = new Budgets({
    ...{ ...BUDGETS_DEFAULTS, sizes: budgetSizes(config), clock, bus, exchange },
    instance: config.instance,
  });
  const orders = new OrderMemory({ ...ORDER_MEMORY_DEFAULTS, bus, exchange });
  const connection = journal.nats.watch(() => orders.clear());
  const parts: Parts = {
    ...{ clock, log, access, bus, candles, catalogue, feed, fresh, orders, projections, registry },
    commands: new Commands(client, config.commandTimeoutMs),
    exchange: identityOf(config),
  };
  await catalogue.start();
  await feed.start();
  const server = createServer({
    ...{ parts, handlers, budgets, watcher: watchGateway(log, metrics, config.accessLog === 'on') },
    ...config,
    checkAnswers: config.checkAnswers === 'on',
  });
  const health = createHealthServer({
    ...{ host: config.healthHost, port: config.healthPort, metrics },
    ready: () => ({
      journal: journal.nats.isConnected,
      feed: feed.isLive,
      leader: client.epoch > 0,
    }),
  });
  const healthPort = await health.start();
  const url = await server.listen({ host: config.host, port: config.port });
  return { url, healthPort, parts, stop: () => stop(server) };

  async function stop(listening: FastifyInstance): Promise<void> {
    await listening.close();
    for (const part of [client, catalogue, feed]) part.close();
    await access.stop();
    for (const part of [budgets, connection, fresh, orders]) part.stop();
    await Promise.all([projections.end(), registry.end(), health.stop()]);
    await journal.close();
  }
}

function identityOf(config: GatewayConfig): ExchangeIdentity {
  return {
    name: config.apiName,
    version: VERSION,
    publicUrl: config.publicUrl,
    exchange: config.exchange,
    projectionSchema: config.postgresSchema,
    registrySchema: config.registrySchema,
    isDevelopment: config.mode === 'development',
  };
}
