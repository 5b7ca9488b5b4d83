// Tests password reset and change on a real PostgreSQL: which proofs they need, and what they end.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { UserId } from '../../../core/money/index.ts';
import type { OwnConnection } from '../../../infra/postgres/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { findUser, type UserState } from '../../accounts/index.ts';
import type { CodeForm, Flow } from '../codes.ts';
import { replaceRecoveryCodes } from '../factors/recovery-codes.ts';
import { activateTotp, requestTotp, totpCode } from '../factors/totp.ts';
import { mailsTo, passwordFor, somewhere } from '../mails-for-test.ts';
import {
  makeUser,
  openRegistryForTest,
  type RegistryForTest,
  vault,
} from '../registry-for-test.ts';
import { applySecurityChange } from '../security-changes.ts';
import { Throttles } from '../throttles.ts';
import { confirmPasswordChange, requestPasswordChange } from './change-password.ts';
import { installPassword, oldPasswordCounter, readPassword } from './passwords.ts';
import { requestPasswordReset, resetPassword } from './reset-password.ts';

const HOME: Flow = { network: '192.0.2.1', session: 0 };
const ELSEWHERE: Flow = { network: '198.51.100.7', session: 0 };
const NOW_MS = Date.parse('2026-11-15T12:00:00Z');
const NEW = 'a longer password';

let registry: RegistryForTest;
let connection: OwnConnection;

describe('password reset', () => {
  before(async () => {
    registry = await openRegistryForTest();
    connection = await registry.connection();
  });
  after(() => registry.close());

  for (const form of ['v2', 'v3', 'v4'] as const) {
    test(`a code of format ${form} installs the new password, once`, async () => {
      const user = await person();
      const code = await codeFor(user, { form });
      assert.equal(await reset(code), user);
      assert.deepEqual(await installed(user), passwordFor(NEW).tag);
      const used = new Refused(form === 'v2' ? 'code_used' : 'code_wrong');
      assert.deepEqual(await reset(code), used);
      assert.deepEqual(await kindsTo(user), ['reset_password', 'password_changed']);
    });
  }

  test('a reset ends sessions, devices and keys, pauses withdrawals, unblocks login', async () => {
    const user = await person();
    const email = await addressOf(user);
    const session = await makeSession(user);
    const throttled = { scope: 'account', subject: email, nowMs: NOW_MS } as const;
    for (let at = 0; at < 5; at++) await Throttles.fail(connection, vault, throttled);
    assert.equal(await Throttles.check(connection, vault, throttled), false);
    const oldPassword = { ...oldPasswordCounter(user), nowMs: NOW_MS };
    for (let at = 0; at < 5; at++) await Throttles.fail(connection, vault, oldPassword);
    assert.equal(await reset(await codeFor(user)), user);
    assert.equal(await Throttles.check(connection, vault, throttled), true);
    assert.equal(await Throttles.check(connection, vault, oldPassword), true);
    const { rows } = await connection.query(
      `select revoked_reason, u.security_version::integer as version,
         round(extract(epoch from withdrawal_blocked_until - now()) / 3600)::integer as hours
       from sessions s join users u on u.id = s.user_id where s.id = $1`,
      [session],
    );
    assert.deepEqual(rows, [{ revoked_reason: 'password_reset', version: 2, hours: 24 }]);
  });

  const states: [UserState, mails: number][] = [
    ['active', 1],
    ['frozen', 1],
    ['closing', 1],
    ['unverified', 0],
    ['closed', 0],
    ['erased', 0],
  ];
  for (const [state, mails] of states) {
    test(`abuse 3: a reset for a user in state ${state} sends ${mails} emails`, async () => {
      const user = await makeUser(registry.pool, { state });
      const before = await mailRows();
      assert.equal(await ask(await addressOf(user)), undefined);
      assert.equal(await mailRows(), before + 1);
      assert.equal((await kindsTo(user)).length, mails);
    });
  }

  test('abuse 3: a reset for an unknown address leaves a row too', async () => {
    const before = await mailRows();
    assert.equal(await ask('unknown@example.com'), undefined);
    assert.equal(await mailRows(), before + 1);
  });

  test("abuse 51: strangers use up neither the emails nor the owner's last link", async () => {
    const user = await person();
    const to = await addressOf(user);
    const sent = async (network: string, form: CodeForm) => {
      const before = (await kindsTo(user)).length;
      await ask(to, form, { network, session: 0 });
      // Emails are counted per two minutes.
      await connection.query(
        `update mail_outbox set created_at = created_at - interval '3 minutes' where user_id = $1`,
        [user],
      );
      return (await kindsTo(user)).length - before;
    };
    const counts = [];
    for (const network of ['203.0.113.1', '203.0.113.2', '203.0.113.3', '203.0.113.4']) {
      let count = 0;
      for (let at = 0; at < 6; at++) count += await sent(network, 'v4');
      counts.push(count);
    }
    assert.deepEqual(counts, [4, 4, 2, 0]);
    await connection.query('insert into devices (user_id, network) values ($1, $2)', [
      user,
      HOME.network,
    ]);
    assert.equal(await sent(ELSEWHERE.network, 'v4'), 0);
    assert.equal(await sent(ELSEWHERE.network, 'v2'), 1);
    assert.equal(await sent('203.0.113.5', 'v2'), 0);
    const own = [];
    for (let at = 0; at < 5; at++) own.push(await sent(HOME.network, 'v4'));
    assert.deepEqual(own, [1, 1, 1, 1, 0]);
  });

  test('abuse 12: without the second factor, the mailbox resets nothing', async () => {
    const user = await person();
    const rightCode = await addFactor(user);
    const code = await codeFor(user);
    assert.deepEqual(await reset(code), new Refused('factor_wrong'));
    assert.deepEqual(await reset(code, { factorCode: '000000' }), new Refused('factor_wrong'));
    assert.deepEqual(await installed(user), passwordFor('old').tag);
    assert.equal((await findUser(connection, user))?.withdrawalBlockedUntil, null);
    assert.deepEqual(await kindsTo(user), ['reset_password']);
    assert.equal(await reset(code, { factorCode: rightCode }), user);
    assert.deepEqual(await installed(user), passwordFor(NEW).tag);
  });

  test('abuse 25: a mailbox thief gets five factor tries per code', async () => {
    const user = await person();
    const rightCode = await addFactor(user);
    const code = await codeFor(user);
    for (let at = 0; at < 5; at++) assert.deepEqual(await reset(code), new Refused('factor_wrong'));
    assert.notEqual(await reset(code, { factorCode: rightCode }), user);
    const other = await codeFor(user);
    for (let at = 0; at < 5; at++) await reset(other, { factorCode: `00000${at}` });
    const third = await codeFor(user);
    assert.deepEqual(await reset(third, { factorCode: rightCode }), new Refused('factor_blocked'));
    assert.deepEqual(await installed(user), passwordFor('old').tag);
  });

  test('the email about a used recovery code has the freeze link', async () => {
    const user = await person();
    await addFactor(user);
    const [factorCode] = await replaceRecoveryCodes(connection, user);
    assert.equal(await reset(await codeFor(user), { factorCode }), user);
    const mails = await mailsTo(connection, await addressOf(user));
    const mail = mails.find(({ kind }) => kind === 'recovery_code_used');
    assert.equal(mail?.freezeToken, `freeze ${user}`);
  });

  test('a weak password is rejected, and the code stays valid', async () => {
    const user = await person();
    const code = await codeFor(user);
    assert.deepEqual(await reset(code, { text: 'password1' }), new Refused('password_weak'));
    assert.deepEqual(
      await reset(code, { text: await addressOf(user) }),
      new Refused('password_weak'),
    );
    assert.equal(await reset(code), user);
    const operator = await makeUser(registry.pool, { role: 'support' });
    const own = await codeFor(operator);
    assert.deepEqual(
      await reset(own, { text: 'kx9!mqzvkx' }),
      new Refused('password_weak_for_operator'),
    );
    assert.equal(await reset(own), operator);
  });

  test('abuse 8: a short code of another flow is rejected', async () => {
    const user = await person();
    const code = await codeFor(user, { form: 'v4' });
    assert.deepEqual(await reset(code, { flow: ELSEWHERE }), new Refused('code_wrong'));
    assert.equal(await reset(code), user);
  });

  test('abuse 9: of 100 parallel resets with one code, one succeeds', async () => {
    const user = await person();
    const code = await codeFor(user);
    const connections = await Promise.all(Array.from({ length: 20 }, () => registry.connection()));
    const outcomes = await Promise.all(
      connections.map(async (own) => {
        const results: unknown[] = [];
        for (let at = 0; at < 5; at++) results.push(await reset(code, {}, own));
        return results;
      }),
    );
    assert.equal(outcomes.flat().filter((outcome) => outcome === user).length, 1);
  });

  test('a change is pending in its code and keeps only the requesting session', async () => {
    const user = await person();
    const [own, other] = [await makeSession(user), await makeSession(user)];
    assert.equal(await change(user, own), undefined);
    assert.deepEqual(await installed(user), passwordFor('old').tag);
    const code = await lastCode(user);
    assert.equal(await confirm(code, ELSEWHERE), user);
    assert.deepEqual(await installed(user), passwordFor(NEW).tag);
    const { rows } = await connection.query(
      `select id::integer, revoked_reason as reason, security_version::integer as version
       from sessions where user_id = $1 order by id`,
      [user],
    );
    assert.deepEqual(rows, [
      { id: own, reason: null, version: 2 },
      { id: other, reason: 'password_changed', version: 1 },
    ]);
    assert.deepEqual(await kindsTo(user), ['change_password', 'password_changed']);
  });

  test('a change needs the second factor, and sends nothing without it', async () => {
    const user = await person();
    const rightCode = await addFactor(user);
    const session = await makeSession(user);
    assert.deepEqual(await change(user, session), new Refused('factor_wrong'));
    assert.deepEqual(await kindsTo(user), []);
    assert.equal(await change(user, session, { factorCode: rightCode }), undefined);
    assert.deepEqual(await kindsTo(user), ['change_password']);
  });

  test('an ended session changes no password', async () => {
    const user = await person();
    const [ended, other] = [await makeSession(user), await makeSession(await person())];
    await connection.query('update sessions set revoked_at = now() where id = $1', [ended]);
    assert.deepEqual(await change(user, ended), new Refused('session_of_person_needed'));
    assert.deepEqual(
      await change(user, other),
      new Refused('session_of_person_needed'),
      'of another user',
    );
    assert.deepEqual(await kindsTo(user), []);
  });

  test('a short code for a change is accepted only where it was requested', async () => {
    const user = await person();
    await change(user, await makeSession(user), { form: 'v4' });
    const code = await lastCode(user);
    assert.deepEqual(await confirm(code, ELSEWHERE), new Refused('code_wrong'));
    assert.equal(await confirm(code), user);
  });

  const uses: [what: string, (user: UserId) => Promise<() => Promise<unknown>>][] = [
    [
      'a reset',
      async (user) => {
        const code = await codeFor(user);
        return () => reset(code);
      },
    ],
    [
      'a confirmed change',
      async (user) => {
        await change(user, await makeSession(user));
        const code = await lastCode(user);
        return () => confirm(code);
      },
    ],
  ];
  for (const [what, prepare] of uses) {
    test(`${what} and another credential change do not deadlock`, async () => {
      const user = await person();
      const use = await prepare(user);
      const other = await registry.connection();
      await other.query('begin');
      await other.query('select from users where id = $1 for no key update', [user]);
      const used = use();
      await someoneWaits();
      await applySecurityChange(other, { user, reason: 'test', holdMs: 0 });
      await other.query('commit');
      assert.deepEqual(await used, new Refused('code_expired'));
    });
  }

  test('a reset ends a pending change', async () => {
    const user = await person();
    await change(user, await makeSession(user));
    const waiting = await lastCode(user);
    assert.equal(await reset(await codeFor(user)), user);
    assert.deepEqual(await confirm(waiting), new Refused('code_expired'));
    assert.deepEqual(await installed(user), passwordFor(NEW).tag);
  });
});

/** Returns once a transaction waits for a lock. */
async function someoneWaits(): Promise<void> {
  const { pool } = registry;
  const waiting = "select from pg_stat_activity where wait_event_type = 'Lock'";
  for (;;) {
    const { rows } = await pool.query(waiting);
    if (rows.length > 0) return;
  }
}

interface Reset {
  readonly factorCode?: string;
  readonly text?: string;
  readonly flow?: Flow;
}

function reset(code: string, asked: Reset = {}, own = connection) {
  const { factorCode = '', flow = HOME, text = NEW } = asked;
  return resetPassword(own, vault, {
    code,
    flow,
    factorCode,
    password: { text, tag: passwordFor(text) },
    exchangeName: 'Rialto',
    nowMs: NOW_MS,
    circumstances: somewhere,
  });
}

function ask(email: string, form: CodeForm = 'v2', flow = HOME) {
  return requestPasswordReset(connection, vault, {
    email,
    form,
    flow,
    circumstances: somewhere,
  });
}

function change(
  user: UserId,
  session: number,
  { factorCode = '', form = 'v2' }: { readonly factorCode?: string; readonly form?: CodeForm } = {},
) {
  return requestPasswordChange(connection, vault, {
    user,
    password: { text: NEW, tag: passwordFor(NEW) },
    exchangeName: 'Rialto',
    factorCode,
    form,
    session,
    flow: HOME,
    nowMs: NOW_MS,
    circumstances: somewhere,
  });
}

function confirm(code: string, flow = HOME) {
  return confirmPasswordChange(connection, vault, {
    code,
    flow,
    nowMs: Date.now(),
    circumstances: somewhere,
  });
}

async function person(): Promise<UserId> {
  const user = await makeUser(registry.pool);
  await installPassword(connection, vault, user, passwordFor('old'));
  return user;
}

async function codeFor(user: UserId, { form = 'v2' }: { readonly form?: CodeForm } = {}) {
  await ask(await addressOf(user), form);
  return lastCode(user);
}

async function lastCode(user: UserId): Promise<string> {
  const mails = await mailsTo(connection, await addressOf(user));
  return mails.at(-1)?.code ?? '';
}

async function kindsTo(user: UserId): Promise<string[]> {
  return (await mailsTo(connection, await addressOf(user))).map(({ kind }) => kind);
}

async function addressOf(user: UserId): Promise<string> {
  return (await findUser(connection, user))?.email ?? '';
}

async function installed(user: UserId): Promise<Uint8Array | undefined> {
  return (await readPassword(connection, vault, user))?.tag;
}

async function mailRows(): Promise<number> {
  const { rows } = await connection.query('select count(*)::integer as mails from mail_outbox');
  return rows[0].mails;
}

async function makeSession(user: UserId): Promise<number> {
  const { rows } = await connection.query(
    `insert into sessions (user_id, token_hash, scopes, expires_at)
     values ($1, sha256(gen_random_uuid()::text::bytea), '{user}', now() + interval '1 day')
     returning id::integer`,
    [user],
  );
  return rows[0].id;
}

/** Returns the code that the user's authenticator shows now. */
async function addFactor(user: UserId): Promise<string> {
  const earlierMs = NOW_MS - 60_000;
  const requested = await requestTotp(connection, vault, { user, nowMs: earlierMs });
  assert.ok(!(requested instanceof Refused));
  const { secret } = requested;
  const code = totpCode(secret, earlierMs);
  await activateTotp(connection, vault, { user, code, nowMs: earlierMs });
  return totpCode(secret, NOW_MS);
}
