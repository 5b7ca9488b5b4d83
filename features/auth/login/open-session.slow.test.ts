// Tests sessions opened by a login: how long they last, and how many a user has.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { clientAt } from '../registry-for-test.ts';
import { LoginStage, type Person } from './login-for-test.ts';

const MINUTE_MS = 60_000;

let stage: LoginStage;

describe('login sessions', () => {
  before(async () => {
    stage = await LoginStage.open();
  });
  after(() => stage.close());

  test('sessions last 7 days, long ones 90 days, and 12 hours for operators', async () => {
    const lifeOf = async (person: Person, change: object = {}) => {
      const answer = await stage.attempt(person.email, change);
      assert.ok(answer.kind === 'opened');
      const { rows } = await stage.pool.query(
        'select scopes, idle_seconds from sessions where user_id = $1 order by id desc limit 1',
        [person.user],
      );
      const { idle_seconds: idle, scopes } = rows[0];
      return { hours: answer.lifeMs / 3_600_000, idle: idle && Number(idle), scopes };
    };
    const plain = await stage.person();
    assert.deepEqual(await lifeOf(plain), { hours: 168, idle: null, scopes: ['user'] });
    const long = await lifeOf(plain, { longTerm: true });
    assert.deepEqual(long, { hours: 2_160, idle: null, scopes: ['user'] });
    const operator = await stage.person({ role: 'support' });
    const asOperator = { hours: 12, idle: 1_800, scopes: ['user'] };
    assert.deepEqual(await lifeOf(operator, { longTerm: true }), asOperator, 'by password alone');
    const secret = await stage.enableOtp(operator);
    const proven = await lifeOf(operator, { code: stage.otp(secret) });
    assert.deepEqual(proven, { ...asOperator, scopes: ['user', 'support'] });
    stage.clock.advance(MINUTE_MS);
    const elsewhere = await lifeOf(operator, {
      code: stage.otp(secret),
      client: clientAt('192.0.2.60'),
    });
    assert.deepEqual(elsewhere, asOperator, 'from an address that is not listed');
  });

  test('while logins are stopped, only operators log in, with their factor', async () => {
    const plain = await stage.person();
    const operator = await stage.person({ role: 'support' });
    const secret = await stage.enableOtp(operator);
    await stage.pool.query(
      "insert into stops (name, object, previous, stopped_at) values ('logins', '', '', now())",
    );
    const refusalOf = async ({ email }: Person, code = '') => {
      const answer = await stage.attempt(email, { code });
      return answer.kind === 'refused' ? answer.refusal : answer.kind;
    };
    assert.equal(await refusalOf(plain), 'logins_stopped');
    assert.equal(await stage.liveSessions(plain), 0);
    stage.clock.advance(MINUTE_MS);
    assert.equal(await refusalOf(operator, stage.otp(secret)), 'opened');
    await stage.pool.query("delete from stops where name = 'logins'");
    assert.equal(await refusalOf(plain), 'opened');
  });

  test('a user has at most 20 live sessions, and the oldest ones end', async () => {
    const person = await stage.person();
    for (let login = 1; login <= 22; login++) {
      stage.clock.advance(MINUTE_MS);
      const answer = await stage.attempt(person.email);
      assert.ok(answer.kind === 'opened');
      assert.equal(answer.ended.length, login > 20 ? 1 : 0);
    }
    assert.equal(await stage.liveSessions(person), 20);
  });
});
