// Bank accounts, deposit addresses, announcements and support over HTTP, on a running exchange with
// the usual limits.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { useTeam } from '../../features/approvals/operators-for-test.ts';
import { writeAnnouncement } from '../../features/messages/announcements/announcements.ts';
import { listSupportMessages, mailBound, renderMail } from '../../features/messages/index.ts';
import { memoOf } from '../../features/payments/addresses/memo.ts';
import { addManualAddress } from '../../features/payments/index.ts';
import { type RestAnswer, RestClient } from '../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../tools/sandbox/sandbox.ts';
import { PersonOverHttp } from '../identity/person-over-http.ts';

const BANK = { bank_name: 'First', account_number: '0123456789' };
/** Bank account as operators see it. */
const MASKED_BANK = { ...BANK, account_number: '•••89' };
const ETH = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const XRP = 'rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY';
const FORM = 'application/x-www-form-urlencoded';

let sandbox: Sandbox;

function operator(): RestClient {
  const { key, secret } = sandbox.seeded.users.admin;
  return new RestClient({ url: sandbox.url, key, secret });
}

function answered({ body, status }: RestAnswer): [status: number, code: unknown] {
  return [status, body?.code];
}

function support(body: object | string, type = 'application/json', from = '198.51.100.1') {
  const headers = { 'content-type': type, 'x-forwarded-for': from };
  return new RestClient({ url: sandbox.url }).send({
    method: 'POST',
    target: '/v2/support',
    body,
    headers,
  });
}

function message(change: object = {}) {
  return {
    email: 'someone@example.com',
    category: 'deposits',
    subject: 'Where is it?',
    description: 'I sent it.\nIt is not here.',
    ...change,
  };
}

describe('banks, addresses and support over HTTP', () => {
  before(async () => {
    sandbox = await startSandbox({
      budgets: 'usual',
      checkAnswers: true,
      gatewaySettings: { RIALTO_TRUSTED_PROXIES: 'loopback' },
    });
    await useTeam(sandbox.admin.registry);
  });
  after(() => sandbox?.stop());

  test('a user adds a bank account; an operator verifies and rejects it', async () => {
    const person = await PersonOverHttp.make(sandbox);
    // The exchange decides the status, regardless of the body.
    const body = { ...BANK, status: '3', id: 'f'.repeat(16) };
    const added = await person.send('POST', '/user/bank', { body });
    assert.equal(added.status, 200, added.text);
    const [{ id, ...bank }] = added.body;
    assert.deepEqual(bank, { ...BANK, status: 1 });
    assert.notEqual(id, 'f'.repeat(16));
    const named = { user_id: person.user, bank_id: id };
    assert.deepEqual((await operator().post('/admin/bank/verify', named)).body, [
      { ...MASKED_BANK, id, status: 3 },
    ]);
    assert.deepEqual(answered(await operator().post('/admin/bank/verify', named)), [400, 103]);
    const revoked = await operator().post('/admin/bank/revoke', { ...named, message: 'No' });
    assert.deepEqual(revoked.body, [{ ...MASKED_BANK, id, status: 2, message: 'No' }]);
    const profile = await person.send('GET', '/user');
    assert.deepEqual(profile.body.bank_account, [{ ...BANK, id, status: 2, message: 'No' }]);
    // Sending back the list as operators read it keeps the account number.
    const kept = { bank_account: [{ ...MASKED_BANK, id, status: 3 }] };
    const replaced = await operator().send({
      method: 'POST',
      target: `/v2/admin/user/bank?id=${person.user}`,
      body: kept,
    });
    assert.equal(replaced.status, 200, replaced.text);
    assert.deepEqual([replaced.body.message, replaced.body.bank_account[0].status], ['Success', 3]);
    const again = await person.send('GET', '/user');
    assert.equal(again.body.bank_account[0].account_number, BANK.account_number);
  });

  test('an operator sends one bank account as an object with numbers', async () => {
    const { user } = await PersonOverHttp.make(sandbox);
    const bank_account = { bank_name: 'First', account_number: 123_456_789 };
    const { body, status } = await operator().post('/admin/user/bank', {
      user_id: user,
      bank_account,
    });
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.message, 'Success');
    const [entered, ...others] = body.bank_account;
    assert.deepEqual([entered.bank_name, others], ['First', []]);
    const { rows } = await sandbox.admin.registry.query(
      'select count(*)::int from bank_accounts where user_id = $1',
      [user],
    );
    assert.deepEqual(rows, [{ count: 1 }]);
  });

  test("abuse 35: another user's bank account looks missing", async () => {
    const [one, other] = [await PersonOverHttp.make(sandbox), await PersonOverHttp.make(sandbox)];
    const { body } = await one.send('POST', '/user/bank', { body: BANK });
    const named = { user_id: other.user, bank_id: body[0].id };
    assert.deepEqual(answered(await operator().post('/admin/bank/verify', named)), [404, 102]);
    assert.deepEqual((await other.send('GET', '/user')).body.bank_account, []);
  });

  test('a fourth bank account is rejected, and the kit defines the fields', async () => {
    const person = await PersonOverHttp.make(sandbox);
    for (let at = 0; at < 3; at++) {
      const body = { ...BANK, account_number: `${at}` };
      assert.equal((await person.send('POST', '/user/bank', { body })).status, 200);
    }
    const fourth = await person.send('POST', '/user/bank', { body: BANK });
    assert.deepEqual(answered(fourth), [400, 101]);
    assert.match(fourth.body.message, /at most 3 bank accounts/);
  });

  test('a deposit address is assigned once, and shown in the profile', async () => {
    const { registry } = sandbox.admin;
    await addManualAddress(registry, {
      currency: 'usdt',
      network: 'eth',
      address: ETH,
      hasMemo: false,
    });
    const [one, other] = [await PersonOverHttp.make(sandbox), await PersonOverHttp.make(sandbox)];
    const path = '/user/create-address?crypto=USDT&network=eth';
    const expected = { message: 'Success', address: ETH, crypto: 'usdt', network: 'eth' };
    for (let at = 0; at < 2; at++) {
      const created = await one.send('GET', path);
      assert.deepEqual([created.status, created.body], [201, expected]);
    }
    assert.deepEqual(answered(await other.send('GET', path)), [400, 2467]);
    const { crypto_wallet, wallet } = (await one.send('GET', '/user')).body;
    assert.deepEqual(crypto_wallet, { usdt: ETH });
    assert.deepEqual([wallet.length, wallet[0].address, wallet[0].network], [1, ETH, 'eth']);
  });

  test('a sub-account gets no deposit address', async () => {
    const person = await PersonOverHttp.make(sandbox);
    await sandbox.admin.registry.query(`update sessions set kind = 'sub' where id = $1`, [
      person.session,
    ]);
    const refused = await person.send('GET', '/user/create-address?crypto=btc');
    assert.deepEqual(answered(refused), [403, 221]);
  });

  test('users can look up only transactions with their own deposits', async () => {
    const [one, other] = [await PersonOverHttp.make(sandbox), await PersonOverHttp.make(sandbox)];
    const transaction_id = 'wire-77';
    const credit = { user_id: one.user, currency: 'eur', amount: 25, transaction_id };
    const pending = await operator().post('/admin/mint', { ...credit, status: false });
    assert.equal(pending.status, 201, pending.text);
    const query = `currency=eur&transaction_id=${transaction_id}&address=none&network=fiat`;
    const own = await one.send('GET', `/user/check-transaction?${query}`);
    assert.equal(own.body.message, 'Success');
    const { amount, status, transaction_id: found } = own.body.transaction;
    assert.deepEqual([found, amount, status], [transaction_id, 25, false]);
    const foreign = await other.send('GET', `/user/check-transaction?${query}`);
    assert.deepEqual([foreign.status, foreign.body.transaction], [200, null]);
    assert.equal(foreign.body.is_own_address, false);
  });

  test('a shared address with a memo belongs to the user', async () => {
    const { registry } = sandbox.admin;
    const person = await PersonOverHttp.make(sandbox);
    const address = `${XRP}:${memoOf(person.user)}`;
    await registry.query(
      `insert into wallets (user_id, currency, network, address) values ($1, 'xrp', 'xrp', $2)`,
      [person.user, address],
    );
    const query = `currency=btc&transaction_id=x&address=${address}&network=xrp`;
    const checked = await person.send('GET', `/user/check-transaction?${query}`);
    assert.equal(checked.body.is_own_address, true);
  });

  test('everyone can read the current announcements', async () => {
    const content = {
      title: 'Maintenance',
      message: '<p onclick="bad()">On <b>Sunday</b></p><script>bad()</script>',
      type: 'default',
      startDate: null,
      endDate: null,
      isPopup: true,
      isNavbar: false,
      isDropdown: false,
    };
    const { registry } = sandbox.admin;
    await writeAnnouncement(registry, content, null);
    const over = { ...content, title: 'Over', endDate: new Date(0) };
    await writeAnnouncement(registry, over, null);
    const { body, status } = await new RestClient({ url: sandbox.url }).get('/announcements');
    assert.equal(status, 200);
    const [{ created_at, id, updated_at, ...one }] = body.data;
    assert.equal(body.count, 1);
    assert.deepEqual(one, {
      title: 'Maintenance',
      message: '<p>On <b>Sunday</b></p>',
      type: 'default',
      start_date: null,
      end_date: null,
      is_popup: true,
      is_navbar: false,
      is_dropdown: false,
    });
  });

  test('a support message as JSON or form is stored and emailed to the operator', async () => {
    const { registry, vault } = sandbox.admin;
    const form = new URLSearchParams(message({ subject: 'As a form' })).toString();
    for (const sent of [await support(message()), await support(form, `${FORM}; charset=utf-8`)]) {
      assert.equal(sent.status, 200, sent.text);
      assert.match(sent.body.reference, /^[0-9a-f-]{36}$/);
    }
    const stored = await listSupportMessages(registry, vault, { limit: 2 });
    assert.deepEqual(
      stored.map(({ description, email, subject }) => [email, subject, description]),
      [
        ['someone@example.com', 'As a form', 'I sent it.\nIt is not here.'],
        ['someone@example.com', 'Where is it?', 'I sent it.\nIt is not here.'],
      ],
    );
    const [mail, ...more] = await supportMails();
    assert.equal(more.length, 1);
    assert.equal(mail.to, 'support@example.com');
    assert.match(mail.values.message, /^I sent it\.\nIt is not here\.\n\n[0-9a-f-]{36}$/);
  });

  test('abuse 52: no support message can inject an email header', async () => {
    const hostile = [
      'a\r\nBcc: victim@example.com',
      'a\nb',
      'a\rb',
      'a\0b',
      'a\u0085b',
      'a\u2028b',
    ];
    let at = 10;
    for (const line of hostile) {
      for (const field of ['subject', 'category']) {
        const from = `198.51.100.${at++}`;
        const asJson = await support(message({ [field]: line }), undefined, from);
        const asForm = await support(
          new URLSearchParams(message({ [field]: line })).toString(),
          FORM,
          from,
        );
        assert.deepEqual([asJson.status, asForm.status], [400, 400], JSON.stringify(line));
      }
    }
    const address = await support(message({ email: 'a@example.com\r\nBcc: b@example.com' }));
    assert.equal(address.status, 400);
    const sent = await support(
      message({ description: 'x\r\n.\r\nBcc: victim@example.com' }),
      undefined,
      '198.51.100.99',
    );
    assert.equal(sent.status, 200, sent.text);
    const [mail] = await supportMails();
    const rendered = renderMail(
      { kind: 'support_message', language: 'en', values: mail.values, word: '' },
      { exchange: 'Rialto', webUrl: 'https://x.example' },
    );
    assert.doesNotMatch(rendered.subject, /[\p{Cc}\u2028\u2029]/u);
  });

  test('a form that repeats a field or is malformed is rejected', async () => {
    const form = new URLSearchParams(message()).toString();
    const from = '198.51.100.120';
    assert.equal((await support(`${form}&subject=again`, FORM, from)).status, 400);
    assert.equal((await support(form, 'application/json', from)).status, 400);
    assert.equal((await support('', FORM, from)).status, 400);
  });

  test('the fifth message from an address within two minutes is rejected', async () => {
    const from = '198.51.100.130';
    const statuses = [];
    for (let at = 0; at < 5; at++) {
      statuses.push((await support(message(), undefined, from)).status);
    }
    assert.deepEqual(statuses, [200, 200, 200, 200, 429]);
    assert.equal((await support(message(), undefined, '198.51.100.131')).status, 200);
  });
});

/** Returns emails, newest first. */
async function supportMails() {
  const { registry, vault } = sandbox.admin;
  const { rows } = await registry.query(
    `select message_id, kek_id, sealed from mail_outbox
     where kind = 'support_message' and sealed is not null order by id desc`,
  );
  return rows.map(({ kek_id, message_id, sealed }) => {
    const opened = vault.open(mailBound(message_id), { kekId: Number(kek_id), sealed });
    return JSON.parse(opened.toString());
  });
}
