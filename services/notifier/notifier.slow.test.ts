// A notifier on a real PostgreSQL and a real SMTP server: every possible result for an email,
// including when the notifier is killed or the mail server is down or does not encrypt.

import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import type { SMTPServerOptions } from 'smtp-server';
import { createUser } from '../../features/accounts/index.ts';
import {
  EXAMPLE_VALUES,
  enqueueMail,
  leaseMails,
  type MailKind,
} from '../../features/messages/index.ts';
import type { MailState } from '../../features/messages/mail/mail-delivery.ts';
import { migrate, openPool, type Pool } from '../../infra/postgres/index.ts';
import { createLogger } from '../../infra/process/index.ts';
import { readRegistryMigrations } from '../../platform/database/index.ts';
import { Vault } from '../../platform/vault/index.ts';
import {
  type PostgresForTest,
  startPostgresForTest,
} from '../../testing/projections/postgres-for-test.ts';
import { until } from '../../tools/services/wait-until.ts';
import { startNotifier } from './app.ts';
import { notifierConfig } from './config.ts';
import { type SmtpForTest, type SmtpForTestOptions, startSmtpForTest } from './smtp-for-test.ts';

const SCHEMA = 'registry';
const KEY = Buffer.alloc(32, 9);
const PROGRAM = join(import.meta.dirname, 'main.ts');
const vault = new Vault(new Map([[1, KEY]]));

let postgres: PostgresForTest;
let pool: Pool;
let stopPostgres: () => Promise<void> = async () => {};
/** All log lines from notifiers in this process. */
let lines = '';
const log = createLogger({
  service: 'notifier',
  instance: 'test',
  level: 'trace',
  to: { write: (line) => void (lines += line) },
});

interface MailRow {
  readonly state: MailState;
  readonly attempts: number;
  readonly error: string | null;
  readonly messageId: string;
  readonly isEmptied: boolean;
}

async function mailRow(to: string): Promise<MailRow> {
  const { rows } = await pool.query(
    `select state, attempts::int, error, message_id as "messageId",
       sealed is null and kek_id is null and settled_at is not null as "isEmptied"
     from mail_outbox where recipient_mac = $1`,
    [vault.mac('mail recipient', to)],
  );
  assert.equal(rows.length, 1);
  return rows[0] as MailRow;
}

async function enqueue(to: string, kind: MailKind = 'new_device', user: number | null = null) {
  const values = EXAMPLE_VALUES[kind];
  await enqueueMail(pool, vault, { user: user as never, to, language: 'en', kind, values });
}

function waitForState(to: string, state: MailState): Promise<void> {
  return until(`the email is ${state}`, async () => (await mailRow(to)).state === state);
}

function environment(smtpUrl: string, leaseMs = 30_000): NodeJS.ProcessEnv {
  return {
    RIALTO_MODE: 'development',
    RIALTO_POSTGRES_URL: postgres.server.url,
    RIALTO_ACCESS_KEY: KEY.toString('base64'),
    RIALTO_SMTP_URL: smtpUrl,
    RIALTO_MAIL_FROM: 'Example Exchange <no-reply@exchange.example>',
    RIALTO_API_NAME: 'Example Exchange',
    RIALTO_PUBLIC_URL: 'https://exchange.example',
    RIALTO_MAIL_POLL_MS: '20',
    RIALTO_MAIL_RETRY_MS: '20',
    RIALTO_MAIL_LEASE_MS: String(leaseMs),
  };
}

async function smtpFor(context: TestContext, options: SmtpForTestOptions = {}) {
  const smtp = await startSmtpForTest(options);
  context.after(() => smtp.stop());
  return smtp;
}

/** Stops before the mail server does. */
async function notifierFor(context: TestContext, { url }: Pick<SmtpForTest, 'url'>) {
  const config = notifierConfig(environment(url));
  const onFault = (reason: string) => assert.fail(reason);
  const app = await startNotifier({ config, log, onFault });
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= app.stop());
  context.after(stop);
  return { healthPort: app.healthPort, stop };
}

function header(raw: string, name: string): string {
  return new RegExp(`^${name}: (.*(?:\\n[ \\t].*)*)`, 'im').exec(raw)?.[1] ?? '';
}

describe('notifier', () => {
  before(async () => {
    postgres = await startPostgresForTest({ after: (end) => void (stopPostgres = end) });
    await migrate(await postgres.session(SCHEMA), SCHEMA, readRegistryMigrations());
    pool = openPool({ ...postgres.connection(SCHEMA), connectionsMax: 4 });
  });
  after(async () => {
    await pool.end();
    await stopPostgres();
  });

  test('emails with a code are leased before older ones without', async () => {
    for (const [at, kind] of (['new_device', 'welcome', 'confirm_action'] as const).entries()) {
      await enqueue(`order${at}@example.com`, kind);
    }
    const leased = [];
    for (let lease = 1; lease <= 3; lease++) {
      const { mails } = await leaseMails(pool, vault, { max: 1, leaseMs: 60_000 });
      leased.push(...mails.map(({ kind }) => kind));
    }
    assert.deepEqual(leased, ['confirm_action', 'new_device', 'welcome']);
    await pool.query('delete from mail_outbox');
  });

  test('an email is delivered once, and its row is emptied', async (context) => {
    const smtp = await smtpFor(context);
    await notifierFor(context, smtp);
    await enqueue('one@example.com', 'suspicious_login');
    await waitForState('one@example.com', 'sent');
    const { attempts, error, isEmptied, messageId } = await mailRow('one@example.com');
    assert.deepEqual({ attempts, error, isEmptied }, { attempts: 1, error: null, isEmptied: true });
    const [{ from, raw, to }, ...others] = smtp.received;
    assert.equal(others.length, 0);
    assert.deepEqual([from, ...to], ['no-reply@exchange.example', 'one@example.com']);
    assert.equal(header(raw, 'From'), 'Example Exchange <no-reply@exchange.example>');
    assert.equal(header(raw, 'To'), 'one@example.com');
    assert.equal(header(raw, 'Subject'), 'Confirm an unusual sign-in');
    assert.equal(header(raw, 'Message-ID'), `<${messageId}@exchange.example>`);
    assert.equal(header(raw, 'Auto-Submitted'), 'auto-generated');
    assert.match(header(raw, 'Content-Type'), /^multipart\/alternative/);
    assert.match(raw, /Content-Type: text\/plain; charset=utf-8/);
    assert.match(raw, /Content-Type: text\/html; charset=utf-8/);
    assert.match(raw, /^ {4}KM-48213$/m);
  });

  test('emails are queued while intake is stopped and sent afterwards', async (context) => {
    const smtp = await smtpFor(context);
    const intake = ['intake', 'notifier'];
    await pool.query(
      "insert into stops (name, object, previous, stopped_at) values ($1, $2, '', now())",
      intake,
    );
    await notifierFor(context, smtp);
    await enqueue('waits@example.com');
    await pool.query('select pg_sleep(1)');
    assert.equal((await mailRow('waits@example.com')).state, 'waiting');
    await pool.query('delete from stops where name = $1 and object = $2', intake);
    await waitForState('waits@example.com', 'sent');
  });

  test('an email that is temporarily refused is sent again', async (context) => {
    const seen: string[] = [];
    const smtp = await smtpFor(context, {
      onMessage({ raw }) {
        seen.push(header(raw, 'Message-ID'));
        return seen.length < 3 ? 451 : undefined;
      },
    });
    await notifierFor(context, smtp);
    await enqueue('two@example.com');
    await waitForState('two@example.com', 'sent');
    const { attempts, error, messageId } = await mailRow('two@example.com');
    assert.equal(attempts, 3);
    assert.equal(error, 'EMESSAGE DATA 451 4.1.1');
    assert.deepEqual(new Set(seen), new Set([`<${messageId}@exchange.example>`]));
  });

  for (const [name, options] of [
    ['recipient', { onRecipient: () => 550 }],
    ['message', { onMessage: () => 554 }],
  ] as const) {
    test(`a ${name} that is permanently refused fails immediately`, async (context) => {
      const to = `refused-${name}@example.com`;
      await notifierFor(context, await smtpFor(context, options));
      await enqueue(to);
      await waitForState(to, 'failed');
      const { attempts, error, isEmptied } = await mailRow(to);
      assert.equal(attempts, 1);
      assert.ok(isEmptied);
      assert.match(error ?? '', /^E[A-Z]+ (?:RCPT TO|DATA) 55[04] 5\.1\.1$/);
    });
  }

  test('an email is queued until the mail server is up', async (context) => {
    const first = await startSmtpForTest();
    await first.stop();
    await notifierFor(context, first);
    await enqueue('three@example.com');
    await waitForState('three@example.com', 'deferred');
    assert.equal((await mailRow('three@example.com')).isEmptied, false);
    const smtp = await smtpFor(context, { port: first.port });
    await waitForState('three@example.com', 'sent');
    assert.equal(smtp.received.length, 1);
  });

  test('an email older than a day fails instead of staying queued', async (context) => {
    const smtp = await startSmtpForTest();
    await smtp.stop();
    await enqueue('old@example.com');
    await pool.query(`update mail_outbox set created_at = now() - interval '25 hours'
      where state = 'waiting'`);
    await notifierFor(context, smtp);
    await waitForState('old@example.com', 'failed');
    assert.ok((await mailRow('old@example.com')).isEmptied);
  });

  test('a code that was not sent within its lifetime is never sent', async (context) => {
    const down = await startSmtpForTest();
    await down.stop();
    const { stop } = await notifierFor(context, down);
    await enqueue('code@example.com', 'reset_password');
    await waitForState('code@example.com', 'deferred');
    await stop();
    await pool.query(`update mail_outbox set expires_at = now() - interval '1 ms',
      next_at = least(next_at, now()) where state in ('deferred', 'sending')`);
    const smtp = await smtpFor(context, { port: down.port });
    await notifierFor(context, smtp);
    await waitForState('code@example.com', 'expired');
    assert.ok((await mailRow('code@example.com')).isEmptied);
    assert.deepEqual(smtp.received, []);
  });

  test('codes expire after five minutes; other emails do not', async () => {
    await enqueue('life-1@example.com', 'verify_email');
    await enqueue('life-2@example.com', 'new_device');
    const { rows } = await pool.query(
      `delete from mail_outbox where state = 'waiting'
       returning kind, extract(epoch from expires_at - created_at)::int as seconds`,
    );
    const lives = Object.fromEntries(rows.map(({ kind, seconds }) => [kind, seconds]));
    assert.deepEqual(lives, { verify_email: 300, new_device: null });
  });

  test('after a kill -9 an email is repeated at most once', async (context) => {
    const seen: string[] = [];
    let running: ChildProcess | undefined;
    const smtp = await smtpFor(context, {
      async onMessage({ raw }) {
        seen.push(header(raw, 'Message-ID'));
        const ended = once(running!, 'exit');
        running!.kill('SIGKILL');
        await ended;
        return undefined;
      },
    });
    await enqueue('killed@example.com');
    for (const expected of [1, 2]) {
      running = startProcess(environment(smtp.url, 1_000));
      await once(running, 'exit');
      assert.equal(seen.length, expected);
      assert.equal((await mailRow('killed@example.com')).state, 'sending');
    }
    await notifierFor(context, smtp);
    await waitForState('killed@example.com', 'failed');
    const { attempts, error, isEmptied, messageId } = await mailRow('killed@example.com');
    assert.deepEqual([attempts, isEmptied], [2, true]);
    assert.equal(error, 'end of an attempt unknown');
    assert.deepEqual(seen, Array(2).fill(`<${messageId}@exchange.example>`));
  });

  test('two notifiers send each email once', async (context) => {
    const smtp = await smtpFor(context);
    const addresses = Array.from({ length: 100 }, (_, index) => `many-${index}@example.com`);
    await Promise.all(addresses.map((to) => enqueue(to)));
    await Promise.all([notifierFor(context, smtp), notifierFor(context, smtp)]);
    await until('all emails arrive', () => smtp.received.length >= addresses.length);
    const to = smtp.received.flatMap((mail) => mail.to);
    assert.deepEqual(to.toSorted(), addresses.toSorted());
  });

  test('an email sent while PostgreSQL was down is not sent again', async (context) => {
    let isFirst = true;
    const smtp = await smtpFor(context, {
      async onMessage() {
        if (isFirst) await postgres.server.kill('SIGKILL');
        isFirst = false;
        return undefined;
      },
    });
    const { stop } = await notifierFor(context, smtp);
    await enqueue('outage@example.com');
    await until('the email arrives', () => smtp.received.length === 1);
    await postgres.server.start();
    await waitForState('outage@example.com', 'sent');
    await stop();
    assert.equal(smtp.received.length, 1);
    assert.equal((await mailRow('outage@example.com')).attempts, 1);
  });

  describe('encryption', () => {
    const host = hostname();
    for (const [name, server] of [
      ['does not offer encryption', {}],
      ['has an untrusted certificate', { disabledCommands: [] }],
    ] satisfies [string, SMTPServerOptions][]) {
      test(`another machine that ${name} gets no email`, async (context) => {
        const smtp = await smtpFor(context, { host: '0.0.0.0', server });
        const to = `tls-${smtp.port}@example.com`;
        await notifierFor(context, { url: `smtp://${host}:${smtp.port}` });
        await enqueue(to);
        await waitForState(to, 'deferred');
        const { error } = await mailRow(to);
        assert.match(error ?? '', /^(?:ETLS|ESOCKET|ECONNECTION)/);
        assert.deepEqual(smtp.received, []);
        await pool.query(`delete from mail_outbox where state in ('deferred', 'sending')`);
      });
    }
  });

  test('emails to another machine with a valid certificate are encrypted', async (context) => {
    const host = hostname();
    const { cert, certFile, key } = makeCertificate(context, host);
    for (const server of [{ disabledCommands: [] }, { secure: true }]) {
      const smtp = await smtpFor(context, { host: '0.0.0.0', server: { ...server, cert, key } });
      const to = `encrypted-${smtp.port}@example.com`;
      const url = `${'secure' in server ? 'smtps' : 'smtp'}://${host}:${smtp.port}`;
      // Node reads the certificate authorities at startup.
      const running = startProcess({ ...environment(url), NODE_EXTRA_CA_CERTS: certFile });
      context.after(() => running.kill('SIGKILL'));
      await enqueue(to);
      await waitForState(to, 'sent');
      running.kill('SIGTERM');
      const [code] = await once(running, 'exit');
      assert.equal(code, 0, 'an orderly stop');
      assert.deepEqual(
        smtp.received.map(({ isEncrypted }) => isEncrypted),
        [true],
      );
    }
  });

  test('the anti-phishing word is not in emails to a new address', async (context) => {
    const user = await createUser(pool, { email: 'word@example.com' });
    assert.ok(typeof user !== 'string');
    await pool.query(
      `update users set settings = settings || '{"mail": {"anti_phishing": "lantern"}}'
       where id = $1`,
      [user.id],
    );
    const smtp = await smtpFor(context);
    await notifierFor(context, smtp);
    await enqueue('word@example.com', 'new_device', user.id);
    await enqueue('new@example.com', 'email_change_new', user.id);
    await Promise.all([
      waitForState('word@example.com', 'sent'),
      waitForState('new@example.com', 'sent'),
    ]);
    const shown = smtp.received.map(({ raw, to }) => [to[0], raw.includes('lantern')]);
    assert.deepEqual(Object.fromEntries(shown), {
      'word@example.com': true,
      'new@example.com': false,
    });
  });

  test('abuse 51: an address that strangers often enter gets four per kind', async (context) => {
    const smtp = await smtpFor(context);
    const { stop } = await notifierFor(context, smtp);
    for (let count = 0; count < 30; count++) {
      await enqueue('flooded@example.com', count % 2 === 0 ? 'verify_email' : 'reset_password');
    }
    // Emails are sent in row order, so this one is the last.
    await enqueue('last@example.com');
    await waitForState('last@example.com', 'sent');
    await stop();
    const flooded = smtp.received.filter(({ to }) => to.includes('flooded@example.com'));
    assert.equal(flooded.length, 8, 'four of each kind');
  });

  test('abuse 52: an address cannot name two recipients or add a header', async (context) => {
    const smtp = await smtpFor(context);
    await notifierFor(context, smtp);
    const hostile = [
      'a@x.example, b@y.example',
      'a@x.example\r\nBcc: b@y.example',
      '<a@x.example>',
    ];
    for (const to of hostile) {
      await enqueue(to);
      const { rows } = await pool.query('select max(id) as id from mail_outbox');
      await until('the email fails', async () => {
        const { rows: found } = await pool.query('select error from mail_outbox where id = $1', [
          rows[0].id,
        ]);
        return found[0].error === 'address not valid';
      });
    }
    assert.deepEqual(smtp.received, []);
  });

  test('metrics count emails, and no log line has an address', async (context) => {
    const smtp = await smtpFor(context);
    const { healthPort } = await notifierFor(context, smtp);
    await enqueue('metrics@example.com');
    await waitForState('metrics@example.com', 'sent');
    const metrics = await (await fetch(`http://127.0.0.1:${healthPort}/metrics`)).text();
    assert.match(metrics, /^rialto_mails_total\{end="sent"\} 1$/m);
    assert.match(metrics, /^rialto_mails_waiting \d+$/m);
    assert.match(metrics, /^rialto_mails_oldest_seconds \S+$/m);
    assert.match(lines, /"mail deferred"/);
    assert.match(lines, /"mail failed"/);
    assert.match(lines, /"mail sent"/);
    assert.doesNotMatch(lines, /@(?:example\.com|x\.example)/);
  });
});

/** Creates a self-signed certificate, which NODE_EXTRA_CA_CERTS makes valid. */
function makeCertificate(context: TestContext, host: string) {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-certificate-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const name = ['-subj', '/CN=test', '-addext', `subjectAltName=DNS:${host}`, '-days', '1'];
  const files = ['-keyout', keyFile, '-out', certFile];
  execFileSync('openssl', ['req', '-x509', ...kind, ...name, ...files], { stdio: 'ignore' });
  return { certFile, cert: readFileSync(certFile), key: readFileSync(keyFile) };
}

function startProcess(environment: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, [PROGRAM], {
    stdio: 'ignore',
    env: { PATH: process.env.PATH, ...environment },
  });
}
