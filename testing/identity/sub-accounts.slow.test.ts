// Sub-accounts on a running exchange with two gateways: their lifecycle, transfers within the
// account family, and races. acting.slow.test.ts covers the permissions of their sessions and keys.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { UserId } from '../../core/money/index.ts';
import { issueKey } from '../../features/auth/index.ts';
import { BALANCES_OF_USER, balancesOfRows } from '../../infra/projections/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { type RestAnswer, RestClient } from '../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../tools/sandbox/sandbox.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import { PersonOverHttp } from './person-over-http.ts';

const BTC_ADDRESS = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';

let sandbox: Sandbox;

interface Family {
  readonly parent: PersonOverHttp;
  readonly clients: readonly RestClient[];
  readonly sub: number;
}

/** Creates a parent with 10 BTC, a million USDT and a key at both gateways, and a sub-account. */
async function family(): Promise<Family> {
  const [{ key, secret, user }] = await sandbox.createTraders({ count: 1 });
  const parent = await PersonOverHttp.make(sandbox, { user, hasOtp: false });
  const clients = sandbox.urls.map((url) => new RestClient({ url, key, secret }));
  return { parent, clients, sub: (await create(parent)).id };
}

async function create(parent: PersonOverHttp, more: object = {}) {
  const body = { label: randomUUID(), virtual: true, ...more };
  const answer = await parent.send('POST', '/subaccount', { body });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

async function enter(parent: PersonOverHttp, sub: number): Promise<PersonOverHttp> {
  const body = { subaccount_id: sub };
  const answer = await parent.send('POST', '/subaccount/auth', { body });
  assert.equal(answer.status, 200, answer.text);
  const { token } = answer.body;
  return new PersonOverHttp(sandbox, { user: sub as UserId, session: 0, token });
}

function transfer(subaccount_id: number, amount: number, direction = 'to_sub', currency = 'btc') {
  return { subaccount_id, amount, direction, currency };
}

async function balanceOf(holder: PersonOverHttp, currency = 'btc'): Promise<number> {
  const { body, status, text } = await holder.send('GET', '/user/balance');
  assert.equal(status, 200, text);
  return body[`${currency}_balance`] ?? 0;
}

/** Returns nonzero balances as recorded in the log. */
async function accountsOf(user: number) {
  const { rows } = await sandbox.admin.projections.query(BALANCES_OF_USER, [user]);
  return [...balancesOfRows(rows).accounts.values()].filter(
    ({ availableAtoms, heldAtoms }) => availableAtoms !== 0n || heldAtoms !== 0n,
  );
}

function remove(parent: PersonOverHttp, sub: number): Promise<RestAnswer> {
  return parent.send('DELETE', '/subaccount', { body: { subaccount_id: sub } });
}

async function keyOf(user: number, mayTrade = true): Promise<{ key: string; secret: string }> {
  const issued = await issueKey(
    sandbox.admin.registry,
    sandbox.admin.vault,
    {
      user: user as UserId,
      name: 'all',
      kind: 'hmac',
      canRead: true,
      canTrade: mayTrade,
      canWithdraw: mayTrade,
      role: 'user',
      // Counts as the second factor for a withdrawal by key.
      whitelistedIps: ['127.0.0.1/32', '::1/128'],
      nowMs: Date.now(),
    },
    { mayBeAnywhere: true },
  );
  assert.ok(!(issued instanceof Refused), JSON.stringify(issued));
  return { key: issued.key.publicKey, secret: issued.secret };
}

describe('sub-accounts', () => {
  before(async () => {
    sandbox = await startSandbox({ gateways: 2, checkAnswers: true });
  });
  after(async () => {
    if (process.env.RIALTO_SHOW_LOGS !== undefined) console.log(sandbox?.logs());
    await sandbox?.stop();
  });

  test('a sub-account is created, listed, entered and removed', async () => {
    const parent = await PersonOverHttp.make(sandbox);
    const made = await create(parent, { label: ' Savings ', color: '#00ff00' });
    assert.deepEqual([made.label, made.color, made.virtual], ['Savings', '#00ff00', true]);
    const listed = await parent.send('GET', '/subaccounts', { at: 1 });
    assert.deepEqual(listed.body, { count: 1, data: [made] });
    const sub = await enter(parent, made.id);
    const profile = await sub.send('GET', '/user', { at: 1 });
    assert.deepEqual([profile.body.id, profile.body.is_subaccount], [made.id, true]);
    const { rows } = await sandbox.admin.registry.query(
      'select kind, actor_id, expires_at - created_at as life from sessions where user_id = $1',
      [made.id],
    );
    assert.deepEqual([rows[0].kind, Number(rows[0].actor_id)], ['sub', parent.user]);
    assert.ok(!('days' in rows[0].life), 'it expires with the login session of one hour');
    const mails = await sandbox.admin.registry.query(
      "select user_id from mail_outbox where kind = 'sub_account_created' and user_id = $1",
      [parent.user],
    );
    assert.equal(mails.rows.length, 1);

    assert.equal((await remove(parent, made.id)).status, 200);
    assert.equal((await parent.send('GET', '/subaccounts')).body.count, 0);
    assert.equal((await remove(parent, made.id)).status, 404);
    await waitUntil({
      what: 'its session is closed',
      timeoutMs: 5_000,
      question: async () => (await sub.send('GET', '/user', { at: 1 })).status === 401,
    });
    assert.equal(
      (await create(parent, { label: 'savings' })).label,
      'savings',
      'the label can be reused',
    );
  });

  test('labels are unique, logins are rejected, and there are at most 50', async () => {
    const parent = await PersonOverHttp.make(sandbox);
    const other = await PersonOverHttp.make(sandbox);
    await create(parent, { label: 'a' });
    await create(other, { label: 'a' });
    const refusals: [body: object, status: number, code: number][] = [
      [{ label: 'A' }, 400, 2481],
      [{ label: 'b', email: 'b@example.com' }, 400, 2485],
      [{ label: 'b', password: 'correct horse' }, 400, 2485],
    ];
    for (const [body, status, code] of refusals) {
      const answer = await parent.send('POST', '/subaccount', { body });
      assert.deepEqual([answer.status, answer.body.code], [status, code], answer.text);
    }
    const asked = Array.from({ length: 55 }, (_, at) =>
      parent.send('POST', '/subaccount', { body: { label: `n${at}` }, at: (at % 2) as 0 | 1 }),
    );
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    const limited = statuses.filter((status) => status === 429).length;
    // A request that a busy machine sends late gets 408, and nothing has happened.
    assert.ok(
      statuses.every((status) => [201, 400, 408, 429].includes(status)),
      statuses.join(),
    );
    // Adds the sub-accounts that were rejected.
    await sandbox.admin.registry.query(
      `with made as (
         insert into users (email, username, affiliation_code, kind, parent_id)
         select gen_random_uuid() || '@sub-account.invalid', 'x', upper(substr(md5(i || $2), 1, 6)),
           'virtual', $1
         from generate_series(1, 50 - (select count(*)::int from users where parent_id = $1)) i
         returning id)
       insert into sub_accounts (user_id, parent_id, label) select id, $1, 'f' || id from made`,
      [parent.user, randomUUID()],
    );
    const { body } = await parent.send('GET', '/subaccounts');
    assert.equal(body.count, 50, `${limited} were limited`);
    const clients = [0, 1].map((at) =>
      parent.send('POST', '/subaccount', { body: { label: 'more' }, at: at as 0 | 1 }),
    );
    for (const { body, status } of await Promise.all(clients)) {
      assert.deepEqual([status, body.code], [400, 2482]);
    }
  });

  test('500 sub-accounts can be created in total, even if nearly all are removed', async () => {
    const parent = await PersonOverHttp.make(sandbox);
    await sandbox.admin.registry.query(
      `insert into users (email, username, affiliation_code, kind, parent_id, state)
       select gen_random_uuid() || '@sub-account.invalid', 'x',
         upper(substr(md5($2), 1, 3) || lpad(to_hex(i), 3, '0')), 'virtual', $1, 'closed'
       from generate_series(1, 499) i`,
      [parent.user, randomUUID()],
    );
    const create = (label: string) => parent.send('POST', '/subaccount', { body: { label } });
    assert.equal((await create('last')).status, 201);
    const { body, status } = await create('more');
    assert.deepEqual([status, body.code], [400, 2492]);
    assert.match(body.message, /created 500 sub-accounts/);
  });

  test('transfers are free and immediate, and both sides list them', async () => {
    const { clients, parent, sub: id } = await family();
    const sub = await enter(parent, id);
    const sent = await clients[0].post('/subaccount/transfer', transfer(id, 1.5));
    assert.equal(sent.status, 200, sent.text);
    assert.deepEqual([await balanceOf(parent), await balanceOf(sub)], [8.5, 1.5]);
    const back = { body: transfer(id, 0.5, 'to_master'), at: 1 } as const;
    assert.equal((await parent.send('POST', '/subaccount/transfer', back)).status, 200);
    assert.deepEqual([await balanceOf(parent), await balanceOf(sub)], [9, 1]);

    const { transaction_id } = sent.body;
    const lists = [
      await parent.send('GET', `/user/withdrawals?transaction_id=${transaction_id}`),
      await sub.send('GET', `/user/deposits?transaction_id=${transaction_id}`),
    ];
    for (const { body } of lists) {
      const [{ address, amount, currency, fee, status }] = body.data;
      assert.deepEqual([amount, fee, currency, status, address], [1.5, 0, 'btc', true, 'transfer']);
    }
    const { rows } = await sandbox.admin.registry.query(
      `select actor_id, key_id > 0 as by_key, session_id > 0 as by_session
       from withdrawal_requests where user_id = any($1) order by id`,
      [[parent.user, id]],
    );
    assert.deepEqual(
      rows.map((row) => [Number(row.actor_id), row.by_key, row.by_session]),
      [
        [parent.user, true, false],
        [parent.user, false, true],
      ],
    );
  });

  test('the engine receives a sub-account with its first money', async () => {
    const { registry } = sandbox.admin;
    const { clients, parent, sub } = await family();
    await registry.query('update users set verification_level = 2 where id = $1', [parent.user]);
    const { id: credited } = await create(parent);
    const groupsOf = async () => {
      const { rows } = await registry.query(
        `select user_id, group_id, tier from engine_user_settings
         where user_id = any($1) order by user_id`,
        [[sub, credited]],
      );
      return rows.map((row) => [row.user_id, row.group_id, row.tier].map(Number));
    };
    assert.deepEqual(await groupsOf(), [], 'an empty sub-account does not exist in the engine');
    assert.equal((await clients[0].post('/subaccount/transfer', transfer(sub, 1))).status, 200);
    assert.deepEqual(await groupsOf(), [[sub, parent.user, 2]]);
    const mint = { user_id: credited, currency: 'btc', amount: 1, status: true };
    const operator = new RestClient({ url: sandbox.url, ...sandbox.seeded.users.admin });
    const minted = await operator.post('/admin/mint', { ...mint, transaction_id: randomUUID() });
    assert.ok(minted.status < 300, minted.text);
    await waitUntil({
      what: 'the sub-account that an operator credited is in the group',
      timeoutMs: 5_000,
      question: async () => (await groupsOf()).length === 2,
    });
    assert.deepEqual((await groupsOf())[1], [credited, parent.user, 2]);
  });

  test('a transfer is rejected if it is unfunded, invalid or to another user', async () => {
    const { clients, sub } = await family();
    const { sub: foreign } = await family();
    const refusals: [body: object, status: number, code: number][] = [
      [transfer(sub, 10.1), 400, 44],
      [transfer(sub, 0.1, 'to_master'), 400, 44],
      [transfer(sub, 0), 400, 2200],
      [transfer(sub, -1), 400, 2200],
      [transfer(sub, 1e-9), 400, 1004],
      [transfer(sub, 1, 'to_sub', 'nope'), 400, 1003],
      [transfer(foreign, 1), 404, 2480],
      [transfer(foreign, 1, 'to_master'), 404, 2480],
      [transfer(999_999_999, 1), 404, 2480],
    ];
    for (const [body, status, code] of refusals) {
      const answer = await clients[0].post('/subaccount/transfer', body);
      assert.deepEqual([answer.status, answer.body.code], [status, code], JSON.stringify(body));
    }
  });

  test('an account family does not trade with itself', async () => {
    const { clients, parent, sub: id } = await family();
    await clients[0].post('/subaccount/transfer', transfer(id, 1));
    const sub = await enter(parent, id);
    const order = { symbol: 'btc-usdt', type: 'limit', size: 0.01, price: 59_000 };
    const offer = await sub.send('POST', '/order', { body: { ...order, side: 'sell' } });
    assert.equal(offer.status, 200, offer.text);
    await clients[1].post('/order', { ...order, side: 'buy' });
    for (const holder of [parent, sub]) {
      assert.equal((await holder.send('GET', '/user/trades')).body.count, 0);
    }
    await sub.send('DELETE', '/order/all?symbol=btc-usdt');
    await clients[1].delete('/order/all', { symbol: 'btc-usdt' });
  });

  test('of parallel transfers of the full balance over two gateways, one succeeds', async () => {
    const { clients, parent, sub: id } = await family();
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, at) =>
        clients[at % 2].post('/subaccount/transfer', transfer(id, 10)),
      ),
    );
    const tally = answers.map(({ body, status }) => (status === 200 ? 'moved' : body.code)).sort();
    assert.equal(tally.filter((one) => one === 'moved').length, 1, tally.join());
    const sub = await enter(parent, id);
    assert.deepEqual([await balanceOf(parent), await balanceOf(sub)], [0, 10]);
  });

  test('abuse 32: transfers and withdrawals race for one balance and one limit', async () => {
    const { parent, sub: id } = await family();
    const { registry } = sandbox.admin;
    const key = await keyOf(parent.user);
    const clients = sandbox.urls.map((url) => new RestClient({ url, ...key }));
    const withdrawal = { currency: 'btc', amount: 2, address: BTC_ADDRESS, network: 'btc' };
    const sends = Array.from({ length: 36 }, (_, at) => {
      const client = clients[at % 2];
      if (at % 3 === 0) return client.post('/user/withdrawal', withdrawal);
      const direction = at % 3 === 1 ? 'to_sub' : 'to_master';
      return client.post('/subaccount/transfer', transfer(id, 1 + (at % 4), direction));
    });
    const answers = await Promise.all(sends);
    assert.ok(answers.every(({ status }) => [200, 400].includes(status)));
    const done = (part: number) =>
      answers.filter(({ status }, at) => at % 3 === part && status === 200).length;
    const [withdrawn, sent, returned] = [done(0), done(1), done(2)];
    assert.ok(withdrawn > 0 && sent > 0, `${withdrawn} ${sent} ${returned} of 12 each`);
    assert.ok(withdrawn < 12 && sent + returned < 24, 'they compete');
    const sub = await enter(parent, id);
    const { rows } = await registry.query(
      `select coalesce(
           sum(amount_atoms + case when fee_asset_id = asset_id then fee_atoms else 0 end)
         filter (where kind = 'withdrawal' and state not in ('refused')), 0) as withdrawn,
         count(*) filter (where kind = 'withdrawal' and user_id = $2) as of_sub
       from withdrawal_requests where user_id in ($1, $2)`,
      [parent.user, id],
    );
    const held = Number(rows[0].withdrawn) / 1e8;
    const { body: mine } = await parent.send('GET', '/user/balance');
    const { body: theirs } = await sub.send('GET', '/user/balance');
    const total = mine.btc_balance + (theirs.btc_balance ?? 0);
    assert.equal(total, 10, 'amounts on hold are still part of the balance');
    assert.ok(mine.btc_available >= 0 && (theirs.btc_available ?? 0) >= 0);
    const available = mine.btc_available + (theirs.btc_available ?? 0);
    assert.ok(Math.abs(available + held - 10) < 1e-8, `${available} available, ${held} held`);
    assert.equal(Number(rows[0].of_sub), 0, 'nothing is withdrawn from the sub-account');
  });

  test('a sub-account with money is not removed, even in a race with a transfer', async () => {
    const { clients, parent, sub: id } = await family();
    assert.equal((await clients[0].post('/subaccount/transfer', transfer(id, 1))).status, 200);
    const refused = await remove(parent, id);
    assert.deepEqual([refused.status, refused.body.code], [400, 2483]);
    assert.ok(refused.body.message.endsWith('a balance'), refused.text);
    for (let round = 0; round < 6; round++) {
      const { id: next } = await create(parent);
      const [moved, gone] = await Promise.all([
        clients[round % 2].post('/subaccount/transfer', transfer(next, 0.1)),
        remove(parent, next),
      ]);
      const [hasMoved, hasGone] = [moved.status === 200, gone.status === 200];
      assert.ok(hasMoved !== hasGone, `${moved.text} ${gone.text}`);
    }
    const { rows } = await sandbox.admin.registry.query(
      "select id from users where parent_id = $1 and state <> 'active'",
      [parent.user],
    );
    for (const { id: closed } of rows) {
      const left = await accountsOf(Number(closed));
      assert.deepEqual(left, [], 'no money is in a removed sub-account');
    }
  });

  test('freezing the parent ends sessions, keys and orders of its sub-accounts', async () => {
    const { clients, parent, sub: id } = await family();
    await clients[0].post('/subaccount/transfer', transfer(id, 1));
    const sub = await enter(parent, id);
    const key = await keyOf(id);
    const bots = sandbox.urls.map((url) => new RestClient({ url, ...key }));
    const readingKey = await keyOf(id, false);
    const readers = sandbox.urls.map((url) => new RestClient({ url, ...readingKey }));
    const order = { symbol: 'btc-usdt', type: 'limit', side: 'sell', size: 0.01, price: 69_000 };
    assert.equal((await bots[0].post('/order', order)).status, 200);
    for (const at of [0, 1] as const) {
      assert.equal((await sub.send('GET', '/user', { at })).status, 200);
      assert.equal((await bots[at].get('/user')).status, 200);
      assert.equal((await readers[at].get('/user')).status, 200);
    }
    const frozen = await parent.send('GET', '/user/deactivate');
    assert.equal(frozen.status, 200, frozen.text);
    for (const at of [0, 1] as const) {
      await waitUntil({
        what: 'session and keys of the sub-account are rejected',
        timeoutMs: 5_000,
        question: async () => {
          const answers = [
            await sub.send('GET', '/user', { at }),
            await bots[at].get('/user'),
            await readers[at].get('/user'),
          ];
          return answers.every(({ status }) => status === 401);
        },
      });
    }
    await waitUntil({
      what: 'the order of the sub-account is canceled',
      timeoutMs: 5_000,
      question: async () => (await accountsOf(id)).every(({ heldAtoms }) => heldAtoms === 0n),
    });
  });

  test("abuse 33: a sub-account's key can trade but never withdraw", async () => {
    const parent = await PersonOverHttp.make(sandbox);
    const stranger = await PersonOverHttp.make(sandbox);
    const { id: sub } = await create(parent);
    const foreign = { name: 'bot', subaccount_id: sub, ...(await stranger.proofs()) };
    const refused = await stranger.send('POST', '/user/token', { body: foreign });
    assert.deepEqual([refused.status, refused.body.code], [404, 2480], refused.text);
    const { id: token_id, key, secret } = await parent.createKey({ subaccount_id: sub });
    const change = async (who: PersonOverHttp, permissions: object) => {
      const body = { token_id, permissions, ...(await who.proofs()) };
      const { body: answer, status } = await who.send('PUT', '/user/token', { body });
      return [status, answer.code];
    };
    assert.deepEqual(await change(stranger, { can_trade: true }), [404, 48]);
    const withdraw = { can_withdraw: true, can_trade: true };
    assert.deepEqual(await change(parent, withdraw), [403, 2321]);
    assert.deepEqual(await change(parent, { can_trade: true }), [200, undefined]);
    const bots = sandbox.urls.map((url) => new RestClient({ url, key, secret }));
    const profile = await bots[1].get('/user');
    assert.deepEqual([profile.body.id, profile.body.is_subaccount], [sub, true]);
    const order = { symbol: 'btc-usdt', type: 'limit', side: 'sell', size: 0.01, price: 69_000 };
    const placed = await bots[0].post('/order', order);
    assert.deepEqual([placed.status, placed.body.code], [400, 67], 'only money is missing');
    const withdrawal = { currency: 'btc', amount: 2, address: BTC_ADDRESS, network: 'btc' };
    assert.equal((await bots[0].post('/user/withdrawal', withdrawal)).status, 403);
    const lists = [
      [`/user/tokens?subaccount_id=${sub}`, 1],
      ['/user/tokens', 0],
    ] as const;
    for (const [path, count] of lists) {
      assert.equal((await parent.send('GET', path)).body.count, count, path);
    }
    assert.equal((await stranger.send('GET', lists[0][0])).status, 404);
    const body = { token_id, ...(await parent.proofs()) };
    assert.equal((await parent.send('DELETE', '/user/token', { body })).status, 200);
    for (const bot of bots) {
      await waitUntil({
        what: 'the key is rejected',
        timeoutMs: 5_000,
        question: async () => (await bot.get('/user')).status === 401,
      });
    }
  });

  test('abuse 33: the database rejects nested sub-accounts', async () => {
    const { sub } = await family();
    await assert.rejects(
      sandbox.admin.registry.query(
        `insert into users (email, username, affiliation_code, kind, parent_id)
         values ($1, 'x', 'ZZZZZ0', 'sub', $2)`,
        [`${randomUUID()}@sub-account.invalid`, sub],
      ),
      /cannot have sub-accounts/,
    );
  });
});
