// Fiat over HTTP, on a running exchange: announced deposits, and withdrawals to verified bank
// accounts with the same factor, policy, confirmation, hold and review as any other withdrawal.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { UserId } from '../../core/money/index.ts';
import { mailBound } from '../../features/messages/index.ts';
import { addBankAccount, verifyBankAccount } from '../../features/payments/banks/bank-accounts.ts';
import { maskEnding } from '../../features/pii-access/masks.ts';
import { withConnection } from '../../infra/postgres/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { type RestAnswer, RestClient } from '../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../tools/sandbox/sandbox.ts';
import { PersonOverHttp } from '../identity/person-over-http.ts';
import { readLastMail } from '../identity/read-mails.ts';

let sandbox: Sandbox;
let supervisor: PersonOverHttp;

function operatorOf(role: string): Promise<PersonOverHttp> {
  return PersonOverHttp.operator(sandbox, role);
}

function operator(): RestClient {
  const { key, secret } = sandbox.seeded.users.admin;
  return new RestClient({ url: sandbox.url, key, secret });
}

function answered({ body, status }: RestAnswer): [status: number, code: unknown] {
  return [status, body?.code];
}

/** Creates a user with euros, a one-time password and a bank account. */
async function personWithBank({ isVerified = true } = {}) {
  const [trader] = await sandbox.createTraders({ count: 1 });
  const { user } = trader;
  const person = await PersonOverHttp.make(sandbox, { user });
  return { person, user, bank: await bankOf(user, isVerified) };
}

function bankOf(user: UserId, isVerified = true): Promise<string> {
  const { registry, vault } = sandbox.admin;
  const fields = { iban: `CH${user}` };
  const byAdmin = sandbox.seeded.users.admin.user;
  return withConnection(registry, async (connection) => {
    const added = await addBankAccount(connection, vault, { user, fields });
    if (added instanceof Refused) throw new Error(added.key);
    const { id } = added.at(-1)!;
    if (isVerified) await verifyBankAccount(connection, vault, { user, id, operator: byAdmin });
    return id;
  });
}

async function withdraw(person: PersonOverHttp, change: object) {
  const body = { amount: 50, currency: 'eur', otp_code: await person.otp(), ...change };
  return person.send('POST', '/fiat/withdrawal', { body });
}

function confirm(token: string): Promise<RestAnswer> {
  return new RestClient({ url: sandbox.urls[1] }).post('/user/confirm-withdrawal', { token });
}

/** Returns the code in the user's newest confirmation email. */
async function mailedCode(user: UserId): Promise<string> {
  const { registry, vault } = sandbox.admin;
  const { rows } = await registry.query(
    `select message_id, kek_id, sealed from mail_outbox
     where user_id = $1 and kind = 'confirm_withdrawal' order by id desc limit 1`,
    [user],
  );
  const [{ kek_id, message_id, sealed }] = rows;
  const opened = vault.open(mailBound(message_id), { kekId: Number(kek_id), sealed });
  return JSON.parse(opened.toString()).values.code;
}

async function requestAndConfirm(person: PersonOverHttp, bank_id: string): Promise<string> {
  const requested = await withdraw(person, { bank_id });
  assert.equal(requested.status, 200, requested.text);
  const confirmed = await confirm(await mailedCode(person.user));
  assert.equal(confirmed.status, 200, confirmed.text);
  assert.equal(confirmed.body.transaction_id, requested.body.transaction_id);
  return requested.body.transaction_id;
}

async function rowsOf(user: UserId): Promise<string[]> {
  const { rows } = await sandbox.admin.registry.query(
    'select state from withdrawal_requests where user_id = $1 order by id',
    [user],
  );
  return rows.map(({ state }) => state);
}

async function euros(person: PersonOverHttp): Promise<[balance: number, available: number]> {
  const { eur_available, eur_balance } = (await person.send('GET', '/user/balance')).body;
  return [eur_balance, eur_available];
}

async function untilFee(person: PersonOverHttp, at: 0 | 1, fee: number): Promise<void> {
  const endsMs = Date.now() + 20_000;
  for (;;) {
    const { body } = await person.send('GET', '/user/withdrawal/fee?currency=eur', { at });
    if (body.fee === fee) return;
    assert.ok(Date.now() < endsMs, 'the fee has not changed');
    await pause(50);
  }
}

describe('fiat over HTTP', () => {
  before(async () => {
    sandbox = await startSandbox({ gateways: 2, checkAnswers: true });
    supervisor = await PersonOverHttp.operator(sandbox);
  });
  after(() => sandbox?.stop());

  test('an announced deposit changes nothing until an operator credits it, once', async () => {
    const person = await PersonOverHttp.make(sandbox);
    const transaction_id = `wire-${randomUUID()}`;
    const body = { amount: '25.50', currency: 'EUR', transaction_id };
    const announced = await person.send('POST', '/fiat/deposit', { body });
    assert.equal(announced.status, 200, announced.text);
    const { amount, network, status } = announced.body;
    assert.deepEqual([amount, network, status], [25.5, 'fiat', false]);
    assert.deepEqual(await euros(person), [0, 0]);
    const credit = { transaction_id, status: true };
    const credited = await operator().put('/admin/mint', credit);
    assert.deepEqual([credited.status, credited.body.status], [200, true], credited.text);
    assert.deepEqual(await euros(person), [25.5, 25.5]);
    assert.equal((await operator().put('/admin/mint', credit)).status, 400);
    const listed = await person.send('GET', `/user/deposits?transaction_id=${transaction_id}`);
    assert.deepEqual([listed.body.count, listed.body.data[0].status], [1, true]);
  });

  test("a user cannot block another user's transaction, which is credited once", async () => {
    const [thief, owner] = [await PersonOverHttp.make(sandbox), await PersonOverHttp.make(sandbox)];
    const body = { amount: 10, currency: 'eur', transaction_id: `wire-${randomUUID()}` };
    const { transaction_id } = body;
    const first = await thief.send('POST', '/fiat/deposit', { body });
    const second = await owner.send('POST', '/fiat/deposit', { body });
    assert.deepEqual([first.status, second.status], [200, 200]);
    const unnamed = await operator().put('/admin/mint', { transaction_id, status: true });
    assert.equal(unnamed.status, 400);
    const named = { transaction_id, id: second.body.id, status: true };
    const credited = await operator().put('/admin/mint', named);
    assert.equal(credited.status, 200, credited.text);
    assert.equal(credited.body.user_id, owner.user);
    const again = await operator().put('/admin/mint', { ...named, id: first.body.id });
    assert.equal(again.status, 400, again.text);
    assert.deepEqual(
      [await euros(thief), await euros(owner)],
      [
        [0, 0],
        [10, 10],
      ],
    );
    const other = await operator().put('/admin/mint', { ...named, transaction_id: 'another' });
    assert.equal(other.status, 404);
  });

  for (const status of [undefined, true]) {
    const when = status === true ? 'with the credit' : 'before the credit';
    test(`a transaction corrected ${when} keeps its output`, async () => {
      const person = await PersonOverHttp.make(sandbox);
      const [wrong, right] = [`wire-${randomUUID()}`, `wire-${randomUUID()}`];
      const mint = { user_id: person.user, currency: 'eur', amount: 5 };
      const first = { ...mint, transaction_id: wrong, output: 4, status: false };
      assert.equal((await operator().post('/admin/mint', first)).status, 201);
      const correction = { transaction_id: wrong, updated_transaction_id: right, status };
      const corrected = await operator().put('/admin/mint', correction);
      assert.equal(corrected.status, 200, corrected.text);
      const again = { ...mint, amount: 6, transaction_id: right, output: 4 };
      assert.equal((await operator().post('/admin/mint', again)).body.code, 2217);
      if (status === true) return;
      // The output can be corrected alone too.
      const moved = await operator().put('/admin/mint', { transaction_id: right, output: 5 });
      assert.equal(moved.status, 200, moved.text);
      assert.equal((await operator().post('/admin/mint', again)).status, 201);
    });
  }

  test('a failed deposit is credited with a note; a rejected credit stores no note', async () => {
    const person = await PersonOverHttp.make(sandbox);
    const transaction_id = `wire-${randomUUID()}`;
    const mint = { user_id: person.user, currency: 'eur', amount: 5, transaction_id };
    const pending = { ...mint, status: false, description: 'first' };
    assert.equal((await operator().post('/admin/mint', pending)).status, 201);
    const rejected = await operator().put('/admin/mint', { transaction_id, rejected: true });
    assert.deepEqual([rejected.status, rejected.body.rejected], [200, true], rejected.text);
    const noted = { transaction_id, status: true, description: 'seen', updated_address: 'bank' };
    const credited = await operator().put('/admin/mint', noted);
    assert.equal(credited.status, 200, credited.text);
    const { address, description, status } = credited.body;
    assert.deepEqual([status, description, address], [true, 'seen', 'bank']);
    assert.deepEqual(await euros(person), [5, 5]);
    const other = { ...pending, transaction_id: `wire-${randomUUID()}` };
    const { body } = await operator().post('/admin/mint', other);
    const refused = await operator().put('/admin/mint', {
      ...noted,
      transaction_id: other.transaction_id,
      updated_transaction_id: transaction_id,
    });
    assert.equal(refused.body.code, 2217, refused.text);
    const { body: list } = await person.send(
      'GET',
      `/user/deposits?transaction_id=${other.transaction_id}`,
    );
    assert.deepEqual([list.data[0].id, list.data[0].description], [body.id, 'first']);
  });

  test('three deposits of a currency can be pending, even if ten arrive in parallel', async () => {
    const person = await PersonOverHttp.make(sandbox);
    const all = await Promise.all(
      Array.from({ length: 10 }, (_, at) => {
        const body = { amount: 1, currency: 'eur', transaction_id: `w${person.user}-${at}` };
        return person.send('POST', '/fiat/deposit', { body, at: at % 2 === 0 ? 0 : 1 });
      }),
    );
    assert.equal(all.filter(({ status }) => status === 200).length, 3);
    const refused = all.filter(({ status }) => status !== 200);
    for (const one of refused) assert.deepEqual(answered(one), [400, 2469]);
  });

  const badDeposits: [what: string, change: object, expected: [number, number]][] = [
    ['a coin that is not fiat', { currency: 'btc' }, [400, 2468]],
    ['an unknown coin', { currency: 'xyz' }, [400, 1003]],
    ['nothing', { amount: 0 }, [400, 2200]],
    ['a fraction of its unit', { amount: '0.00001' }, [400, 2206]],
  ];
  for (const [what, change, expected] of badDeposits) {
    test(`a deposit of ${what} is rejected`, async () => {
      const person = await PersonOverHttp.make(sandbox);
      const body = { amount: 1, currency: 'eur', transaction_id: 'x', ...change };
      assert.deepEqual(answered(await person.send('POST', '/fiat/deposit', { body })), expected);
    });
  }

  test('a withdrawal is confirmed by email, on hold, reviewed, claimed and completed', async () => {
    const { bank, person, user } = await personWithBank();
    const [, before] = await euros(person);
    const requested = await withdraw(person, { bank_id: bank });
    assert.equal(requested.status, 200, requested.text);
    const { amount, currency, fee } = requested.body;
    assert.deepEqual([amount, currency, fee], [50, 'eur', 1]);
    assert.deepEqual(await rowsOf(user), ['unconfirmed']);
    assert.equal((await euros(person))[1], before);
    const confirmed = await confirm(await mailedCode(user));
    assert.equal(confirmed.status, 200, confirmed.text);
    assert.equal((await euros(person))[1], before - 51);
    const { transaction_id } = requested.body;
    const [state] = await rowsOf(user);
    if (state === 'in_review') await supervisor.approveWithdrawal(transaction_id);
    assert.deepEqual(await rowsOf(user), ['approved']);
    const done = { transaction_id, status: true, updated_transaction_id: `wire-${randomUUID()}` };
    const completed = await operator().put('/admin/burn', done);
    assert.equal(completed.status, 200, completed.text);
    assert.deepEqual([completed.body.address, completed.body.network], [bank, 'fiat']);
    assert.equal((await euros(person))[0], before - 51);
  });

  const badWithdrawals: [what: string, change: object, expected: [number, number]][] = [
    ['without a factor', { otp_code: '' }, [403, 2219]],
    ['with a wrong factor', { otp_code: '000000' }, [403, 2219]],
    ['of a coin that is not fiat', { currency: 'btc' }, [400, 2468]],
    ['of nothing', { amount: 0 }, [400, 2200]],
    ['to an unknown bank account', { bank_id: 'f'.repeat(16) }, [404, 102]],
  ];
  for (const [what, change, expected] of badWithdrawals) {
    test(`abuse 27: a withdrawal ${what} is rejected and leaves no row`, async () => {
      const { bank, person, user } = await personWithBank();
      const refused = await withdraw(person, { bank_id: bank, ...change });
      assert.deepEqual(answered(refused), expected, refused.text);
      assert.deepEqual(await rowsOf(user), []);
    });
  }

  test('abuse 27: a user without a factor cannot withdraw', async () => {
    const [trader] = await sandbox.createTraders({ count: 1 });
    const person = await PersonOverHttp.make(sandbox, { user: trader.user, hasOtp: false });
    const body = { amount: 50, currency: 'eur', bank_id: await bankOf(trader.user) };
    const refused = await person.send('POST', '/fiat/withdrawal', { body });
    assert.equal(refused.status, 403, refused.text);
    assert.deepEqual(await rowsOf(trader.user), []);
  });

  test('abuse 27: a one-time password is accepted once', async () => {
    const { bank, person, user } = await personWithBank();
    const otp_code = await person.otp();
    const body = { amount: 50, currency: 'eur', bank_id: bank, otp_code };
    const send = () => person.send('POST', '/fiat/withdrawal', { body });
    assert.equal((await send()).status, 200);
    assert.deepEqual(answered(await send()), [403, 2219]);
    assert.deepEqual(await rowsOf(user), ['unconfirmed']);
  });

  test("an unverified bank account, or another user's, receives nothing", async () => {
    const { bank, person } = await personWithBank({ isVerified: false });
    assert.deepEqual(answered(await withdraw(person, { bank_id: bank })), [403, 2464]);
    const other = await personWithBank();
    assert.deepEqual(answered(await withdraw(person, { bank_id: other.bank })), [404, 102]);
  });

  test('a withdrawal to a revoked bank account cannot be confirmed or claimed', async () => {
    const { bank, person, user } = await personWithBank();
    const revoke = { user_id: user, bank_id: bank };
    assert.equal((await withdraw(person, { bank_id: bank })).status, 200);
    const code = await mailedCode(user);
    assert.equal((await operator().post('/admin/bank/revoke', revoke)).status, 200);
    assert.equal((await confirm(code)).status, 400);
    assert.deepEqual(await rowsOf(user), ['unconfirmed']);
    assert.equal((await operator().post('/admin/bank/verify', revoke)).status, 200);
    const transaction_id = await requestAndConfirm(person, bank);
    assert.equal((await operator().post('/admin/bank/revoke', revoke)).status, 200);
    const [, state] = await rowsOf(user);
    if (state === 'in_review') {
      await supervisor.approveWithdrawal(transaction_id);
    }
    for (const act of [{ processing: true }, { status: true }]) {
      const refused = await operator().put('/admin/burn', { transaction_id, ...act });
      assert.equal(refused.status, 400, refused.text);
    }
    assert.deepEqual((await rowsOf(user))[1], 'approved');
    const rejected = await operator().put('/admin/burn', { transaction_id, rejected: true });
    assert.equal(rejected.status, 200, rejected.text);
  });

  test('abuse 83: replacing a bank account does not redirect withdrawals', async () => {
    const { bank, person, user } = await personWithBank();
    const [kyc, other] = [await operatorOf('kyc'), await operatorOf('kyc')];
    const transaction_id = await requestAndConfirm(person, bank);
    if ((await rowsOf(user)).includes('in_review')) {
      await supervisor.approveWithdrawal(transaction_id);
    }
    const claimed = await supervisor.send('PUT', '/admin/burn', {
      body: { transaction_id, processing: true },
    });
    assert.deepEqual(claimed.body.bank_account, { iban: `CH${user}` }, claimed.text);
    const thief = { id: bank, iban: 'XX00-THIEF-6666' };
    const swapped = await kyc.send('POST', `/admin/user/bank?id=${user}`, {
      body: { bank_account: [thief] },
    });
    assert.equal(swapped.status, 200, swapped.text);
    const [{ id, status }] = swapped.body.bank_account;
    assert.notEqual(id, bank);
    assert.equal(status, 1);
    const verification = { body: { user_id: user, bank_id: id } };
    const byThief = await kyc.send('POST', '/admin/bank/verify', verification);
    assert.deepEqual(answered(byThief), [403, 2472]);
    const verified = [{ ...thief, id, status: 3 }];
    const again = await kyc.send('POST', `/admin/user/bank?id=${user}`, {
      body: { bank_account: verified },
    });
    assert.deepEqual(answered(again), [403, 2472]);
    const path = `/admin/withdrawals?transaction_id=${transaction_id}`;
    const [paid] = (await supervisor.send('GET', path)).body.data;
    assert.deepEqual([paid.address, paid.bank_account], [bank, { iban: `CH${user}` }]);
    const reviewer = await operatorOf('supervisor');
    const [masked] = (await reviewer.send('GET', path)).body.data;
    assert.deepEqual(masked.bank_account, { iban: maskEnding(`CH${user}`) });
    const told = await readLastMail(sandbox.admin.registry, sandbox.admin.vault, {
      user,
      kind: 'bank_account_changed',
    });
    assert.deepEqual(told.values.added, [`…6666 (${id})`]);
    assert.deepEqual(told.values.removed, [`…${`CH${user}`.slice(-4)} (${bank})`]);
    const { rows } = await sandbox.admin.registry.query(
      `select before, after from audit_entries where act = 'user.bank.replace' order by seq desc`,
    );
    assert.deepEqual(
      [rows[0].before, rows[0].after],
      [{ [bank]: 'verified' }, { [id]: 'pending' }],
    );
    assert.equal((await other.send('POST', '/admin/bank/verify', verification)).status, 200);
  });

  test('a fourth withdrawal of a currency is rejected until one is finished', async () => {
    const { bank, person, user } = await personWithBank();
    const first = await requestAndConfirm(person, bank);
    for (let at = 0; at < 2; at++) await requestAndConfirm(person, bank);
    assert.deepEqual(answered(await withdraw(person, { bank_id: bank })), [400, 2469]);
    await operator().put('/admin/burn', { transaction_id: first, rejected: true });
    assert.equal((await withdraw(person, { bank_id: bank })).status, 200);
    assert.equal((await rowsOf(user)).length, 4);
  });

  // Must be the last test, because its terms remain in effect.
  test('a fiat withdrawal uses the configured fee and maximum', async () => {
    const { bank, person } = await personWithBank();
    const fees = { eur: { value: 2, symbol: 'eur', active: true, min: 20, max: 30 } };
    await sandbox.admin.registry.query(
      "update coins set withdrawal_fees = $1 where symbol = 'eur'",
      [JSON.stringify(fees)],
    );
    for (const at of [0, 1] as const) await untilFee(person, at, 2);
    for (const query of ['currency=eur', 'currency=eur&network=fiat']) {
      const { body } = await person.send('GET', `/user/withdrawal/max?${query}`);
      assert.equal(body.amount, 30, query);
    }
    const refused: [amount: number, code: number][] = [
      [19, 2204],
      [31, 2205],
    ];
    for (const [amount, code] of refused) {
      assert.deepEqual(answered(await withdraw(person, { amount, bank_id: bank })), [400, code]);
    }
    const requested = await withdraw(person, { amount: 30, bank_id: bank });
    assert.deepEqual([requested.status, requested.body.fee], [200, 2], requested.text);
    assert.equal((await confirm(await mailedCode(person.user))).status, 200);
  });
});
