// Mails of operators on a real server: known mails, their own texts, and texts to many.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { readMails } from '../../testing/identity/read-mails.ts';
import type { JsonObject } from '../audit/index.ts';
import { vault } from '../identity/registry-for-test.ts';
import { leaseMails, renderMail } from '../mail/index.ts';
import { performAct } from '../operators/index.ts';
import { type OperatorForTest, OperatorStage } from '../operators/operators-for-test.ts';
import { type RawMailContent, rawMail, sendKnownMail, sendRawMail } from './mail-acts.ts';
import { changeMailText, readMailText } from './mail-texts.ts';

const SETTINGS = { exchange: 'Rialto', webUrl: 'https://exchange.example' };
const NEWS: RawMailContent = {
  receivers: ['Ann@example.com', 'ann@example.com', 'bob@example.com'],
  title: 'New coins\r\nBcc: eve@example.com',
  html: '<p>We list <b>three</b> coins.</p><script>bad()</script><p>See http://evil.example</p>',
  text: '',
};

let stage: OperatorStage;
let admin: OperatorForTest;

const outcome = async (work: () => Promise<{ kind: string }>) =>
  work().then(
    ({ kind }) => kind,
    (fault: { refusal?: string }) => fault.refusal ?? String(fault),
  );

describe('mails of operators', () => {
  before(async () => {
    stage = await OperatorStage.open();
    admin = await stage.operator();
  });
  after(() => stage.close());

  const sent: [type: string, data: JsonObject, kind: string | undefined][] = [
    ['welcome', {}, 'welcome'],
    ['login', { ip: '192.0.2.7', country: 'PT' }, 'new_device'],
    ['user_deactivated', { type: 'deactivated' }, 'account_frozen'],
    ['user_deactivated', { type: 'other' }, undefined],
    ['deposit', { amount: '0.5', currency: 'btc', status: 'PENDING' }, 'deposit_pending'],
    ['deposit', { amount: 2, currency: 'btc', status: 'COMPLETED' }, 'deposit_completed'],
    ['deposit', { amount: 'much', currency: 'btc', status: 'COMPLETED' }, undefined],
    ['withdrawal', { amount: 2, currency: 'btc', status: 'COMPLETED' }, 'withdrawal_completed'],
    ['deposit_cancel', { type: 'withdrawal', amount: 2, currency: 'btc' }, 'withdrawal_ended'],
    ['reset_password', { code: '1' }, undefined],
    ['alert', { type: 'x', data: '<a href="http://evil.example">x</a>' }, undefined],
  ];
  for (const [type, data, kind] of sent) {
    test(`${type} ${JSON.stringify(data)}: ${kind ?? 'refused'}`, async () => {
      const user = await stage.user();
      const mail = () => performAct(stage.ports, admin, sendKnownMail, { user, type, data });
      assert.equal(await outcome(mail), kind === undefined ? 'mail_refused' : 'done');
      const mails = await readMails(stage.pool, vault, { user });
      assert.deepEqual(
        mails.map((one) => one.kind),
        kind === undefined ? [] : [kind],
      );
    });
  }

  test('the audit has no values of the mail in clear', async () => {
    const user = await stage.user();
    const data = { ip: '192.0.2.99' };
    await performAct(stage.ports, admin, sendKnownMail, { user, type: 'login', data });
    const { rows } = await stage.pool.query(
      `select after, sealed is not null as "isSealed" from audit_entries
       order by seq desc limit 1`,
    );
    assert.deepEqual(rows, [{ after: { type: 'login', kind: 'new_device' }, isSealed: true }]);
  });

  test('abuse 52: an own text arrives without HTML, links and further headers', async () => {
    await stage.pool.query('delete from mail_outbox');
    const payload = rawMail(vault, NEWS);
    assert.equal(await outcome(() => performAct(stage.ports, admin, sendRawMail, payload)), 'done');
    const { mails } = await leaseMails(stage.pool, vault, { leaseMs: 60_000, max: 10 });
    const receivers = mails.map(({ sealed }) => sealed?.to).sort();
    assert.deepEqual(receivers, ['ann@example.com', 'bob@example.com']);
    const [{ sealed }] = mails;
    const values = sealed?.values as { title: string; message: string };
    const mail = { kind: 'operator_message', language: 'en', values, word: '' } as const;
    const { html, subject, text } = renderMail(mail, SETTINGS);
    assert.equal(subject, 'New coins Bcc: eve@example[.]com');
    assert.ok(text.includes('We list three coins.') && html.includes('We list three coins.'));
    for (const bad of ['<script', 'bad()', 'http://evil', '<b>']) {
      assert.ok(!text.includes(bad) && !html.includes(bad), bad);
    }
  });

  test('no receiver is in clear in the request or in the audit', async () => {
    const payload = rawMail(vault, NEWS);
    assert.ok(!JSON.stringify(payload).includes('ann@'));
    await performAct(stage.ports, admin, sendRawMail, payload);
    const { rows } = await stage.pool.query(
      'select after::text from audit_entries order by seq desc limit 1',
    );
    assert.ok(!rows[0].after.includes('ann@'));
  });

  const refused: [what: string, change: Partial<RawMailContent>][] = [
    ['no receivers', { receivers: [] }],
    ['a receiver that is none', { receivers: ['ann@example.com, eve@example.com'] }],
    ['no text', { html: '<script>x</script>' }],
    ['a long title', { title: 'x'.repeat(151) }],
  ];
  for (const [what, change] of refused) {
    test(`${what} is refused`, () => {
      assert.throws(() => rawMail(vault, { ...NEWS, ...change }), { refusal: 'mail_refused' });
    });
  }

  test('an own text needs a power, and approvals by the number of receivers', async () => {
    const second = await stage.operator();
    const supervisor = await stage.operator('supervisor');
    const mailTo = (count: number) =>
      rawMail(vault, {
        ...NEWS,
        receivers: Array.from({ length: count }, (_, at) => `u${at}@example.com`),
      });
    const send = (operator: OperatorForTest, count: number) =>
      outcome(() => performAct(stage.ports, operator, sendRawMail, mailTo(count)));
    assert.equal(await send(supervisor, 1), 'power_missing');
    assert.equal(await send(admin, 10), 'done');
    for (const [count, needed] of [
      [11, 1],
      [1_000, 1],
      [1_001, 2],
    ] as const) {
      assert.equal(await send(admin, count), 'waiting');
      const { rows } = await stage.pool.query(
        'select needed from approval_requests order by id desc limit 1',
      );
      assert.equal(Number(rows[0].needed), needed, `${count}`);
    }
    await stage.pool.query('update users set role = null where id = $1', [second.user]);
  });
});

describe('texts of mails', () => {
  before(async () => {
    stage = await OperatorStage.open();
    admin = await stage.operator();
  });
  after(() => stage.close());

  const change = (title: string, html: string, kind = 'welcome', language = 'en') =>
    outcome(() => performAct(stage.ports, admin, changeMailText, { kind, language, title, html }));

  test('the notifier sends the own text, in its language only', async () => {
    const html = '<p>You are at <i>{exchange}</i> now.</p>';
    assert.equal(await change('Hello from {exchange}', html), 'done');
    const user = await stage.user();
    await performAct(stage.ports, admin, sendKnownMail, { user, type: 'welcome', data: {} });
    const { mails } = await leaseMails(stage.pool, vault, { leaseMs: 60_000, max: 1 });
    const [{ ownTexts, sealed }] = mails;
    const mail = { kind: 'welcome', values: sealed?.values as never, word: '', ownTexts } as const;
    const { subject, text } = renderMail({ ...mail, language: 'en' }, SETTINGS);
    assert.equal(subject, 'Hello from Rialto');
    assert.ok(text.includes('You are at Rialto now.'));
    const german = await readMailText(stage.pool, { kind: 'welcome', language: 'de' });
    assert.equal(german?.isOwn, false);
  });

  test('an empty text restores the one of the release', async () => {
    assert.equal(await change('', ''), 'done');
    const found = await readMailText(stage.pool, { kind: 'welcome', language: 'en' });
    assert.equal(found?.isOwn, false);
  });

  const refused: [what: string, ...given: Parameters<typeof change>][] = [
    ['an unknown placeholder', 'Hello {name}', '<p>x</p>'],
    ['a placeholder that does not end', 'Hello', '<p>{code</p>'],
    ['a link', 'Hello', '<p>https://evil.example</p>'],
    ['a host name', 'Hello', '<p>Log in at evil.example now</p>'],
    ['no title', '', '<p>x</p>'],
    ['no text', 'Hello', ''],
    ['too many paragraphs', 'Hello', '<p>x</p>'.repeat(21)],
    ['an unknown kind', 'Hello', '<p>x</p>', 'unknown'],
    ['an unknown language', 'Hello', '<p>x</p>', 'welcome', 'xx'],
  ];
  for (const [what, ...given] of refused) {
    test(`${what} is refused`, async () => {
      assert.equal(await change(...given), 'mail_refused');
    });
  }
});
