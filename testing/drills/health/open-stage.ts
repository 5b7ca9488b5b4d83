// The exchange of the drill: every service, three NATS servers, a mail server, two operators, a
// trader who keeps the log growing, and the watch.

import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { useTeam } from '../../../features/approvals/operators-for-test.ts';
import { openConnection } from '../../../infra/postgres/index.ts';
import { type SmtpForTest, startSmtpForTest } from '../../../services/notifier/smtp-for-test.ts';
import { RestClient } from '../../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../../tools/sandbox/sandbox.ts';
import { REGISTRY_SCHEMA } from '../../../tools/sandbox/sandbox-settings.ts';
import { freePorts } from '../../../tools/services/free-ports.ts';
import { PersonOverHttp } from '../../identity/person-over-http.ts';
import type { SmallDisk } from '../harness/small-disk.ts';
import { reportBackup } from './data-faults.ts';
import { HealthWatch } from './health-watch.ts';
import { writeCertificate } from './server-faults.ts';
import type { HealthStage, MailServer } from './staged-fault.ts';

export interface OpenStage extends HealthStage {
  readonly watch: HealthWatch;
  close(): Promise<void>;
}

const ORDER_EVERY_MS = 200;
const ANSWER_WITHIN_MS = 2_000;
const CERTIFICATE_DAYS = 90;
/** Ledger checks of a small exchange; by default every minute. */
const LEDGER_EVERY_MS = 1_000;
const STATEMENT_TIMEOUT_MS = 30_000;
/** Closes clients that do not read sooner. */
const STUCK_AFTER_MS = 1_000;

export async function openStage(folder: string, disk: SmallDisk | string): Promise<OpenStage> {
  const certificateFile = join(folder, 'certificate.pem');
  writeCertificate(certificateFile, CERTIFICATE_DAYS);
  const mail = await openMailServer();
  const sandbox = await startSandbox({
    folder,
    natsNodes: 3,
    gateways: 2,
    streams: 1,
    withArchivist: true,
    withReconciler: true,
    withNotifier: true,
    withMonitor: true,
    checkAnswers: false,
    sequencerPreload: join(import.meta.dirname, '../../operators/failing-engine.ts'),
    notifierSettings: { RIALTO_SMTP_URL: mail.url, RIALTO_MAIL_FROM: 'drill@example.com' },
    streamSettings: { RIALTO_STUCK_AFTER_MS: String(STUCK_AFTER_MS) },
    monitorSettings: {
      RIALTO_MONITOR_CERTIFICATES: certificateFile,
      RIALTO_MONITOR_DISKS: join(folder, 'archive'),
      RIALTO_MONITOR_LEDGER_EVERY_MS: String(LEDGER_EVERY_MS),
    },
  });
  await useTeam(sandbox.admin.registry);
  const ann = await PersonOverHttp.operator(sandbox, 'admin');
  const ben = await PersonOverHttp.operator(sandbox, 'admin');
  await reportBackup(ann);
  // A gateway's first identity call loads the countries of all networks, and blocks the gateway.
  const { email } = sandbox.seeded.users.bob;
  await new RestClient({ url: sandbox.url }).get('/reset-password', { email });
  const watch = new HealthWatch(sandbox, ann);
  const trader = new Trader(sandbox);
  watch.start();
  const trading = trader.trade();
  return { sandbox, ann, ben, mailServer: mail, certificateFile, disk, sql, watch, close };

  async function sql(text: string): Promise<void> {
    const connection = await openConnection({
      url: sandbox.postgres.url,
      schema: REGISTRY_SCHEMA,
      name: 'drill',
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    });
    try {
      await connection.query(text);
    } finally {
      await connection.end();
    }
  }

  async function close(): Promise<void> {
    trader.isStopped = true;
    await trading;
    await watch.stop();
    await sandbox.stop();
    await mail.stop();
  }
}

/** Keeps placing an order that does not match, so frames and events flow. */
class Trader {
  isStopped = false;
  readonly #alice: RestClient;

  constructor({ seeded, url }: Sandbox) {
    this.#alice = new RestClient({ url, ...seeded.users.alice });
  }

  async trade(): Promise<void> {
    const order = { symbol: 'btc-usdt', side: 'sell', type: 'limit', size: 0.001, price: 65_000 };
    for (let count = 1; !this.isStopped; count++) {
      // Equal orders would be treated as replays after a while.
      const client_order_id = `health-${count}`;
      const sent = { ...order, time_in_force: 'IOC', client_order_id };
      const placed = this.#alice.post('/order', sent);
      // A stopped gateway does not respond; the next order does not wait for it.
      await Promise.race([placed.catch(() => {}), delay(ANSWER_WITHIN_MS)]);
      await delay(ORDER_EVERY_MS);
    }
  }
}

/** Always on the same port. */
async function openMailServer(): Promise<MailServer & { readonly url: string }> {
  const [port] = await freePorts(1);
  let server: SmtpForTest | undefined;
  const mail = {
    url: `smtp://127.0.0.1:${port}`,
    async start(): Promise<void> {
      server ??= await startSmtpForTest({ port });
    },
    async stop(): Promise<void> {
      await server?.stop();
      server = undefined;
    },
  };
  await mail.start();
  return mail;
}
