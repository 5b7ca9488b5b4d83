// Assembles the websocket gateway process: journal, dependencies, topics, sockets, server, health.

import type { Caller } from '../../features/auth/index.ts';
import type { SwitchBoard } from '../../features/kill-switches/index.ts';
import { BrowserCookies, TrustedProxies } from '../../infra/access/index.ts';
import { streamIdentity } from '../../infra/identities/index.ts';
import { type OpenedJournal, openJournal } from '../../infra/journal/index.ts';
import { createMetrics, type Logger } from '../../infra/process/index.ts';
import { logInTables } from '../../infra/projections/index.ts';
import { openStatus } from '../../infra/status/index.ts';
import { streamTexts } from '../../protocol/index.ts';
import { AddressLimits } from './address-limits.ts';
import { type ClientBudgetSizes, ClientBudgets } from './client-budgets.ts';
import type { StreamConfig } from './config.ts';
import { HandshakeLimits } from './handshake-limits.ts';
import { type Credentials, identifySocket } from './identify-socket.ts';
import { openLevels } from './levels/index.ts';
import { LoopTurns } from './loop-turns.ts';
import { openNotices } from './notices/index.ts';
import { openDependencies } from './open-dependencies.ts';
import { openPrivate } from './private/index.ts';
import { openPublic } from './public/index.ts';
import { StreamServer } from './server.ts';
import { Sockets } from './sockets.ts';
import type { SocketDependencies } from './stream-socket.ts';
import { showStream, watchStream } from './telemetry.ts';
import type { TopicModule } from './topic.ts';

export interface StreamApp {
  /** URL without the path. */
  readonly url: string;
  readonly healthPort: number;
  /** Rejects new connections, closes all sockets, then closes everything else. */
  stop(): Promise<void>;
}

/** Time limit for the sockets' close handshakes. */
const GOODBYE_MS = 3_000;

export async function startStream(config: StreamConfig, log: Logger): Promise<StreamApp> {
  const metrics = createMetrics({ ofProcess: true });
  const journal = await openOwnJournal(config, log);
  const opened = await openDependencies({ config, journal, log, metrics });
  const { access, bus, catalogue, clock, switches } = opened.dependencies;
  const modules = [openPublic, openLevels, openNotices, openPrivate].map((open) =>
    open(opened.dependencies),
  );
  const watcher = watchStream(log, metrics);
  const traffic = { frames: 0, bytes: 0, conflated: 0, refreshed: 0 };
  const identify = (credentials: Credentials, address: string) =>
    identifySocket(access, credentials, address);
  const limits = new AddressLimits({ ...config, clock });
  const budgets = new ClientBudgets({ clock, sizes: budgetSizes(config) });
  const socketDependencies: SocketDependencies = {
    ...watcher,
    clock,
    traffic,
    turns: new LoopTurns({ clock }),
    identify,
    mayOperate,
    budgetOf: (addressGroup, caller) => budgets.of(addressGroup, caller),
    budgetSpent: budgetSpentText(config),
    offended: (addressGroup) => limits.punish(addressGroup),
    ...joined(modules),
    limits: { ...config, subscriptionsMax: config.subscriptionsPerSocketMax },
  };
  const sockets = new Sockets({
    clock,
    dependencies: socketDependencies,
    idleMs: config.idleMs,
    listed: () => catalogue.now.marketsBySymbol,
    onSweep() {
      limits.forgetOld();
      budgets.forgetFull();
    },
  });
  const revocations = access.watchRevocations((revocation) => sockets.revoke(revocation));
  const { isStopped, watch: switchWatch } = obeySwitches(switches, sockets);
  showStream(metrics, traffic, sockets);
  const server = new StreamServer({
    clock,
    sockets,
    limits,
    handshakes: new HandshakeLimits({ ...config, clock }),
    watcher,
    identify,
    isStopped,
    trustedProxies: new TrustedProxies(config.trustedProxies),
    cookies: new BrowserCookies(config.publicUrl),
  });
  const own = { config, bus, log, metrics };
  const health = openStatus({
    service: 'gateway-websocket',
    identity: journal.identity.name,
    ...own,
    ready: () => ({ journal: journal.nats.isConnected, catalogue: catalogue.isCurrent }),
    figures: () => ({
      sockets: sockets.count,
      subscriptions: sockets.subscriptionCount,
      slow_readers: watcher.slowReaders,
    }),
    switchesVersion: () => switches.version,
  });
  const healthPort = await health.start();
  const { streamHost: host } = config;
  const port = await server.listen({ host, port: config.streamPort });
  return { url: `ws://${host}:${port}`, healthPort, stop };

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

/** Merges the topics and operations of all modules. */
function joined(
  modules: readonly TopicModule[],
): Pick<SocketDependencies, 'topics' | 'operations'> {
  return {
    topics: Object.assign({}, ...modules.map(({ topics }) => topics)),
    operations: Object.assign({}, ...modules.map(({ operations }) => operations)),
  };
}

function budgetSpentText(config: StreamConfig): string {
  return streamTexts.budgetSpent({
    messages: config.clientMessagesPerSecond,
    bytes: config.clientBytesPerSecond,
    channels: config.clientChannelsPerSecond,
  });
}

function budgetSizes(config: StreamConfig): ClientBudgetSizes {
  return {
    messages: { burst: config.clientMessagesBurst, perSecond: config.clientMessagesPerSecond },
    bytes: { burst: config.clientBytesBurst, perSecond: config.clientBytesPerSecond },
    channels: { burst: config.clientChannelsBurst, perSecond: config.clientChannelsPerSecond },
  };
}

/** Closes sockets when a switch stops them, except operators' sockets. */
function obeySwitches(switches: SwitchBoard, sockets: Sockets) {
  const isStopped = (caller: Caller | undefined) =>
    switches.isIntakeStopped('gateway-websocket') && !(caller !== undefined && mayOperate(caller));
  const watch = switches.watch(() => {
    sockets.closeWhere((caller) => caller !== undefined && switches.hasEnded(caller), 'revoked');
    sockets.closeWhere(isStopped, 'intakeStopped');
  });
  return { isStopped, watch };
}

/** Returns true if the caller's role permits operator topics. */
function mayOperate(caller: Caller): boolean {
  return caller.mayOperate('/admin/stream', 'GET');
}

function openOwnJournal(config: StreamConfig, log: Logger): Promise<OpenedJournal> {
  const as = streamIdentity(config.streamAudience);
  return openJournal({ config, as, log, known: logInTables(config) });
}
