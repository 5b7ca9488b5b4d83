// Assembles the market agents' process: keys, dial, agents, health.

import { accountsFor, DEMO_MARKETS } from '../../agents/index.ts';
import { RialtoClient } from '../../client/index.ts';
import { connectNats, NatsBus } from '../../infra/bus/index.ts';
import { openIdentity } from '../../infra/identities/index.ts';
import { createMetrics, type Logger } from '../../infra/process/index.ts';
import { openStatus } from '../../infra/status/index.ts';
import type { MarketAgentsConfig } from './config.ts';
import { DialFile } from './dial-file.ts';
import { readAgentKeys } from './keys-file.ts';
import { LiveMarket } from './live-market.ts';
import { agentsTelemetry } from './telemetry.ts';

export interface MarketAgentsApp {
  readonly healthPort: number;
  stop(): Promise<void>;
}

export interface MarketAgentsAppOptions {
  readonly config: MarketAgentsConfig;
  readonly log: Logger;
}

export async function startMarketAgents(options: MarketAgentsAppOptions): Promise<MarketAgentsApp> {
  const { config, log } = options;
  const { agentsDialFile, agentsMode: mode, agentsOrdersPerSecond: ordersPerSecond } = config;
  const url = config.agentsUrl;
  const keys = readAgentKeys(config.agentsKeysFile);
  await checkDemo(url);
  const metrics = createMetrics({ ofProcess: true });
  const dial = new DialFile(agentsDialFile, { mode, ordersPerSecond }, (reason) =>
    log.warn({ reason }, 'dial ignored'),
  );
  const market = new LiveMarket({
    url,
    keys,
    seed: config.agentsSeed,
    markets: DEMO_MARKETS,
    accounts: accountsFor(),
    dial: () => dial.read(),
    watcher: agentsTelemetry(log, metrics),
  });
  metrics.gauge({
    name: 'rialto_agents_open_orders',
    help: 'Open orders of the agents',
    collect() {
      this.set(market.openOrders);
    },
  });
  const identity = openIdentity('market-agents', config);
  const nats = await connectNats({ urls: config.natsUrls, name: config.instance, identity, log });
  await market.start();
  const health = openStatus({
    service: 'market-agents',
    config,
    bus: new NatsBus(nats),
    log,
    metrics,
    ready: () => ({ exchange: market.isLive }),
    figures: () => ({ openOrders: market.openOrders }),
  });
  const healthPort = await health.start();
  return { healthPort, stop };

  async function stop(): Promise<void> {
    await market.stop();
    await health.stop();
    await nats.close();
  }
}

/** Throws a RangeError, because the same configuration would always fail. */
async function checkDemo(url: string): Promise<void> {
  const { demo } = await new RialtoClient({ url }).getConstants();
  if (demo === true) return;
  throw new RangeError(`${url} is not a demo exchange: agents trade only where RIALTO_DEMO is on`);
}
