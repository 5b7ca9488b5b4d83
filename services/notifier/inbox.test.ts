// The development inbox stores the last emails, serves them as pages and JSON, and runs nothing
// that an email contains.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { systemClock } from '../../infra/process/index.ts';
import { createInbox } from './inbox.ts';
import type { OutgoingMail } from './mail-transport.ts';

const MAIL: OutgoingMail = {
  messageId: '<1@exchange.example>',
  kind: 'reset_password',
  language: 'en',
  from: { name: 'Example', address: 'no-reply@exchange.example' },
  to: 'alice@example.com',
  subject: 'Reset your password',
  text: 'The code is 123456.',
  html: '<p>The code is <b>123456</b>.</p>',
  createdAt: new Date('2026-11-15T12:00:00Z'),
  code: '123456',
};

async function open(context: TestContext) {
  const options = { clock: systemClock, host: '127.0.0.1', port: 0, exchange: 'Example' };
  const inbox = createInbox(options);
  const port = await inbox.listen();
  context.after(() => inbox.stop());
  const get = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`);
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  return { inbox, get };
}

test('programs read emails as JSON, newest first, or those to one recipient', async (context) => {
  const { get, inbox } = await open(context);
  await inbox.send(MAIL);
  await inbox.send({ ...MAIL, to: 'Bob@example.com', code: '654321' });
  const read = async (path: string) =>
    JSON.parse((await get(path)).text).map(({ code, to }: OutgoingMail) => [to, code]);
  assert.deepEqual(await read('/messages.json'), [
    ['Bob@example.com', '654321'],
    ['alice@example.com', '123456'],
  ]);
  assert.deepEqual(await read('/messages.json?to=bob@example.com'), [
    ['Bob@example.com', '654321'],
  ]);
});

test('browsers get a list, and each email as HTML, text and source', async (context) => {
  const { get, inbox } = await open(context);
  assert.match((await get('/')).text, /No email yet/);
  await inbox.send(MAIL);
  assert.match((await get('/')).text, /href="\/messages\/1"/);
  assert.match((await get('/messages/1')).text, /<iframe[^>]*sandbox="[^"]*"/);
  assert.equal((await get('/messages/1/html')).text, MAIL.html);
  assert.equal((await get('/messages/1/text')).text, MAIL.text);
  assert.match((await get('/messages/1/raw')).text, /^Message-ID: <1@exchange\.example>$/m);
  for (const path of ['/messages/2', '/messages/x', '/messages/1/other', '/x']) {
    assert.equal((await get(path)).status, 404, path);
  }
});

test('no script runs in a page or in an email', async (context) => {
  const { get, inbox } = await open(context);
  const hostile = '<script>alert(1)</script>';
  await inbox.send({ ...MAIL, subject: hostile, to: hostile, html: hostile, text: hostile });
  for (const path of ['/', '/messages/1']) {
    const { headers, text } = await get(path);
    assert.doesNotMatch(text, /<script/, path);
    assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none'/, path);
  }
  const policy = (await get('/messages/1/html')).headers.get('content-security-policy') ?? '';
  assert.match(policy, /sandbox allow-popups/);
  assert.doesNotMatch(policy, /allow-scripts|allow-same-origin|script-src/);
});

test('only the last 200 emails are kept', async (context) => {
  const { get, inbox } = await open(context);
  for (let count = 1; count <= 203; count++) await inbox.send({ ...MAIL, code: String(count) });
  const kept = JSON.parse((await get('/messages.json')).text) as OutgoingMail[];
  assert.deepEqual([kept.length, kept[0].code, kept.at(-1)?.code], [200, '203', '4']);
});
