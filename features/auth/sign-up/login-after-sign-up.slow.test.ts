// Tests sign-up followed by a login on PostgreSQL: together they reveal no more about an address
// than each alone.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { withConnection } from '../../../infra/postgres/index.ts';
import { circumstancesOf } from '../circumstances.ts';
import { flowOf } from '../flows.ts';
import { fakeTag, GERMAN, LoginStage } from '../login/login-for-test.ts';
import type { IdentityClient } from '../person-context.ts';
import { clientAt, vault } from '../registry-for-test.ts';
import { signUp, verifyEmail } from './sign-up.ts';

let stage: LoginStage;

describe('sign-up and login', () => {
  before(async () => {
    stage = await LoginStage.open();
  });
  beforeEach(() => stage.pool.query('delete from login_throttles'));
  after(() => stage.close());

  test('abuse 3: a login after sign-up gets the same response for every address', async () => {
    const theirs = 'the password of the stranger';
    const signUpAndLogIn = async (email: string, client: IdentityClient) => {
      await stage.pool.query('delete from login_throttles');
      await signUpAs(email, theirs, client);
      const answers: unknown[] = [];
      for (const password of [theirs, 'wrong', theirs, 'wrong', 'wrong', theirs]) {
        const hashes = stage.hasher.hashes;
        const answer = await stage.attempt(email, { password, client });
        answers.push([answer, stage.hasher.hashes - hashes]);
      }
      const { rows } = await stage.pool.query(
        'select scope, failures from login_throttles order by scope, failures',
      );
      return { answers, rows };
    };
    const cookie = { isBrowserApp: true, flowToken: 'f'.repeat(43) };
    for (const client of [clientAt('192.0.2.90'), clientAt('192.0.2.91', cookie)]) {
      const fresh = await signUpAndLogIn('fresh@example.com', client);
      assert.deepEqual(fresh.answers[0], [{ kind: 'refused', refusal: 'email_not_verified' }, 2]);
      for (const state of ['active', 'unverified', 'frozen', 'closed'] as const) {
        const { email } = await stage.person({ state });
        assert.deepEqual(await signUpAndLogIn(email, client), fresh, state);
      }
      await stage.pool.query("delete from users where email = 'fresh@example.com'");
    }
  });

  // U+212A, the Kelvin sign, lowercases to k in JavaScript but not in PostgreSQL's C locale.
  test('abuse 3: an address in other letters is the same address everywhere', async () => {
    const traces = async (email: string) => {
      await stage.pool.query('delete from login_throttles');
      const client = clientAt('192.0.2.95');
      await signUpAs(email, 'the password of the stranger', client);
      const answers: unknown[] = [await stage.attempt(email, { password: 'wrong', client })];
      const rows = `select (select count(*) from users where email = $1) as users,
        (select failures from login_throttles where scope = 'account') as failures`;
      answers.push((await stage.pool.query(rows, [email.replace('\u212a', 'k')])).rows);
      return answers;
    };
    await stage.person({ email: 'kim@example.com' });
    const known = await traces('\u212aim@example.com');
    assert.deepEqual(known.at(-1), [{ users: '1', failures: '1' }]);
    assert.deepEqual(await traces('\u212ate@example.com'), known);
    const client = clientAt('192.0.2.96');
    assert.equal(await stage.logIn(' \u212aIM@example.com', { client }), 'opened');
  });

  test('non-ASCII letters before the @ are rejected', async () => {
    const client = clientAt('192.0.2.97');
    // A Cyrillic letter that looks like a Latin one.
    await assert.rejects(signUpAs('\u0430nn@example.com', 'a password', client), /email_invalid/);
  });

  test("a stranger's sign-up does not affect the owner's login", async () => {
    const { email } = await stage.person();
    const client = clientAt(GERMAN);
    await signUpAs(email, 'the password of the stranger', client);
    assert.equal(await stage.logIn(email, { client }), 'opened');
  });

  test('a login hashed while the address is verified opens no session', async () => {
    const person = await stage.unverified();
    const { hasher } = stage;
    const verify = hasher.verify;
    const connection = await stage.pool.connect();
    hasher.verify = async (...sent) => {
      hasher.verify = verify;
      const { rows } = await connection.query('select security_version from users where id = $1', [
        person.user,
      ]);
      const code = await stage.codeWithPassword(person);
      const circumstances = circumstancesOf(stage.ports, clientAt(GERMAN), undefined);
      await verifyEmail(connection, vault, {
        code,
        flow: flowOf(clientAt(GERMAN)),
        nowMs: stage.nowMs,
        circumstances: () => circumstances,
      });
      assert.equal(Number(rows[0].security_version), 1);
      return verify.apply(hasher, sent);
    };
    assert.equal(await stage.logIn(person.email), 'credentials_wrong');
    connection.release();
    assert.equal(await stage.logIn(person.email), 'opened');
  });
});

async function signUpAs(email: string, password: string, client: IdentityClient): Promise<void> {
  const refusal = await withConnection(stage.pool, (connection) =>
    signUp(connection, vault, {
      email,
      password: fakeTag(password),
      form: 'v2',
      flow: flowOf(client),
      language: 'en',
      circumstances: (user) => circumstancesOf(stage.ports, client, user),
    }),
  );
  assert.equal(refusal, undefined);
}
