// Assembles a notifier process: mail transport, sender, scheduled jobs, health.

import { DAY_MS } from '../../core/market-data/index.ts';
import { openSwitchBoard, SWITCH_POOL } from '../../features/kill-switches/index.ts';
import { mailChanges } from '../../features/payments/index.ts';
import { connectNats, NatsBus } from '../../infra/bus/index.ts';
import { openIdentity } from '../../infra/identities/index.ts';
import {
  checkSchema,
  openPool,
  type Pool,
  postgresAddress,
  withConnection,
} from '../../infra/postgres/index.ts';
import { createMetrics, type Logger, systemClock } from '../../infra/process/index.ts';
import { openStatus } from '../../infra/status/index.ts';
import { readRegistryMigrations } from '../../platform/database/index.ts';
import { openVault } from '../../platform/vault/index.ts';
import type { NotifierConfig } from './config.ts';
import { createInbox, type Inbox } from './inbox.ts';
import { JobRunner } from './job-runner.ts';
import { MailSender, type MailSenderSettings } from './mail-sender.ts';
import { openSmtp } from './smtp-transport.ts';
import { jobTelemetry, mailTelemetry } from './telemetry.ts';

export interface NotifierApp {
  readonly healthPort: number;
  /** URL of the inbox, if there is one. */
  readonly url?: string;
  /** Completes the emails and the job in progress, then closes everything. */
  stop(): Promise<void>;
}

export interface NotifierAppOptions {
  readonly config: NotifierConfig;
  readonly log: Logger;
  onFault(reason: string, cause?: unknown): void;
}

const INBOX_HOST = '127.0.0.1';
const POOL_CONNECTIONS_MAX = 8;
const MAILS_AT_ONCE_PER_CONNECTION = 4;
const JOB_BATCH = 500;
/** Maximum number of deposit and withdrawal changes turned into emails by one transaction. */
const CHANGES_MAX = 100;

export async function startNotifier(options: NotifierAppOptions): Promise<NotifierApp> {
  const { config, log, onFault } = options;
  const clock = systemClock;
  const metrics = createMetrics({ ofProcess: true });
  const pool = openRegistry(config);
  await withConnection(pool, (connection) =>
    checkSchema(connection, config.registrySchema, readRegistryMigrations()),
  );
  const opened = await openVault({ config, registry: pool, clock, log });
  const { vault } = opened;
  const { exchange, instance: name, natsUrls: urls } = config;
  const identity = urls && openIdentity('notifier', config);
  const nats = urls && identity && (await connectNats({ urls, name, identity, log }));
  const bus = nats && new NatsBus(nats);
  const switchPool = openRegistry(config, SWITCH_POOL);
  const switches = openSwitchBoard({ bus, exchange, log, metrics, pool: switchPool });
  await switches.start();
  const isIntakeStopped = () => switches.isIntakeStopped('notifier');
  const inbox = config.smtpUrl === undefined ? openInbox(config) : undefined;
  const inboxPort = await inbox?.listen();
  const transport = inbox ?? openSmtp(smtpSettings(config), clock);
  const sender = new MailSender({
    clock,
    statements: pool,
    vault,
    transport,
    writeMails: () =>
      withConnection(pool, (connection) =>
        mailChanges(connection, { vault, limit: CHANGES_MAX, nowMs: clock.nowMs() }),
      ),
    identity: { exchange: config.apiName, webUrl: config.linkUrl, from: config.from },
    isIntakeStopped,
    settings: senderSettings(config),
    watcher: mailTelemetry(log, metrics),
    onFault,
  });
  const jobs = new JobRunner({
    clock,
    pool,
    schema: config.jobsSchema,
    context: {
      vault,
      retentionMs: config.retentionDays * DAY_MS,
      batch: JOB_BATCH,
      projectionSchema: config.postgresSchema,
    },
    isIntakeStopped,
    log,
    watcher: jobTelemetry(log, metrics),
    onFault,
  });
  for (const part of [sender, jobs]) switches.watch(() => part.obeySwitches());
  const health = openStatus({
    service: 'notifier',
    config,
    bus,
    log,
    metrics,
    ready: () => ({ database: sender.isDatabaseUp }),
    figures: () => ({ mails_under_way: sender.mailsUnderWay }),
    switchesVersion: () => switches.version,
  });
  const healthPort = await health.start();
  return {
    healthPort,
    ...(inboxPort === undefined ? {} : { url: `http://${INBOX_HOST}:${inboxPort}` }),
    stop,
  };

  async function stop(): Promise<void> {
    await Promise.all([sender.stop(), jobs.stop()]);
    transport.close();
    opened.stop();
    await inbox?.stop();
    await health.stop();
    switches.stop();
    await nats?.close();
    await Promise.all([pool.end(), switchPool.end()]);
  }
}

function openRegistry(config: NotifierConfig, limits = {}): Pool {
  return openPool({
    ...postgresAddress(config, config.mode),
    schema: config.registrySchema,
    name: config.instance,
    statementTimeoutMs: config.postgresStatementTimeoutMs,
    connectionsMax: POOL_CONNECTIONS_MAX,
    ...limits,
  });
}

function openInbox({ apiName, inboxPort }: NotifierConfig): Inbox {
  return createInbox({ clock: systemClock, host: INBOX_HOST, port: inboxPort, exchange: apiName });
}

function smtpSettings({ mailLeaseMs, smtpConnectionsMax, smtpUrl }: NotifierConfig) {
  return {
    url: new URL(smtpUrl!.reveal()),
    connectionsMax: smtpConnectionsMax,
    // An attempt's result is recorded before its lease expires.
    sendTimeoutMs: mailLeaseMs * 0.75,
  };
}

function senderSettings(config: NotifierConfig): MailSenderSettings {
  return {
    pollMs: config.mailPollMs,
    atOnceMax: config.smtpConnectionsMax * MAILS_AT_ONCE_PER_CONNECTION,
    leaseMs: config.mailLeaseMs,
    deferral: { retryMs: config.mailRetryMs, retryMsMax: 3_600_000, giveUpMs: DAY_MS },
    reportMs: 5_000,
    retryMs: 100,
    retryMsMax: 5_000,
  };
}
