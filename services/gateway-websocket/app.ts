// Assembles the websocket gateway process: journal, dependencies, topics, sockets, server, health.

import type { Caller } from '../../domain/credentials/index.ts';
import type { SwitchBoard } from '../../domain/switch-board/index.ts';
import { BrowserCookies, TrustedProxies } from '../../infra/access/index.ts';
import { openJournal } from '../../infra/journal/index.ts';
import { createMetrics, type Logger } from '../../infra/process/index.ts';
import { openStatus } from '../../infra/status/index.ts';
import { AddressLimits } from './address-limits.ts';
import type { StreamConfig } from './config.ts';
import { type Credentials, identifySocket } from './identify-socket.ts';
import { openLevels } from './levels/index.ts';
import { openNotices } from './notices/index.ts';
import { openDependencies } from './open-dependencies.ts';
import { openPrivate } from './private/index.ts';
import { openPublic } from './public/index.ts';
import { StreamServer } from './server.ts';
import { Sockets } from './sockets.ts';
import type { SocketDependencies } from './stream-socket.ts';
import { showStream, watchStream } from './telemetry.ts';
import type { Operation, Topic } from './topic.ts';

export interface StreamApp {
  /** Without the path. */
  readonly url: string;
  readonly healthPort: number;
  /** Rejects new connections, closes all sockets, then everything else. */
  stop(): Promise<void>;
}

/** How long sockets may take to complete the close handshake. */
const GOODBYE_MS = 3_000;

export async function startStream(config: StreamConfig, log: Logger): Promise<StreamApp> {
  const metrics = createMetrics({ ofProcess: true });
  const journal = await openJournal({ config, as: 'gateway-websocket', log });
  const opened = await openDependencies({ config, journal, log, metrics });
  const { dependencies } = opened;
  const { access, bus, catalogue, clock, switches } = dependencies;
  const modules = [openPublic, openLevels, openNotices, openPrivate].map((open) =>
    open(dependencies),
  );
  const watcher = watchStream(log, metrics);
  const traffic = { frames: 0, bytes: 0, conflated: 0, refreshed: 0 };
  const identify = (credentials: Credentials, address: string) =>
    identifySocket(access, credentials, address);
  const socketDependencies: SocketDependencies = {
    ...watcher,
    clock,
    traffic,
    identify,
    mayOperate,
    topics: Object.assign({}, ...modules.map(({ topics }) => topics)) as Record<string, Topic>,
    operations: Object.assign({}, ...modules.map(({ operations }) => operations)) as Record<
      string,
      Operation
    >,
    limits: { ...config, subscriptionsMax: config.subscriptionsPerSocketMax },
  };
  const limits = new AddressLimits({ ...config, clock });
  const sockets = new Sockets({
    clock,
    dependencies: socketDependencies,
    idleMs: config.idleMs,
    listed: () => catalogue.now.marketsBySymbol,
    onSweep: () => limits.forgetOld(),
  });
  const revocations = access.watchRevocations((revocation) => sockets.revoke(revocation));
  const { isStopped, watch: switchWatch } = obeySwitches(switches, sockets);
  showStream(metrics, {
    traffic,
    sockets: () => sockets.count,
    callers: () => sockets.callerCount,
    subscriptions: () => sockets.subscriptionCount,
  });
  const server = new StreamServer({
    clock,
    sockets,
    limits,
    watcher,
    identify,
    isStopped,
    trustedProxies: new TrustedProxies(config.trustedProxies),
    cookies: new BrowserCookies(config.publicUrl),
  });
  const health = openStatus({
    service: 'gateway-websocket',
    config,
    bus,
    log,
    metrics,
    ready: () => ({ journal: journal.nats.isConnected, catalogue: catalogue.isCurrent }),
    figures: () => ({
      sockets: sockets.count,
      subscriptions: sockets.subscriptionCount,
      slow_readers: watcher.slowReaders,
    }),
    switchesVersion: () => switches.version,
  });
  const healthPort = await health.start();
  const port = await server.listen(config);
  return { url: `ws://${config.host}:${port}`, healthPort, stop };

  async function stop(): Promise<void> {
    for (const module of modules) module.stopping?.();
    await server.stop(GOODBYE_MS);
    for (const watch of [revocations, switchWatch]) watch.stop();
    for (const module of modules) await module.stop();
    await opened.close();
    await health.stop();
    await journal.close();
  }
}

/** Sockets of operators stay open. */
function obeySwitches(switches: SwitchBoard, sockets: Sockets) {
  const isStopped = (caller: Caller | undefined) =>
    switches.isIntakeStopped('gateway-websocket') && !(caller !== undefined && mayOperate(caller));
  const watch = switches.watch(() => {
    sockets.closeWhere((caller) => caller !== undefined && switches.hasEnded(caller), 'revoked');
    sockets.closeWhere(isStopped, 'intakeStopped');
  });
  return { isStopped, watch };
}

/** True if the caller's role permits the operator's topics. */
function mayOperate(caller: Caller): boolean {
  return caller.mayOperate('/admin/stream', 'GET');
}
