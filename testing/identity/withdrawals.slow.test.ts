// User withdrawals over HTTP, on a running exchange with two gateways: requested with a second
// factor, confirmed by email, claimed, paid manually and completed by an operator. Every attempt to
// skip a step is rejected.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { UserId } from '../../core/money/index.ts';
import { useTeam } from '../../features/approvals/operators-for-test.ts';
import { type RestAnswer, RestClient } from '../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../tools/sandbox/sandbox.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import { PersonOverHttp, waitingApproval } from './person-over-http.ts';
import { readLastMail } from './read-mails.ts';

/** A small amount, because large totals to one address need a review. */
const TERMS = {
  currency: 'btc',
  amount: 0.01,
  address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
  network: 'btc',
};
const RACES = 10;

let sandbox: Sandbox;
let operator: RestClient;

/** Creates a trader with 10 BTC. */
async function trader(): Promise<PersonOverHttp & { readonly client: RestClient }> {
  const [{ key, secret, user }] = await sandbox.createTraders({ count: 1 });
  const person = await PersonOverHttp.make(sandbox, { user });
  return Object.assign(person, { client: new RestClient({ url: sandbox.url, key, secret }) });
}

function answered({ body, status }: RestAnswer): [status: number, code: unknown] {
  return [status, body?.code];
}

async function request(person: PersonOverHttp, more: object = {}): Promise<RestAnswer> {
  const body = { ...TERMS, otp_code: await person.otp(), ...more };
  return person.send('POST', '/user/request-withdrawal', { body });
}

async function mailedCode({ user }: PersonOverHttp, kind: string): Promise<string> {
  const { registry, vault } = sandbox.admin;
  return (await readLastMail(registry, vault, { user, kind })).values.code;
}

async function mailed(person: PersonOverHttp, more: object = {}): Promise<string> {
  const asked = await request(person, more);
  assert.equal(asked.status, 200, asked.text);
  return mailedCode(person, 'confirm_withdrawal');
}

function confirm(token: string, gateway = 0): Promise<RestAnswer> {
  const client = new RestClient({ url: sandbox.urls[gateway] });
  return client.send({ method: 'POST', target: '/v2/user/confirm-withdrawal', body: { token } });
}

/** Creates a withdrawal on hold. Returns its transaction ID. */
async function held(person: PersonOverHttp): Promise<string> {
  const answer = await confirm(await mailed(person));
  assert.equal(answer.status, 200, answer.text);
  return answer.body.transaction_id;
}

function review(transaction_id: string, change: object): Promise<RestAnswer> {
  return operator.put('/admin/burn', { transaction_id, ...change });
}

async function newest(person: PersonOverHttp) {
  const { body } = await person.send('GET', '/user/withdrawals', { at: 1 });
  return body.data[0];
}

async function balance({ client }: { readonly client: RestClient }) {
  const { btc_available, btc_balance } = (await client.get('/user/balance')).body;
  return [btc_balance, btc_available];
}

async function rowsOf(user: UserId): Promise<number> {
  const { rows } = await sandbox.admin.registry.query(
    'select count(*) as count from withdrawal_requests where user_id = $1',
    [user],
  );
  return Number(rows[0].count);
}

describe('withdrawals over HTTP', () => {
  before(async () => {
    sandbox = await startSandbox({ gateways: 2, checkAnswers: true });
    await useTeam(sandbox.admin.registry);
    operator = new RestClient({ url: sandbox.url, ...sandbox.seeded.users.admin });
  });
  after(() => sandbox?.stop());

  test('a withdrawal is requested, confirmed, claimed, paid and completed', async () => {
    const person = await trader();
    const token = await mailed(person);
    const { waiting } = await newest(person);
    assert.equal(waiting, true);
    assert.deepEqual(await balance(person), [10, 10], 'nothing is on hold before the confirmation');
    const confirmed = await confirm(token, 1);
    const { transaction_id } = confirmed.body;
    assert.deepEqual(confirmed.body, {
      message: 'Withdrawal successful',
      fee: 0.0005,
      transaction_id,
    });
    await waitUntil({
      what: 'the amount and the fee are on hold',
      timeoutMs: 10_000,
      question: async () => (await balance(person))[1] === 9.9895,
    });
    assert.deepEqual(answered(await confirm(token)), [400, 136]);

    const claimed = await review(transaction_id, { processing: true });
    assert.deepEqual([claimed.status, claimed.body.processing], [200, true]);
    const { id } = await newest(person);
    const late = await person.send('DELETE', `/user/withdrawal?id=${id}`);
    assert.deepEqual(answered(late), [400, 2212]);

    const updated_transaction_id =
      'f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16';
    const paid = await review(transaction_id, { status: true, updated_transaction_id });
    assert.deepEqual(
      [paid.status, paid.body.status, paid.body.processing, paid.body.transaction_id],
      [200, true, false, updated_transaction_id],
    );
    const rejected = await review(updated_transaction_id, { rejected: true });
    assert.deepEqual(answered(rejected), [400, 2212]);
    await waitUntil({
      what: 'the amount has left',
      timeoutMs: 10_000,
      question: async () => (await balance(person))[0] === 9.9895,
    });
    assert.equal((await newest(person)).status, true);
  });

  test('a withdrawal whose claim was released can be canceled by its owner', async () => {
    const person = await trader();
    const transaction_id = await held(person);
    assert.equal((await review(transaction_id, { processing: true })).body.processing, true);
    assert.equal((await review(transaction_id, { processing: false })).body.processing, false);
    const { id } = await newest(person);
    const canceled = await person.send('DELETE', `/user/withdrawal?id=${id}`);
    assert.deepEqual([canceled.status, canceled.body.dismissed], [200, true]);
    assert.deepEqual(answered(await review(transaction_id, { processing: true })), [400, 2212]);
  });

  test('an unconfirmed request is canceled, and its code confirms nothing', async () => {
    const person = await trader();
    const token = await mailed(person);
    const { id } = await newest(person);
    assert.equal((await person.send('DELETE', `/user/withdrawal?id=${id}`)).body.dismissed, true);
    assert.deepEqual(answered(await confirm(token)), [400, 2212]);
  });

  test('two reviews need two operators with factors, and a claim needs both', async () => {
    const person = await trader();
    const [ann, ben] = [
      await PersonOverHttp.operator(sandbox),
      await PersonOverHttp.operator(sandbox),
    ];
    const token = await mailed(person);
    await sandbox.admin.registry.query(
      'update withdrawal_requests set reviews_needed = 2 where user_id = $1',
      [person.user],
    );
    const { transaction_id } = (await confirm(token)).body;
    await waitUntil({
      what: 'the withdrawal is pending review',
      timeoutMs: 10_000,
      question: async () => (await newest(person)).waiting,
    });
    assert.deepEqual(answered(await review(transaction_id, { processing: true })), [400, 2212]);
    const approve = { waiting: false };
    const withCode = { ...approve, otp_code: await ann.otp() };
    assert.deepEqual(answered(await review(transaction_id, approve)), [403, 2428], 'a key');
    assert.deepEqual(answered(await review(transaction_id, withCode)), [403, 2315], 'a key');
    const body = { transaction_id, ...approve };
    const bare = await ann.send('PUT', '/admin/burn', { body });
    assert.deepEqual(answered(bare), [403, 2428], 'a session without a factor');
    const wrong = await ann.approveWithdrawal(transaction_id, { otp_code: '000000' });
    assert.deepEqual(answered(wrong), [400, 2306], 'a wrong factor');
    const used = await ann.otp();
    const first = await ann.approveWithdrawal(transaction_id, { otp_code: used });
    assert.deepEqual([first.status, first.body.waiting], [200, true], first.text);
    assert.deepEqual(answered(await ann.approveWithdrawal(transaction_id)), [400, 2424]);
    const approved = await ben.approveWithdrawal(transaction_id, { processing: true });
    assert.deepEqual([approved.body.waiting, approved.body.processing], [false, true]);
    const completed = await review(transaction_id, { status: true });
    assert.deepEqual([completed.status, completed.body.status], [200, true], completed.text);
  });

  const factors: [what: string, more: (person: PersonOverHttp) => Promise<object> | object][] = [
    ['none', () => ({ otp_code: undefined })],
    ['an empty one', () => ({ otp_code: '' })],
    ['a wrong one', () => ({ otp_code: '000000' })],
    [
      'a used one',
      async (person) => {
        const otp_code = await person.otp();
        const used = await person.send('POST', '/user/recovery-codes', { body: { otp_code } });
        assert.equal(used.status, 200, used.text);
        return { otp_code };
      },
    ],
  ];
  const paths: [what: string, terms: object][] = [
    ['to an address', {}],
    ['to an email address', { network: 'email', address: 'friend@example.com' }],
  ];
  for (const [factor, more] of factors) {
    for (const [path, terms] of paths) {
      test(`abuse 27: ${path} with a factor that is ${factor}: 403, and no row`, async () => {
        const person = await trader();
        // A used code has been used by then.
        const { otp_code } = { ...(await more(person)) } as { otp_code?: string };
        const body = { ...TERMS, ...terms, otp_code };
        const answer = await person.send('POST', '/user/request-withdrawal', { body });
        assert.deepEqual(answered(answer), [403, 2219]);
        assert.equal(await rowsOf(person.user), 0);
      });
    }
  }

  test('abuse 27: no path works for a user without a factor', async () => {
    const [{ user }] = await sandbox.createTraders({ count: 1 });
    const person = await PersonOverHttp.make(sandbox, { user, hasOtp: false });
    const asked = await person.send('POST', '/user/request-withdrawal', { body: TERMS });
    assert.deepEqual(answered(asked), [403, 2420]);
    assert.match(asked.body.message, /authenticator app or passkey/);
    const direct = await person.send('POST', '/user/withdrawal', { body: TERMS });
    assert.equal(direct.status, 401, 'only keys use this path');
    assert.equal(await rowsOf(user), 0);
  });

  test('abuse 27: an API key cannot use the endpoints for sessions', async () => {
    const { client, user } = await trader();
    const answer = await client.post('/user/request-withdrawal', TERMS);
    assert.equal(answer.status, 403, answer.text);
    assert.equal(await rowsOf(user), 0);
  });

  test('abuse 8: a short code is valid only in its own session', async () => {
    const [person, other] = [await trader(), await trader()];
    const token = await mailed(person, { version: 'v4' });
    assert.match(token, /^\d{6}$/);
    assert.deepEqual(answered(await confirm(token)), [400, 33]);
    const body = { token };
    const foreign = await other.send('POST', '/user/confirm-withdrawal', { body });
    assert.deepEqual(answered(foreign), [400, 33]);
    const own = await person.send('POST', '/user/confirm-withdrawal', { body });
    assert.equal(own.status, 200, own.text);
  });

  test('abuse 25: access to the mailbox alone is not enough to withdraw', async () => {
    const person = await trader();
    const { registry } = sandbox.admin;
    const { rows } = await registry.query('select email from users where id = $1', [person.user]);
    const anyone = new RestClient({ url: sandbox.url });
    const { email } = rows[0];
    // Wrong codes in other tests came from the same address, which would need a captcha.
    await registry.query('delete from login_throttles');
    assert.equal((await anyone.get('/reset-password', { email })).status, 200);
    const code = await mailedCode(person, 'reset_password');
    const reset = await anyone.post('/reset-password', {
      code,
      new_password: 'thief of mailboxes',
    });
    assert.equal(reset.status, 400, 'a reset needs the factor');
    const login = { email, password: 'thief of mailboxes' };
    assert.equal((await anyone.post('/login', login)).status, 401);
    const asked = await anyone.post('/user/request-withdrawal', TERMS);
    assert.equal(asked.status, 401);
    assert.equal(await rowsOf(person.user), 0);
    assert.deepEqual(await balance(person), [10, 10]);
  });

  test('abuse 28: a hold after the request blocks claim and completion', async () => {
    const person = await trader();
    const transaction_id = await held(person);
    await sandbox.admin.registry.query(
      `update users set withdrawal_blocked_until = now() + interval '1 day' where id = $1`,
      [person.user],
    );
    for (const change of [{ processing: true }, { status: true }]) {
      const refused = await review(transaction_id, change);
      assert.deepEqual(answered(refused), [400, 2422]);
      assert.match(refused.body.message, /credential_hold/);
    }
    const { processing, status } = await newest(person);
    assert.deepEqual([processing, status], [false, false]);
    assert.deepEqual(answered(await request(person)), [403, 242]);
  });

  test('abuse 6: the response to a transfer does not reveal if the recipient exists', async () => {
    const [sender, receiver] = [await trader(), await trader()];
    const { rows } = await sandbox.admin.registry.query('select email from users where id = $1', [
      receiver.user,
    ]);
    const answers = [];
    for (const address of [rows[0].email.toUpperCase(), 'nobody@example.com']) {
      const token = await mailed(sender, { network: 'email', address });
      const answer = await confirm(token);
      assert.equal(answer.status, 200, answer.text);
      const { transaction_id, ...rest } = answer.body;
      answers.push({ ...rest, length: transaction_id.length });
    }
    assert.deepEqual(answers[0], answers[1]);
    assert.deepEqual(answers[0], { message: 'Withdrawal successful', fee: 0, length: 36 });
    await waitUntil({
      what: 'the recipient has the amount',
      timeoutMs: 10_000,
      question: async () => (await balance(receiver))[1] === 10.01,
    });
    assert.deepEqual(await balance(sender), [9.99, 9.99]);
    const { data } = (await sender.send('GET', '/user/withdrawals')).body;
    const flags = data.map(({ status, waiting }: Record<string, boolean>) => [status, waiting]);
    assert.deepEqual(flags, [
      [false, true],
      [true, false],
    ]);
  });

  test('an operator cannot change the destination of a withdrawal', async () => {
    const transaction_id = await held(await trader());
    const change = { updated_address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' };
    assert.deepEqual(answered(await review(transaction_id, change)), [400, 2426]);
  });

  test('of a cancellation and a claim at two gateways, exactly one succeeds', async () => {
    for (let race = 0; race < RACES; race++) {
      const person = await trader();
      const transaction_id = await held(person);
      const { id } = await newest(person);
      const [claimed, canceled] = await Promise.all([
        review(transaction_id, { processing: true }),
        person.send('DELETE', `/user/withdrawal?id=${id}`, { at: 1 }),
      ]);
      const statuses = [claimed.status, canceled.status].sort();
      assert.deepEqual(statuses, [200, 400], `${claimed.text}\n${canceled.text}`);
      const { dismissed, processing } = await newest(person);
      assert.equal(processing, claimed.status === 200);
      assert.equal(dismissed, canceled.status === 200);
    }
  });

  test('freezing cancels orders and unpaid withdrawals and returns the money', async () => {
    const [person, claimed] = [await trader(), await trader()];
    const paid = await held(claimed);
    assert.equal((await review(paid, { processing: true })).status, 200);
    await held(person);
    const order = { symbol: 'btc-usdt', side: 'sell', type: 'limit', size: 1, price: 90_000 };
    assert.equal((await person.client.post('/order', order)).status, 200);
    assert.deepEqual(await balance(person), [10, 8.9895], 'the fee of the withdrawal too');
    const [ann, ben] = [
      await PersonOverHttp.operator(sandbox, 'admin'),
      await PersonOverHttp.operator(sandbox, 'admin'),
    ];
    const target = { name: 'accounts', users: [person.user, claimed.user] };
    const stop = { ...target, reason: 'a stolen laptop' };
    const stopped = await ann.send('POST', '/admin/switches/stop', { body: stop });
    assert.equal(stopped.status, 200, stopped.text);
    assert.equal((await person.client.get('/user/balance')).status, 401);
    const resumed = await ann.send('POST', '/admin/switches/resume', { body: target });
    assert.equal((await ben.approve(waitingApproval(resumed))).body.state, 'executed');
    await waitUntil({
      what: 'the account works and has everything',
      timeoutMs: 10_000,
      question: async () => {
        const { body, status } = await person.client.get('/user/balance');
        return status === 200 && body.btc_available === 10;
      },
    });
    assert.deepEqual((await person.client.get('/orders', { open: 'true' })).body.count, 0);
    assert.equal((await newest(person)).dismissed, true);
    assert.equal((await newest(claimed)).processing, true, 'an operator has started to pay it');
  });
});
