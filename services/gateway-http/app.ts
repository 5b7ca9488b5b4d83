// An HTTP gateway process: journal, dependencies, rate limiter, server, stream proxy, health.

import { issueSetupToken } from '../../features/exchange-config/index.ts';
import { BrowserCookies } from '../../infra/access/index.ts';
import { gatewayIdentity } from '../../infra/identities/index.ts';
import { openJournal } from '../../infra/journal/index.ts';
import { withConnection } from '../../infra/postgres/index.ts';
import { createMetrics, type Logger, lowerPriority } from '../../infra/process/index.ts';
import { logInTables } from '../../infra/projections/index.ts';
import { openStatus } from '../../infra/status/index.ts';
import type { Dependencies } from '../../platform/http/index.ts';
import { bucketSizes, type GatewayConfig, screensFolder } from './config.ts';
import { IDENTITY_PROXY_DEFAULTS, IdentityProxy } from './identity-proxy.ts';
import { openDependencies } from './open-dependencies.ts';
import { RATE_LIMITER_DEFAULTS, RateLimiter } from './rate-limiter.ts';
import { servedRoutes } from './served-routes.ts';
import { createServer, type ServerOptions } from './server.ts';
import { STREAM_PROXY_DEFAULTS, StreamProxy } from './stream-proxy.ts';
import { watchGateway } from './telemetry.ts';

export interface GatewayApp {
  readonly url: string;
  readonly healthPort: number;
  readonly dependencies: Dependencies;
  /** Completes requests in progress, refuses new ones, and closes everything. */
  stop(): Promise<void>;
}

export async function startGateway(config: GatewayConfig, log: Logger): Promise<GatewayApp> {
  const metrics = createMetrics({ ofProcess: true });
  const journal = await openJournal({
    config,
    as: gatewayIdentity(config.modules),
    log,
    known: logInTables(config),
  });
  const { close, custody, dependencies } = await openDependencies({
    config,
    journal,
    log,
    metrics,
  });
  const { bus, clock, commands, feed, switches } = dependencies;
  const rateLimiter = new RateLimiter({
    ...RATE_LIMITER_DEFAULTS,
    sizes: bucketSizes(config),
    clock,
    bus,
    exchange: config.exchange,
    instance: config.instance,
  });
  const watcher = watchGateway(log, metrics, config.accessLog === 'on');
  const { streamUrl, streamSocketsMax: socketsMax } = config;
  const cookies = new BrowserCookies(config.publicUrl);
  const own = { ...STREAM_PROXY_DEFAULTS, socketsMax, clock, cookies, watcher };
  const streamProxy = streamUrl && new StreamProxy({ ...own, url: streamUrl });
  const server = createServer({
    dependencies,
    routes: servedRoutes(config.modules, dependencies.exchange),
    ...forwardedRoutes(config),
    rateLimiter,
    watcher,
    streamProxy,
    ...config,
    screensFolder: screensFolder(config),
    checkAnswers: config.checkAnswers === 'on',
  });
  const health = openStatus({
    service: 'gateway-http',
    identity: journal.identity.name,
    config,
    bus,
    log,
    metrics,
    ready: () => ({
      journal: journal.nats.isConnected,
      feed: feed.isLive,
      leader: commands.hasLeader,
    }),
    figures: () => ({ sockets: streamProxy?.socketCount }),
    switchesVersion: () => switches.version,
    ...(custody === undefined ? {} : { custodyFile: custody.hash }),
  });
  const healthPort = await health.start();
  const url = await server.listen({ host: config.httpHost, port: config.httpPort });
  if (config.modules.includes('admin')) await printSetupToken(dependencies);
  // A busy machine would delay the start by minutes.
  lowerPriority(config.processPriority);
  return { url, healthPort, dependencies, stop };

  async function stop(): Promise<void> {
    await server.close();
    rateLimiter.stop();
    await close();
    await health.stop();
    await journal.close();
  }
}

/**
 * Prints only while there is no administrator. Anyone who reads this server's log can become it.
 */
async function printSetupToken({ log, registry }: Dependencies): Promise<void> {
  const setupToken = await withConnection(registry, issueSetupToken);
  if (setupToken !== undefined) log.warn({ setupToken }, 'administrator missing');
}

/** Forwards identity routes, unless this process serves them itself. */
function forwardedRoutes({
  identityUrl: url,
  mode,
  modules,
}: GatewayConfig): Pick<ServerOptions, 'forwarded'> {
  if (url === undefined || modules.includes('identity')) return {};
  const routes = servedRoutes(['identity'], { isDevelopment: mode === 'development' });
  return { forwarded: { routes, proxy: new IdentityProxy({ ...IDENTITY_PROXY_DEFAULTS, url }) } };
}
