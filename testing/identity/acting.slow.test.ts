// Acting for another account on a running exchange: shared accounts from grant to removal, and the
// matrix of every route with every kind of session and key.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { WebSocket } from 'ws';
import type { UserId } from '../../core/money/index.ts';
import { writePersonal } from '../../features/accounts/index.ts';
import { issueKey } from '../../features/auth/index.ts';
import { tokenHash } from '../../infra/access/index.ts';
import { type Route, routes } from '../../protocol/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { type RestAnswer, RestClient } from '../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../tools/sandbox/sandbox.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import { PersonOverHttp } from './person-over-http.ts';

let sandbox: Sandbox;

async function emailOf({ user }: PersonOverHttp): Promise<string> {
  const { registry } = sandbox.admin;
  const { rows } = await registry.query('select email from users where id = $1', [user]);
  return rows[0].email;
}

async function share(owner: PersonOverHttp, email: string, more: object = {}): Promise<RestAnswer> {
  const body = { email, ...(await owner.proofs()), ...more };
  return owner.send('POST', '/sharedaccount', { body });
}

/** The owner shares the account, and the guest enters it. */
async function enteredBy(guest: PersonOverHttp, owner: PersonOverHttp) {
  const shared = await share(owner, await emailOf(guest));
  assert.equal(shared.status, 201, shared.text);
  return { id: shared.body.id as number, session: await enter(guest, owner, shared.body.id) };
}

async function enter(guest: PersonOverHttp, owner: PersonOverHttp, id: number) {
  const entered = await guest.send('POST', '/sharedaccount/auth', {
    body: { sharedaccount_id: id },
  });
  assert.equal(entered.status, 200, entered.text);
  return new PersonOverHttp(sandbox, { user: owner.user, session: 0, token: entered.body.token });
}

async function people(count: number): Promise<PersonOverHttp[]> {
  const made: PersonOverHttp[] = [];
  while (made.length < count) made.push(await PersonOverHttp.make(sandbox));
  return made;
}

async function untilRefused(session: PersonOverHttp): Promise<void> {
  for (const at of [0, 1] as const) {
    await waitUntil({
      what: 'the session is rejected',
      timeoutMs: 5_000,
      question: async () => (await session.send('GET', '/user', { at })).status === 401,
    });
  }
}

describe('acting for another account', () => {
  before(async () => {
    sandbox = await startSandbox({ gateways: 2, streams: 1, checkAnswers: true });
  });
  after(async () => {
    if (process.env.RIALTO_SHOW_LOGS !== undefined) console.log(sandbox?.logs());
    await sandbox?.stop();
  });

  test('a guest enters, is paused, resumed and removed', async () => {
    const [owner, guest] = await people(2);
    const { id, session } = await enteredBy(guest, owner);
    const profile = await session.send('GET', '/user', { at: 1 });
    assert.deepEqual([profile.body.id, profile.body.is_subaccount], [owner.user, false]);
    const { registry } = sandbox.admin;
    const { rows } = await registry.query(
      "select actor_id from sessions where user_id = $1 and kind = 'shared'",
      [owner.user],
    );
    assert.deepEqual(
      rows.map(({ actor_id }) => Number(actor_id)),
      [guest.user],
    );

    const lists = [
      [await owner.send('GET', '/sharedaccounts/shared'), await emailOf(guest)],
      [await guest.send('GET', '/sharedaccounts/access', { at: 1 }), await emailOf(owner)],
    ] as const;
    for (const [{ body }, email] of lists) {
      assert.deepEqual([body.count, body.data[0].id, body.data[0].active], [1, id, true]);
      assert.equal(body.data[0].email, email);
    }
    const name = { body: { sharedaccount_id: id } };
    assert.equal((await owner.send('POST', '/sharedaccount/pause', name)).status, 200);
    await untilRefused(session);
    const paused = await guest.send('POST', '/sharedaccount/auth', name);
    assert.deepEqual([paused.status, paused.body.code], [403, 2491]);
    const resume = { body: { ...name.body, ...(await owner.proofs()) } };
    assert.equal((await owner.send('POST', '/sharedaccount/resume', resume)).status, 200);
    const again = await enter(guest, owner, id);
    const third = await enter(guest, owner, id);
    await untilRefused(again);
    assert.equal((await third.send('GET', '/user')).status, 200, 'the last session is still valid');
    assert.equal((await guest.send('POST', '/sharedaccount/delete', name)).status, 200);
    await untilRefused(third);
    const gone = await guest.send('POST', '/sharedaccount/auth', name);
    assert.deepEqual([gone.status, gone.body.code], [404, 2487]);
    assert.equal((await owner.send('GET', '/sharedaccounts/shared')).body.count, 0);
  });

  test('an address without an account looks like one with an account', async () => {
    const [owner, other, guest] = await people(3);
    const known = await share(owner, await emailOf(guest), { label: 'x' });
    const unknown = await share(other, `${'0'.repeat(30)}@example.com`, { label: 'x' });
    assert.deepEqual([known.status, unknown.status], [201, 201]);
    const shapeOf = (body: object) =>
      Object.entries(body).map(([key, value]) => [key, typeof value]);
    assert.deepEqual(shapeOf(known.body), shapeOf(unknown.body));
    for (const one of [owner, other]) {
      const { body } = await one.send('GET', '/sharedaccounts/shared');
      assert.deepEqual([body.count, body.data[0].active, body.data[0].label], [1, true, 'x']);
    }
    const mails = await sandbox.admin.registry.query(
      "select user_id from mail_outbox where kind = 'shared_account_granted' and user_id = any($1)",
      [[owner.user, other.user, guest.user]],
    );
    const told = mails.rows.map(({ user_id }) => Number(user_id)).sort((one, two) => one - two);
    assert.deepEqual(told, [owner.user, other.user, guest.user]);
  });

  test('sharing is rejected without both proofs, twice, with yourself or too many', async () => {
    const owner = await PersonOverHttp.make(sandbox);
    const email = await emailOf(owner);
    const refusals: [email: string, more: object, status: number, code: number][] = [
      ['a@example.com', { otp_code: undefined }, 400, 2010],
      ['a@example.com', { otp_code: '000000' }, 400, 2306],
      ['a@example.com', { email_code: undefined }, 400, 2010],
      ['a@example.com', { email_code: '00000000' }, 400, 33],
      [email, {}, 400, 2490],
    ];
    for (const [to, more, status, code] of refusals) {
      const { body, status: got, text } = await share(owner, to, more);
      assert.deepEqual([got, body.code], [status, code], text);
    }
    const { registry, vault } = sandbox.admin;
    assert.equal((await share(owner, 'a@example.com')).status, 201);
    const twice = await share(owner, ' A@Example.com');
    assert.deepEqual([twice.status, twice.body.code], [400, 2489], twice.text);
    for (let count = 2; count <= 10; count++) {
      const reference = randomUUID();
      const { kekId, sealed } = vault.seal(`shared account ${reference}`, `${count}@example.com`);
      await registry.query(
        `insert into shared_accounts (user_id, reference, kek_id, sealed_email)
         values ($1, $2, $3, $4)`,
        [owner.user, reference, kekId, sealed],
      );
    }
    const more = await share(owner, 'b@example.com');
    assert.deepEqual([more.status, more.body.code], [400, 2488], more.text);
  });

  test('abuse 34: a guest cannot see who the owner is', async () => {
    const [owner, guest] = await people(2);
    const { registry, vault } = sandbox.admin;
    await writePersonal(registry, vault, owner.user, {
      fullName: 'Ada Secret',
      gender: true,
      nationality: 'SE',
      dob: '1990-01-02',
      phoneNumber: '+46701740605',
      address: { city: 'Secret City' },
      idData: { number: 'secret 17' },
    });
    await registry.query(
      `insert into wallets (user_id, currency, network, address) values ($1, 'btc', 'btc', $2)`,
      [owner.user, `secret${owner.user}`],
    );
    const { session } = await enteredBy(guest, owner);
    const personal = /secret|1990|SE"|46701740605/i;
    assert.match((await owner.send('GET', '/user')).text, personal);
    const seen = await session.send('GET', '/user');
    assert.equal(seen.status, 200, seen.text);
    assert.doesNotMatch(seen.text, personal);
    assert.deepEqual([seen.body.wallet, seen.body.bank_account], [[], []]);
    for (const path of ['sessions', 'logins', 'addressbook', 'payment-details', 'affiliation']) {
      assert.equal((await owner.send('GET', `/user/${path}`)).status, 200, path);
      assert.equal((await session.send('GET', `/user/${path}`)).status, 403, path);
    }
  });

  test('only the owner pauses, only the guest enters, other users see nothing', async () => {
    const [owner, guest, stranger] = await people(3);
    const { id } = await enteredBy(guest, owner);
    const calls: [who: PersonOverHttp, call: string][] = [
      [owner, 'auth'],
      [guest, 'pause'],
      [guest, 'resume'],
      [stranger, 'auth'],
      [stranger, 'pause'],
      [stranger, 'resume'],
      [stranger, 'delete'],
    ];
    for (const [who, call] of calls) {
      const answer = await who.send('POST', `/sharedaccount/${call}`, {
        body: { sharedaccount_id: id, ...(call === 'resume' && (await who.proofs())) },
      });
      assert.deepEqual([answer.status, answer.body.code], [404, 2487], `${call}: ${answer.text}`);
    }
  });

  test("abuse 34: a security change by either user ends the guest's access", async () => {
    const [owner, guest, other] = await people(3);
    const first = await enteredBy(guest, owner);
    const second = await enteredBy(guest, other);
    const frozen = await owner.send('GET', '/user/deactivate');
    assert.equal(frozen.status, 200, frozen.text);
    await untilRefused(first.session);
    const { rows } = await sandbox.admin.registry.query(
      'select state from shared_accounts where id = $1',
      [first.id],
    );
    assert.equal(rows[0].state, 'paused', 'the owner must allow guests again');
    assert.equal((await second.session.send('GET', '/user')).status, 200);
    assert.equal((await guest.send('GET', '/user/deactivate')).status, 200);
    await untilRefused(second.session);
  });

  const revoke = (login: PersonOverHttp, session_id: number) =>
    login.send('POST', '/user/revoke-session', { body: { session_id } });
  const ends: [
    how: string,
    end: (login: PersonOverHttp, acting: readonly number[]) => Promise<RestAnswer>[],
  ][] = [
    ['logout', (login) => [login.send('GET', '/logout')]],
    ['revoking the login session', (login) => [revoke(login, login.session)]],
    ['revoking its device', (login) => [revokeDeviceOf(login)]],
    ['revoking it', (login, acting) => acting.map((id) => revoke(login, id))],
  ];
  for (const [how, end] of ends) {
    test(`abuse 33, abuse 34: a session in another account closes after ${how}`, async () => {
      const [parent, owner] = await people(2);
      const login = await PersonOverHttp.make(sandbox, { user: parent.user });
      const made = await parent.send('POST', '/subaccount', { body: { label: 'one' } });
      const enterSub = async (by: PersonOverHttp) => {
        const body = { subaccount_id: made.body.id };
        const { token } = (await by.send('POST', '/subaccount/auth', { body })).body;
        return new PersonOverHttp(sandbox, { user: made.body.id, session: 0, token });
      };
      const other = await enterSub(parent);
      const acting = [await enterSub(login), (await enteredBy(login, owner)).session];
      const ids = await Promise.all(acting.map(sessionOf));
      const { body } = await login.send('GET', '/user/sessions?status=true', { at: 1 });
      const listed = new Map<number, number>(
        body.data.map((row: SessionInList) => [row.id, row.login.User.id]),
      );
      assert.deepEqual(
        ids.map((id) => listed.get(id)),
        [made.body.id, owner.user],
      );
      const closed = await Promise.all(acting.map(openSocket));
      for (const { status, text } of await Promise.all(end(login, ids))) {
        assert.equal(status, 200, text);
      }
      for (const session of acting) await untilRefused(session);
      await Promise.all(closed.map(({ close }) => close));
      assert.equal((await other.send('GET', '/user')).status, 200, 'a session of another login');
    });
  }

  test('abuse 33, abuse 34: every route accepts exactly its kinds of callers', async (context) => {
    const [parent, guest] = await people(2);
    const made = await parent.send('POST', '/subaccount', { body: { label: 'one' } });
    const sub: number = made.body.id;
    const opened = await parent.send('POST', '/subaccount/auth', { body: { subaccount_id: sub } });
    const callers: Record<CallerKind, Sender> = {
      login: parent.headers,
      sub: { authorization: `Bearer ${opened.body.token}` },
      shared: (await enteredBy(guest, parent)).session.headers,
      'key of a person': await keyOf(parent.user),
      'key of a sub-account': await keyOf(sub),
    };
    // Some calls return 403 to users whose factor was not verified recently.
    await sandbox.admin.registry.query('delete from totp_secrets where user_id = $1', [
      parent.user,
    ]);
    const tally: Record<string, number> = {};
    for (const [name, route] of Object.entries<Route>(routes)) {
      if (route.permission.who === 'anyone' || ENDS_SOMETHING.has(name)) continue;
      for (const kind of Object.keys(callers) as CallerKind[]) {
        const expected = expectedOf(kind, name, route);
        const { status, text } = await sendEmpty(route, callers[kind]);
        const what = `${route.method} ${route.path} by ${kind}: ${status} ${text}`;
        if (expected === 'allowed') assert.ok(status !== 401 && status !== 403, what);
        else assert.equal(status, expected, what);
        const cell = `${kind}: ${expected}`;
        tally[cell] = (tally[cell] ?? 0) + 1;
      }
    }
    context.diagnostic(JSON.stringify(tally));
    for (const kind of ['sub', 'shared'] as const) {
      assert.ok(tally[`${kind}: 403`] > 40 && tally[`${kind}: allowed`] > 10, kind);
    }
  });
});

async function revokeDeviceOf(login: PersonOverHttp): Promise<RestAnswer> {
  const { registry } = sandbox.admin;
  const { rows } = await registry.query(
    "insert into devices (user_id, network) values ($1, '192.0.2.1') returning id",
    [login.user],
  );
  await registry.query('update sessions set device_id = $2 where id = $1', [
    login.session,
    rows[0].id,
  ]);
  return login.send('DELETE', `/user/devices?id=${rows[0].id}`);
}

interface SessionInList {
  readonly id: number;
  readonly login: { readonly User: { readonly id: number } };
}

async function sessionOf({ headers }: PersonOverHttp): Promise<number> {
  const token = headers.authorization.replace('Bearer ', '');
  const { rows } = await sandbox.admin.registry.query(
    'select id from sessions where token_hash = $1',
    [Buffer.from(tokenHash(token), 'hex')],
  );
  return Number(rows[0].id);
}

/** Resolves when the socket is authenticated; `close` resolves when the server has closed it. */
async function openSocket({ headers }: PersonOverHttp): Promise<{ close: Promise<unknown> }> {
  const socket = new WebSocket(sandbox.streamUrls[0], { headers });
  const close = once(socket, 'close');
  const texts: string[] = [];
  socket.on('message', (data) => texts.push(`${data}`));
  await waitUntil({
    what: 'the socket has a user',
    timeoutMs: 5_000,
    question: () => texts.some((text) => text.includes('authenticated')),
  });
  return { close };
}

type CallerKind = 'login' | 'sub' | 'shared' | 'key of a person' | 'key of a sub-account';
type Sender = Readonly<Record<string, string>> | { readonly key: string; readonly secret: string };

/** Calls that need no parameters and would close the caller's session or account. */
const ENDS_SOMETHING = new Set(['logout', 'deactivateUser', 'deactivateUserByPost']);

/** Routes for keys and sessions that are limited to the user's own account. */
const ONLY_OWN_ACCOUNT = new Set(['getSubAccounts', 'getSharedAccounts', 'getAccessibleAccounts']);

/** Returns the expected rejection for the route's permission and the kind of caller. */
function expectedOf(kind: CallerKind, name: string, { permission }: Route): 'allowed' | number {
  if (permission.who === 'anyone') return 'allowed';
  const isKey = kind.startsWith('key');
  const isOwn = kind === 'login' || kind === 'key of a person';
  if (permission.who === 'person') {
    if (isKey) return 403;
    return isOwn || permission.anySession === true ? 'allowed' : 403;
  }
  if (!isKey && !permission.sessions) return 401;
  if (permission.who === 'operator') return 403;
  if (isOwn) return 'allowed';
  if (kind === 'shared' && permission.who === 'user' && permission.noGuests === true) return 403;
  return permission.scope === 'can_withdraw' || ONLY_OWN_ACCOUNT.has(name) ? 403 : 'allowed';
}

/** Permissions are checked before the schema, so an empty request is enough. */
function sendEmpty({ body, method, path }: Route, sender: Sender): Promise<RestAnswer> {
  const isKey = 'secret' in sender;
  const { url } = sandbox;
  const client = isKey
    ? new RestClient({ url, key: sender.key, secret: sender.secret })
    : new RestClient({ url });
  return client.send({
    method,
    target: path.replaceAll(/:\w+/g, 'x'),
    ...(body !== undefined && { body: {} }),
    ...(!isKey && { headers: sender }),
  });
}

/** Creates a key with every permission that a row can have. */
async function keyOf(user: number): Promise<{ key: string; secret: string }> {
  const { registry, vault } = sandbox.admin;
  const scopes = { canRead: true, canTrade: true, canWithdraw: true };
  const wanted = { name: 'all', kind: 'hmac', role: 'user', whitelistedIps: [] } as const;
  const of = { user: user as UserId, nowMs: Date.now(), ...wanted, ...scopes };
  const issued = await issueKey(registry, vault, of, { mayBeAnywhere: true });
  assert.ok(!(issued instanceof Refused), JSON.stringify(issued));
  return { key: issued.key.publicKey, secret: issued.secret };
}
