// Assembles a dispatcher process: journal, command client, dispatcher, health.

import { reopenCredited } from '../../features/accounts/index.ts';
import { readCustodyFile } from '../../features/custody/index.ts';
import { openSwitchBoard, SWITCH_POOL } from '../../features/kill-switches/index.ts';
import {
  markChangesPublished,
  readUnpublishedChanges,
  settleRequests,
  type TransferChange,
} from '../../features/payments/index.ts';
import {
  beginStakes,
  markStakeChangesPublished,
  readUnpublishedStakeChanges,
  type StakeChange,
} from '../../features/staking/index.ts';
import { NatsBus } from '../../infra/bus/index.ts';
import {
  decodeLeaderHeartbeat,
  linkSubjects,
  openCommandClient,
} from '../../infra/command-link/index.ts';
import { type OpenedJournal, openJournal } from '../../infra/journal/index.ts';
import { type ConnectionOptions, openPool, postgresAddress } from '../../infra/postgres/index.ts';
import { createMetrics, type Logger, systemClock } from '../../infra/process/index.ts';
import { logInTables } from '../../infra/projections/index.ts';
import { openStatus } from '../../infra/status/index.ts';
import { encodeOutcome, outboxSubjects } from '../../platform/outbox/index.ts';
import { changeNotice, stakeNotice } from './change-notice.ts';
import {
  ChangePublisher,
  type ChangePublisherOptions,
  type ChangeSource,
} from './change-publisher.ts';
import { type DispatcherConfig, settingsOf } from './config.ts';
import { type DispatcherOptions, OutboxDispatcher } from './outbox-dispatcher.ts';
import { lookUp } from './outcome-lookup.ts';
import { changeTelemetry, dispatcherTelemetry } from './telemetry.ts';

export interface DispatcherApp {
  readonly dispatcher: OutboxDispatcher;
  readonly healthPort: number;
  /** Settles the known outcomes, then closes everything. */
  stop(): Promise<void>;
}

export interface DispatcherAppOptions {
  readonly config: DispatcherConfig;
  readonly log: Logger;
  onFault(reason: string, cause?: unknown): void;
}

/** Features with commands in the outbox, and how they use the outcomes. */
const OWNERS: Pick<DispatcherOptions, 'onSettled' | 'afterSettled'> = {
  onSettled: { requests: settleRequests, accounts: reopenCredited },
  // Readers of a published outcome expect that its stake has started.
  afterSettled: { stakes: (own, settled) => beginStakes(own, settled, systemClock.nowMs()) },
};

const LOOKUP = { clock: systemClock, retryMs: 100, watchMs: 500 };

export async function startDispatcher(options: DispatcherAppOptions): Promise<DispatcherApp> {
  const { config, log, onFault } = options;
  const { custodyFile, exchange } = config;
  const metrics = createMetrics({ ofProcess: true });
  const custody = custodyFile === undefined ? undefined : await readCustodyFile(custodyFile);
  const journal = await openOwnJournal(config, log);
  const { commands, events, identity, nats } = journal;
  const bus = new NatsBus(nats);
  const subjects = outboxSubjects(exchange);
  const connection = toRegistry(config);
  const switchPool = openPool({ ...connection, ...SWITCH_POOL });
  const switches = openSwitchBoard({ bus, exchange, log, metrics, pool: switchPool });
  const isIntakeStopped = () => switches.isIntakeStopped('outbox-dispatcher');
  const changes = changeTelemetry(log, metrics);
  const publisher = new ChangePublisher({
    clock: systemClock,
    connection,
    ...changesOn(bus, exchange, changes.published),
    isIntakeStopped,
    watcher: changes,
    onFault,
  });
  let leaderFrame: number | undefined;
  const dispatcher = new OutboxDispatcher({
    clock: systemClock,
    settings: settingsOf(config),
    onFault,
    connection,
    projectionSchema: config.postgresSchema,
    isDemo: config.isDemo === 'on',
    custody,
    client: openCommandClient({ bus, clock: systemClock, exchange, identity }),
    exchangeId: journal.found.exchangeId,
    leaderFrame: () => leaderFrame,
    lookUp: (rows, toFrame) => lookUp({ ...LOOKUP, commands, events }, rows, toFrame),
    ...OWNERS,
    publish: (outcome) => bus.publish(subjects.settled, encodeOutcome(outcome)),
    isIntakeStopped,
    watcher: dispatcherTelemetry(log, metrics),
  });
  const wakeBoth = wakerOf([dispatcher, publisher]);
  const subscriptions = [
    switches.watch(wakeBoth),
    bus.subscribe(subjects.waiting, wakeBoth),
    // Settled by this dispatcher or another one.
    bus.subscribe(subjects.settled, () => publisher.wake()),
    bus.subscribe(linkSubjects(exchange).leader, (message) => {
      const beat = decodeLeaderHeartbeat(message);
      if (beat === undefined) return;
      const isFirst = leaderFrame === undefined;
      leaderFrame = Math.max(leaderFrame ?? 0, beat.sequence);
      if (isFirst) dispatcher.wake();
    }),
  ];
  // Nothing is sent before the first read, no matter how long it takes.
  void switches.start();
  const health = openStatus({
    service: 'outbox-dispatcher',
    config,
    bus,
    log,
    metrics,
    ready: () => ({ journal: nats.isConnected, ...checksOf(dispatcher) }),
    figures: () => figuresOf(dispatcher),
    switchesVersion: () => switches.version,
    ...(custody === undefined ? {} : { custodyFile: custody.hash }),
  });
  const healthPort = await health.start();
  return { dispatcher, healthPort, stop };

  async function stop(): Promise<void> {
    for (const subscription of subscriptions) subscription.stop();
    await dispatcher.stop();
    await publisher.stop();
    switches.stop();
    await switchPool.end();
    await health.stop();
    await journal.close();
  }
}

function toRegistry(config: DispatcherConfig): ConnectionOptions {
  return {
    ...postgresAddress(config, config.mode),
    schema: config.registrySchema,
    name: config.instance,
    statementTimeoutMs: config.postgresStatementTimeoutMs,
  };
}

function wakerOf(parts: readonly { wake(): void }[]): () => void {
  return () => {
    for (const part of parts) part.wake();
  };
}

function checksOf({ blockedChannels, isDatabaseUp, registryBlocked }: OutboxDispatcher) {
  const channels = blockedChannels.length === 0 || `blocked: ${blockedChannels.join(', ')}`;
  const registry = registryBlocked === undefined || `blocked: ${registryBlocked}`;
  return { database: isDatabaseUp, channels, registry };
}

function figuresOf({ blockedChannels, isActive, logNeededAfter }: OutboxDispatcher) {
  return {
    sends: isActive ? 1 : 0,
    channels_blocked: blockedChannels.length,
    log_needed_after: logNeededAfter,
  };
}

function changesOn(
  bus: NatsBus,
  exchange: string,
  onPublished: (changes: readonly TransferChange[], nowMs: number) => void,
): Pick<ChangePublisherOptions, 'sources'> {
  const now = () => ({ exchange, nowMs: systemClock.nowMs() });
  const transfers: ChangeSource<TransferChange> = {
    read: readUnpublishedChanges,
    publish: (changes) => bus.publishAll(changes.map((change) => changeNotice(change, now()))),
    markPublished: markChangesPublished,
    onPublished,
  };
  const stakes: ChangeSource<StakeChange> = {
    read: readUnpublishedStakeChanges,
    publish: (changes) => bus.publishAll(changes.map((change) => stakeNotice(change, now()))),
    markPublished: markStakeChangesPublished,
  };
  return { sources: [transfers, stakes] };
}

function openOwnJournal(config: DispatcherConfig, log: Logger): Promise<OpenedJournal> {
  return openJournal({ config, as: 'outbox-dispatcher', log, known: logInTables(config) });
}
