// Tests operator emails on a real server: known emails, operators' own texts, and texts to many.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { Refused } from '../../../protocol/wire/index.ts';
import { readMails } from '../../../testing/identity/read-mails.ts';
import { allowed } from '../../approvals/act-for-test.ts';
import { type ActTable, performAct } from '../../approvals/index.ts';
import {
  type OperatorForTest,
  OperatorStage,
  useTeam,
} from '../../approvals/operators-for-test.ts';
import type { JsonObject } from '../../audit/index.ts';
import { vault } from '../../auth/registry-for-test.ts';
import { leaseMails } from '../mail/mail-delivery.ts';
import { renderMail } from '../mail/render-mail.ts';
import { changeMailText, readMailText } from './mail-texts.ts';
import { type RawMailContent, rawMail, sendKnownMail, sendRawMail } from './send-mail.ts';

const SETTINGS = { exchange: 'Rialto', webUrl: 'https://exchange.example' };
const NEWS: RawMailContent = {
  receivers: ['Ann@example.com', 'ann@example.com', 'bob@example.com'],
  title: 'New coins\r\nBcc: eve@example.com',
  html: '<p>We list <b>three</b> coins.</p><script>bad()</script><p>See http://evil.example</p>',
  text: '',
};

const PAID = { amount: 2, currency: 'btc', status: 'COMPLETED' };
const BTC_ADDRESS = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const TX = '4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b';

let stage: OperatorStage;
let admin: OperatorForTest;

const DAY_MS = 86_400_000;
const MAIL_ACTS = new Map([[sendRawMail.name, sendRawMail]]) as unknown as ActTable;

const outcome = async (work: () => Promise<{ kind: string } | Refused>) => {
  const performed = await work();
  return performed instanceof Refused ? performed.key : performed.kind;
};

function sendTo(operator: OperatorForTest, count: number): Promise<string> {
  const receivers = Array.from({ length: count }, (_, at) => `u${at}@example.com`);
  const payload = allowed(rawMail({ ...NEWS, receivers }));
  return outcome(() => performAct(stage.ports, operator, sendRawMail, payload));
}

describe('operator emails', () => {
  before(async () => {
    stage = await OperatorStage.open();
    await stage.pool.query(
      `insert into coins (symbol, fullname, network) values ('btc', 'Bitcoin', 'btc')`,
    );
    admin = await stage.operator();
  });
  after(() => stage.close());

  const sent: [type: string, data: JsonObject, kind: string | undefined][] = [
    ['welcome', {}, 'welcome'],
    ['login', { ip: '192.0.2.7', country: 'PT' }, 'new_device'],
    ['login', { ip: '2001:db8::7', time: '2026-11-16T03:00:00Z' }, 'new_device'],
    ['login', { ip: 'call +1 555 0100' }, undefined],
    ['login', { ip: '1.2.3.4.evil.example' }, undefined],
    ['login', { country: 'Write to eve@example.com' }, undefined],
    ['login', { time: 'your account is locked, call us' }, undefined],
    ['user_deactivated', { type: 'deactivated' }, 'account_frozen'],
    ['user_deactivated', { type: 'other' }, undefined],
    ['deposit', { amount: '0.5', currency: 'btc', status: 'PENDING' }, 'deposit_pending'],
    ['deposit', { amount: 2, currency: 'btc', status: 'COMPLETED' }, 'deposit_completed'],
    ['deposit', { amount: 'much', currency: 'btc', status: 'COMPLETED' }, undefined],
    ['withdrawal', { amount: 2, currency: 'btc', status: 'COMPLETED' }, 'withdrawal_completed'],
    ['withdrawal', { ...PAID, address: BTC_ADDRESS, transaction_id: TX }, 'withdrawal_completed'],
    ['withdrawal', { ...PAID, network: 'btc', address: BTC_ADDRESS }, 'withdrawal_completed'],
    ['withdrawal', { ...PAID, address: 'visit evil.example' }, undefined],
    ['withdrawal', { ...PAID, address: 'evil' }, undefined],
    ['withdrawal', { ...PAID, network: 'email', address: 'eve@example.com' }, undefined],
    ['withdrawal', { ...PAID, network: 'call us' }, undefined],
    ['withdrawal', { ...PAID, transaction_id: 'call 555 0100' }, undefined],
    ['withdrawal', { ...PAID, currency: 'evilcoin' }, undefined],
    ['withdrawal', { ...PAID, fee: 'free', fee_coin: 'btc' }, undefined],
    ['withdrawal', { ...PAID, fee: 1, fee_coin: 'evilcoin' }, undefined],
    ['deposit_cancel', { type: 'deposit', amount: 2, currency: 'btc', date: 'soon' }, undefined],
    ['deposit_cancel', { type: 'withdrawal', amount: 2, currency: 'btc' }, 'withdrawal_ended'],
    ['account_upgrade', {}, 'account_upgraded'],
    ['account_verify', {}, 'account_verified'],
    ['bank_verified', { bankAccounts: [{ iban: 'call 555 0100' }] }, 'bank_verified'],
    ['discount_update', { rate: 12.5 }, 'discount_changed'],
    ['discount_update', { rate: '12.5' }, 'discount_changed'],
    ['discount_update', { rate: 'call 555 0100' }, undefined],
    ['discount_update', { rate: 101 }, undefined],
    ['user_verification_reject', { type: 'id', message: 'x' }, 'verification_rejected'],
    ['user_verification_reject', { type: 'bank' }, 'bank_rejected'],
    ['user_verification_reject', { type: 'x' }, undefined],
    ['invalid_address', { amount: 2, currency: 'btc', address: 'evil' }, 'withdrawal_ended'],
    ['reset_password', { code: '1' }, undefined],
    ['alert', { type: 'x', data: '<a href="http://evil.example">x</a>' }, undefined],
  ];
  for (const [type, data, kind] of sent) {
    test(`${type} ${JSON.stringify(data)}: ${kind ?? 'rejected'}`, async () => {
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

  test("an operator's text is not accepted as a login device", async () => {
    const user = await stage.user();
    const data = { device: 'Your account is locked. Call +1 555 0100' };
    await performAct(stage.ports, admin, sendKnownMail, { user, type: 'login', data });
    const [{ values }] = await readMails(stage.pool, vault, { user });
    assert.equal((values as { device: string }).device, '');
  });

  test('the audit log has no email values in clear text', async () => {
    const user = await stage.user();
    const data = { ip: '192.0.2.99' };
    await performAct(stage.ports, admin, sendKnownMail, { user, type: 'login', data });
    const { rows } = await stage.pool.query(
      `select after, sealed is not null as "isSealed" from audit_entries
       order by seq desc limit 1`,
    );
    assert.deepEqual(rows, [{ after: { type: 'login', kind: 'new_device' }, isSealed: true }]);
  });

  test('abuse 52: a custom text arrives without HTML, links and extra headers', async () => {
    await stage.pool.query('delete from mail_outbox');
    const payload = allowed(rawMail(NEWS));
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

  test('neither recipients nor the text are in clear text in the audit log', async () => {
    await performAct(stage.ports, admin, sendRawMail, allowed(rawMail(NEWS)));
    const { rows } = await stage.pool.query(
      'select object || after::text as text from audit_entries order by seq desc limit 1',
    );
    assert.ok(!/ann@|three coins/.test(rows[0].text));
  });

  test('a plain text is sent in place of the HTML', () => {
    const { message } = allowed(rawMail({ ...NEWS, text: ' Two lines\nin plain text ' }));
    assert.equal(message, 'Two lines\nin plain text');
  });

  const refused: [what: string, change: Partial<RawMailContent>][] = [
    ['no recipients', { receivers: [] }],
    ['an invalid recipient', { receivers: ['ann@example.com, eve@example.com'] }],
    ['no text', { html: '<script>x</script>' }],
    ['a long title', { title: 'x'.repeat(151) }],
  ];
  for (const [what, change] of refused) {
    test(`${what} is rejected`, () => {
      const mail = rawMail({ ...NEWS, ...change });
      assert.equal(mail instanceof Refused && mail.key, 'mail_refused');
    });
  }

  test('a custom text requires a permission', async () => {
    const supervisor = await stage.operator('supervisor');
    assert.equal(await sendTo(supervisor, 1), 'power_missing');
  });
});

describe('recipients of custom texts', () => {
  let others: OperatorForTest;

  before(async () => {
    stage = await OperatorStage.open();
    await useTeam(stage.pool);
    admin = await stage.operator();
    others = await stage.operator();
  });
  after(() => stage.close());
  beforeEach(() => stage.clock.advance(DAY_MS));

  const neededOfLast = async () => {
    const { rows } = await stage.pool.query(
      'select needed from approval_requests order by id desc limit 1',
    );
    return Number(rows[0].needed);
  };

  const limits = [
    [11, 1],
    [1_000, 1],
    [1_001, 2],
  ] as const;
  for (const [count, needed] of limits) {
    test(`${count} recipients need ${needed} approvals`, async () => {
      assert.equal(await sendTo(admin, count), 'waiting');
      assert.equal(await neededOfLast(), needed);
    });
  }

  test('abuse 44: they are counted over 24 hours, so splitting does not help', async () => {
    assert.equal(await sendTo(admin, 6), 'done');
    assert.equal(await sendTo(admin, 4), 'done');
    assert.equal(await sendTo(admin, 1), 'waiting');
    assert.equal(await sendTo(others, 1), 'waiting', 'another operator sends the rest');
    stage.clock.advance(DAY_MS);
    assert.equal(await sendTo(admin, 10), 'done');
  });

  test('abuse 44: approved ones count only toward the second approval', async () => {
    assert.equal(await sendTo(admin, 500), 'waiting');
    const { rows } = await stage.pool.query('select max(id) as id from approval_requests');
    assert.equal(await stage.vote(others, Number(rows[0].id), {}, MAIL_ACTS), 'executed');
    assert.equal(await sendTo(admin, 10), 'done');
    assert.equal(await sendTo(admin, 490), 'waiting');
    assert.equal(await neededOfLast(), 1);
    assert.equal(await sendTo(admin, 491), 'waiting');
    assert.equal(await neededOfLast(), 2);
  });
});

describe('email texts', () => {
  before(async () => {
    stage = await OperatorStage.open();
    admin = await stage.operator();
  });
  after(() => stage.close());

  const change = (title: string, html: string, kind = 'welcome', language = 'en') =>
    outcome(() => performAct(stage.ports, admin, changeMailText, { kind, language, title, html }));

  test('the notifier sends the custom text, only in its language', async () => {
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

  test('an empty text restores the default text', async () => {
    assert.equal(await change('', ''), 'done');
    const found = await readMailText(stage.pool, { kind: 'welcome', language: 'en' });
    assert.equal(found?.isOwn, false);
  });

  const refused: [what: string, ...given: Parameters<typeof change>][] = [
    ['an unknown placeholder', 'Hello {name}', '<p>x</p>'],
    ['an unclosed placeholder', 'Hello', '<p>{code</p>'],
    ['a link', 'Hello', '<p>https://evil.example</p>'],
    ['a host name', 'Hello', '<p>Log in at evil.example now</p>'],
    ['no title', '', '<p>x</p>'],
    ['no text', 'Hello', ''],
    ['too many paragraphs', 'Hello', '<p>x</p>'.repeat(21)],
    ['an unknown type', 'Hello', '<p>x</p>', 'unknown'],
    ['an unknown language', 'Hello', '<p>x</p>', 'welcome', 'xx'],
  ];
  for (const [what, ...given] of refused) {
    test(`${what} is rejected`, async () => {
      assert.equal(await change(...given), 'mail_refused');
    });
  }
});
