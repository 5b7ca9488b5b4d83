// Notifier configuration: production needs a mail server, a sender and a URL; passwords and wrong
// values are never shown.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notifierConfig } from './config.ts';
import { outcomeOfFault, smtpOptions } from './smtp-transport.ts';

const BASE = { RIALTO_POSTGRES_URL: 'postgres://x@127.0.0.1/x' };
const COMPLETE = {
  ...BASE,
  RIALTO_HEALTH_PORT: '9408',
  RIALTO_SMTP_URL: 'smtps://user:p%40ss@mail.example',
  RIALTO_MAIL_FROM: 'Example <no-reply@exchange.example>',
  RIALTO_PUBLIC_URL: 'https://exchange.example',
};

test('production reports all missing settings together', () => {
  assert.throws(() => notifierConfig(BASE), {
    name: 'ConfigFault',
    message: new RegExp(
      [
        '^Invalid configuration: RIALTO_HEALTH_PORT is 0, a random port .*',
        'Invalid configuration: RIALTO_PUBLIC_URL is not set .*',
        'Invalid configuration: RIALTO_SMTP_URL is not set .*',
        'Invalid configuration: RIALTO_MAIL_FROM is not set .*required in production\\)$',
      ].join('\\n'),
    ),
  });
});

test('development needs only a database', () => {
  const { from, linkUrl, smtpUrl } = notifierConfig({ ...BASE, RIALTO_MODE: 'development' });
  assert.deepEqual(from, { name: 'Rialto', address: 'no-reply@rialto.example' });
  assert.equal(linkUrl, 'http://127.0.0.1:4000');
  assert.equal(smtpUrl, undefined);
});

test('links use the web URL, or the public URL without one', () => {
  assert.equal(notifierConfig(COMPLETE).linkUrl, 'https://exchange.example');
  const web = { ...COMPLETE, RIALTO_WEB_URL: 'https://web.example/app' };
  assert.equal(notifierConfig(web).linkUrl, 'https://web.example/app');
});

test('an invalid mail server URL is not shown', () => {
  for (const url of ['http://user:secret@x', 'smtp://', 'smtp://x/path', 'mail.example', '']) {
    const fault = () => notifierConfig({ ...COMPLETE, RIALTO_SMTP_URL: url });
    assert.throws(fault, (error: Error) => {
      assert.match(error.message, /RIALTO_SMTP_URL .*expected smtp:/);
      return !error.message.includes('secret');
    });
  }
});

test('senders', () => {
  const rows: [text: string, expected: unknown][] = [
    ['no-reply@exchange.example', { name: '', address: 'no-reply@exchange.example' }],
    ['A B <a@x.example>', { name: 'A B', address: 'a@x.example' }],
    ['A<a@x.example>', { name: 'A', address: 'a@x.example' }],
    ['A <a@x.example>, B <b@x.example>', undefined],
    ['a@x.example, b@x.example', undefined],
    ['A\r\nBcc: x <a@x.example>', undefined],
    ['A "B" <a@x.example>', undefined],
    ['nobody', undefined],
  ];
  for (const [text, expected] of rows) {
    const read = () => notifierConfig({ ...COMPLETE, RIALTO_MAIL_FROM: text }).from;
    if (expected === undefined) assert.throws(read, /RIALTO_MAIL_FROM/, text);
    else assert.deepEqual(read(), expected, text);
  }
});

test('connections to other machines are encrypted', () => {
  const rows: [url: string, expected: string][] = [
    ['smtp://mail.example', 'mail.example:587 STARTTLS'],
    ['smtp://mail.example:2525', 'mail.example:2525 STARTTLS'],
    ['smtps://mail.example', 'mail.example:465 TLS'],
    ['smtps://127.0.0.1', '127.0.0.1:465 TLS'],
    ['smtp://127.0.0.1:1025', '127.0.0.1:1025 plain'],
    ['smtp://localhost:1025', 'localhost:1025 plain'],
    ['smtp://[::1]:1025', '::1:1025 plain'],
    ['smtp://localhost.example', 'localhost.example:587 STARTTLS'],
    ['smtp://127.0.0.1.example', '127.0.0.1.example:587 STARTTLS'],
  ];
  for (const [url, expected] of rows) {
    const options = smtpOptions({ url: new URL(url), connectionsMax: 1 });
    const { host, ignoreTLS, port, requireTLS, secure, tls } = options;
    const kind = secure ? 'TLS' : requireTLS ? 'STARTTLS' : 'plain';
    assert.equal(`${host}:${port} ${kind}`, expected);
    assert.equal(ignoreTLS, kind === 'plain');
    assert.equal(tls.rejectUnauthorized, true);
  }
  const url = new URL(COMPLETE.RIALTO_SMTP_URL);
  assert.deepEqual(smtpOptions({ url, connectionsMax: 1 }).auth, { user: 'user', pass: 'p@ss' });
});

test('final failures are distinguished from temporary ones', () => {
  const rows: [fault: object, expected: string][] = [
    [{ code: 'EENVELOPE', command: 'RCPT TO', responseCode: 550 }, 'refused'],
    [{ code: 'EMESSAGE', command: 'DATA', responseCode: 554 }, 'refused'],
    [{ code: 'EENVELOPE', command: 'RCPT TO', responseCode: 450 }, 'deferred'],
    [{ code: 'EMESSAGE', command: 'DATA', responseCode: 451 }, 'deferred'],
    [{ code: 'EAUTH', command: 'AUTH PLAIN', responseCode: 535 }, 'deferred'],
    [{ code: 'EENVELOPE', command: 'MAIL FROM', responseCode: 550 }, 'deferred'],
    [{ code: 'ECONNECTION', command: 'CONN' }, 'deferred'],
    [new Error('anything'), 'deferred'],
  ];
  for (const [fault, expected] of rows) {
    assert.equal(outcomeOfFault(fault).kind, expected, JSON.stringify(fault));
  }
});

test('the recorded error has codes and no address', () => {
  const outcome = outcomeOfFault({
    code: 'EENVELOPE',
    command: 'RCPT TO',
    responseCode: 550,
    response: '550 5.1.1 <alice@example.com>: no such user',
  });
  assert.deepEqual(outcome, { kind: 'refused', error: 'EENVELOPE RCPT TO 550 5.1.1' });
});
