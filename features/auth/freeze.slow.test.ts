// Tests suspicious logins and frozen accounts on PostgreSQL, and the proof of work.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { inTransaction, withConnection } from '../../infra/postgres/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { freezeToken } from './circumstances.ts';
import { freezeByToken, freezeUser, unfreezeUser } from './freeze.ts';
import { browser, FRENCH, GERMAN, LoginStage, type Person } from './login/login-for-test.ts';
import { finishLogin } from './login/open-session.ts';
import { confirmLogin } from './login/suspicious-login.ts';
import type { IdentityClient } from './person-context.ts';
import { clientAt, vault } from './registry-for-test.ts';
import { Captcha } from './sign-up/captcha.ts';
import { makeChallenge, solveChallenge, spendSolution } from './sign-up/proof-of-work.ts';
import { countAddressFailure } from './throttles.ts';

const HOUR_MS = 3_600_000;

let stage: LoginStage;

describe('suspicious logins and frozen accounts', () => {
  before(async () => {
    stage = await LoginStage.open();
  });
  beforeEach(() => stage.pool.query('delete from login_throttles'));
  after(() => stage.close());

  test('a confirmed location is known: the next login from there succeeds', async () => {
    const person = await stage.person();
    await stage.logIn(person.email);
    const french = { client: clientAt(FRENCH) };
    assert.equal(await stage.logIn(person.email, french), 'login_suspicious');
    assert.equal(await stage.logIn(person.email, french), 'login_suspicious', 'not confirmed yet');
    const { values } = await stage.lastMail(person);
    assert.equal(values.form, 'v2');
    assert.equal(values.country, 'FR');
    assert.equal(await confirm(values.code, clientAt('10.0.0.1')), 'confirmed', 'a link anywhere');
    assert.equal(await confirm(values.code, clientAt('10.0.0.1')), 'code_used');
    assert.equal(await stage.logIn(person.email, french), 'opened');
    const otherBrowser = { client: browser('198.51.100.77') };
    assert.equal(await stage.logIn(person.email, otherBrowser), 'opened', 'the country is known');
  });

  test('a short code is accepted only in the browser that logged in', async () => {
    const person = await stage.person();
    await stage.logIn(person.email);
    const sent = { client: browser(FRENCH), codeForm: 'v4' } as const;
    const refused = await stage.attempt(person.email, sent);
    assert.ok(refused.kind === 'refused' && refused.flowToken !== undefined);
    const { values } = await stage.lastMail(person);
    assert.match(values.code, /^\d{6}$/);
    assert.equal(await confirm(values.code, clientAt('10.0.0.9')), 'code_wrong', 'elsewhere');
    const other = browser(FRENCH, { flowToken: 'x'.repeat(43) });
    assert.equal(await confirm(values.code, other), 'code_wrong', 'another browser');
    const { flowToken } = refused;
    assert.equal(await confirm(values.code, browser('10.0.0.9', { flowToken })), 'confirmed');
    assert.equal(await stage.logIn(person.email, { client: browser(FRENCH) }), 'opened');
  });

  test('abuse 7: more suspicious logins give no more guesses or emails', async () => {
    const person = await stage.person();
    await stage.logIn(person.email);
    const client = browser(FRENCH, { flowToken: 'f'.repeat(43) });
    const again = async () => {
      // Otherwise the wrong codes would lead to a captcha.
      await stage.pool.query('delete from login_throttles');
      return stage.logIn(person.email, { client, codeForm: 'v4' });
    };
    assert.equal(await again(), 'login_suspicious');
    const { values } = await stage.lastMail(person);
    const wrong = values.code === '000000' ? '000001' : '000000';
    for (let guess = 0; guess < 5; guess++) {
      assert.equal(await confirm(wrong, client), 'code_wrong');
      assert.equal(await again(), 'login_suspicious');
    }
    assert.equal(await confirm(values.code, client), 'code_wrong', 'five guesses, no more');
    const suspicious = async () =>
      (await stage.mails(person)).filter((kind) => kind === 'suspicious_login').length;
    assert.equal(await suspicious(), 1);
    // After the code expires a new one is sent, but at most ten per day.
    for (let code = 2; code <= 12; code++) {
      await stage.pool.query("update codes set expires_at = now() - interval '1 ms'");
      await stage.pool.query(
        "update mail_outbox set created_at = created_at - interval '5 min' where user_id = $1",
        [person.user],
      );
      assert.equal(await again(), 'login_suspicious');
    }
    const { rows } = await stage.pool.query(
      `select count(*) from mail_outbox
       where user_id = $1 and kind = 'suspicious_login' and state <> 'suppressed'`,
      [person.user],
    );
    assert.equal(Number(rows[0].count), 10);
  });

  test('every path to a session passes the same final checks', async () => {
    const passkey = { longTerm: false, factor: 'passkey', client: clientAt(FRENCH) } as const;
    const finish = async ({ user }: Person) => {
      const answer = await inOneTransaction((connection) =>
        finishLogin(connection, stage.ports, { ...passkey, user }),
      );
      return answer.kind === 'opened' ? 'opened' : answer.refusal;
    };
    assert.equal(await finish(await stage.person({ state: 'frozen' })), 'user_not_activated');
    assert.equal(await finish(await stage.person({ state: 'unverified' })), 'email_not_verified');
    assert.equal(await finish(await stage.person({ verificationLevel: 0 })), 'user_not_verified');
    const traveller = await stage.person();
    await stage.logIn(traveller.email);
    assert.equal(await finish(traveller), 'login_suspicious');
    assert.equal(await finish(await stage.person()), 'opened');
  });

  test('the freeze link in any email immediately ends sessions, keys and devices', async () => {
    const person = await stage.person();
    await stage.logIn(person.email);
    const { values } = await stage.lastMail(person);
    assert.equal(await stage.liveSessions(person), 1);
    assert.deepEqual(await freeze(values.freezeToken), { user: person.user });
    assert.equal(await stage.liveSessions(person), 0);
    assert.deepEqual(await stage.mails(person), ['new_device', 'account_frozen']);
    assert.equal(await stage.logIn(person.email), 'user_not_activated');
    assert.deepEqual(await freeze(values.freezeToken), { user: person.user }, 'a second click');
    assert.deepEqual(await stage.mails(person), ['new_device', 'account_frozen']);

    stage.clock.advance(1_000);
    assert.equal(await unfreeze(person), true);
    assert.equal(await unfreeze(person), false);
    assert.equal(await freeze(values.freezeToken), undefined, 'earlier links are invalid');
    assert.equal(await stage.logIn(person.email), 'opened');
  });

  test('a frozen account has no trading key and cannot withdraw for a day after', async () => {
    const person = await stage.person();
    await stage.pool.query(
      `insert into api_keys (user_id, name, kind, public_key, kek_id, sealed, can_trade, expires_at)
       select $1, name, 'hmac', sha40, 1, '\\x00', can_trade, 'infinity'
       from (values ('reads', false, repeat('a', 40)), ('trades', true, repeat('b', 40)))
         v (name, can_trade, sha40)`,
      [person.user],
    );
    assert.ok(await freeze(freezeToken(vault, person.user, stage.nowMs)));
    stage.clock.advance(1_000);
    assert.equal(await unfreeze(person), true);
    const { rows } = await stage.pool.query(
      `select name, suspended_reason, withdrawal_blocked_until > now() + interval '23 hours' as held
       from api_keys k join users u on u.id = k.user_id where u.id = $1 order by name`,
      [person.user],
    );
    assert.deepEqual(rows, [
      { name: 'reads', suspended_reason: null, held: true },
      { name: 'trades', suspended_reason: 'frozen', held: true },
    ]);
  });

  test('the link in the closing email freezes a closing account', async () => {
    const person = await stage.person();
    const token = freezeToken(vault, person.user, stage.nowMs);
    await stage.pool.query(`update users set state = 'closing', state_since = $2 where id = $1`, [
      person.user,
      new Date(stage.nowMs + 5),
    ]);
    assert.deepEqual(await freeze(token), { user: person.user });
  });

  test('several links are valid at the same time, each for six hours and one user', async () => {
    const person = await stage.person();
    const first = freezeToken(vault, person.user, stage.nowMs);
    stage.clock.advance(HOUR_MS);
    const second = freezeToken(vault, person.user, stage.nowMs);
    stage.clock.advance(5 * HOUR_MS);
    assert.equal(await freeze(first), undefined, 'after six hours');
    assert.equal(await freeze(second.replace(`${person.user}.`, '1.')), undefined);
    assert.deepEqual(await freeze(second), { user: person.user });
    const closed = await stage.person({ state: 'closed' });
    assert.equal(await freeze(freezeToken(vault, closed.user, stage.nowMs)), undefined);
    const frozen = await inOneTransaction((connection) =>
      freezeUser(connection, stage.ports, { user: closed.user, client: clientAt(GERMAN) }),
    );
    assert.equal(frozen, false);
  });

  test('abuse 9: a proof-of-work solution is accepted once', async () => {
    const solution = solveChallenge(makeChallenge(vault, 8, stage.nowMs));
    const spend = () =>
      spendSolution(stage.pool, vault, { solution, difficultyMin: 8, nowMs: stage.nowMs });
    const results = await Promise.all(Array.from({ length: 50 }, spend));
    assert.equal(results.filter((result) => result === undefined).length, 1);
    assert.equal(results.filter((result) => result === 'used').length, 49);
  });

  test('a proof of work must be ours, unexpired, hard enough and correct', async () => {
    const { nowMs } = stage;
    const challenge = makeChallenge(vault, 8, nowMs);
    const solution = solveChallenge(challenge);
    const wrong = Array.from({ length: 100 }, (_, answer) => `${challenge.challenge}:w${answer}`);
    const refuse = (sent: string, change: object = {}) =>
      spendSolution(stage.pool, vault, { solution: sent, difficultyMin: 8, nowMs, ...change });
    assert.equal(await refuse(''), 'missing');
    assert.equal(await refuse('abc'), 'malformed');
    assert.equal(await refuse(solution.replace('.8.', '.1.')), 'malformed', 'another difficulty');
    assert.equal(await refuse(solution, { nowMs: nowMs + 300_000 }), 'expired');
    assert.equal(await refuse(solution, { difficultyMin: 9 }), 'too easy');
    const refusals = await Promise.all(wrong.map((sent) => refuse(sent)));
    assert.ok(refusals.filter((refusal) => refusal === 'wrong').length >= 95);
    assert.equal(await refuse(solveChallenge(makeChallenge(vault, 8, nowMs))), undefined);
  });

  test('challenges get harder with failures of an address and of all addresses', async () => {
    const { nowMs } = stage;
    const captcha = new Captcha({ kind: 'proof_of_work', vault });
    const client = { address: '192.0.2.99', network: '192.0.2.99' };
    const difficulty = async () => (await captcha.challenge(stage.pool, client, nowMs))?.difficulty;
    const refuse = () => captcha.refuse(stage.pool, { captcha: '', client, nowMs });
    assert.equal(await difficulty(), 16);
    assert.equal(await refuse(), undefined, 'not demanded');
    const fail = async (times: number) => {
      for (let failure = 1; failure <= times; failure++) {
        await countAddressFailure(stage.pool, vault, { network: client.network, nowMs });
      }
    };
    await fail(3);
    assert.equal(await refuse(), 'missing');
    assert.equal(await difficulty(), 16);
    await fail(5);
    assert.equal(await difficulty(), 17);
    await fail(100);
    assert.equal(await difficulty(), 22);

    const other = { address: '192.0.2.98', network: '192.0.2.98' };
    const refuseOther = (atMs = nowMs) =>
      captcha.refuse(stage.pool, { captcha: '', client: other, nowMs: atMs });
    for (let failure = 1; failure <= 299; failure++) captcha.failed(nowMs);
    assert.equal(await refuseOther(), undefined);
    captcha.failed(nowMs);
    assert.equal(await refuseOther(), 'missing', 'hundreds of failures per minute everywhere');
    assert.equal(await refuseOther(nowMs + 60_000), undefined, 'a minute later');
  });

  test("turnstile uses its verifier's decision; none requires nothing", async () => {
    const asked: unknown[] = [];
    const verifier = {
      verify: async (token: string, address: string) => {
        asked.push([token, address]);
        return token === 'good';
      },
    };
    const captcha = new Captcha({ kind: 'turnstile', vault, verifier });
    const client = clientAt(GERMAN);
    const sent = { client, nowMs: stage.nowMs, isAlways: true };
    assert.equal(await captcha.refuse(stage.pool, { ...sent, captcha: '' }), 'missing');
    assert.equal(await captcha.refuse(stage.pool, { ...sent, captcha: 'bad' }), 'not accepted');
    assert.equal(await captcha.refuse(stage.pool, { ...sent, captcha: 'good' }), undefined);
    assert.deepEqual(asked, [
      ['bad', GERMAN],
      ['good', GERMAN],
    ]);
    const none = new Captcha({ kind: 'none', vault });
    assert.equal(await none.refuse(stage.pool, { ...sent, captcha: '' }), undefined);
    assert.throws(() => new Captcha({ kind: 'turnstile', vault }), /needs a verifier/);
  });
});

function inOneTransaction<Result>(
  work: Parameters<typeof withConnection<Result>>[1],
): Promise<Result> {
  return withConnection(stage.pool, (connection) =>
    inTransaction(connection, () => work(connection)),
  );
}

async function confirm(code: string, client: IdentityClient) {
  const result = await inOneTransaction((connection) =>
    confirmLogin(connection, stage.ports, { code, client }),
  );
  return result instanceof Refused ? result.key : result;
}

function freeze(token: string) {
  const client = clientAt(GERMAN);
  return inOneTransaction((connection) =>
    freezeByToken(connection, stage.ports, { token, client }),
  );
}

function unfreeze({ user }: Person) {
  const client = clientAt(GERMAN);
  return inOneTransaction((connection) => unfreezeUser(connection, stage.ports, { user, client }));
}
