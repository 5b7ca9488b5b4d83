// Tests second factors on a real PostgreSQL: each code is valid once across all gateways, and
// guesses are blocked.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { UserId } from '../../../core/money/index.ts';
import { inTransaction, type Pool, withConnection } from '../../../infra/postgres/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import {
  makeUser,
  openRegistryForTest,
  type RegistryForTest,
  vault,
} from '../registry-for-test.ts';
import { isRecoveryCode, replaceRecoveryCodes } from './recovery-codes.ts';
import { type FactorResult, factorsOf, proveFactor } from './second-factor.ts';
import { activateTotp, requestTotp, totpCode, useTotp } from './totp.ts';

const START_MS = Date.parse('2026-11-15T12:00:00Z');
const STEP_MS = 30_000;
const MINUTE_MS = 60_000;

let registry: RegistryForTest;
let pool: Pool;

describe('second factor', () => {
  before(async () => {
    registry = await openRegistryForTest();
    ({ pool } = registry);
  });
  after(() => registry.close());

  test('a secret is active after its first code, which cannot be used again', async () => {
    const user = await makeUser(pool);
    const { secret } = await requested(user);
    assert.equal(secret.length, 32);
    assert.equal(await prove(user, totpCode(secret, START_MS)), 'none');
    const sent = { user, code: totpCode(secret, START_MS), nowMs: START_MS };
    assert.equal(await useTotp(pool, vault, sent), false, 'a pending secret');
    const wrong = otherThan(totpCode(secret, START_MS));
    assert.deepEqual(await activate(user, wrong, START_MS), new Refused('factor_wrong'));
    assert.equal(await activate(user, totpCode(secret, START_MS), START_MS), 'activated');
    assert.deepEqual(
      await activate(user, totpCode(secret, START_MS), START_MS),
      new Refused('otp_already_enabled'),
    );
    assert.equal(await prove(user, totpCode(secret, START_MS)), 'wrong');
    assert.deepEqual(
      await requestTotp(pool, vault, { user, nowMs: START_MS }),
      new Refused('otp_already_enabled'),
    );
    assert.deepEqual(await factorsOf(pool, user), { otp: true, passkeys: 0, recoveryCodes: 0 });
  });

  test('a secret not activated within ten minutes is invalid', async () => {
    const user = await makeUser(pool);
    const { secret } = await requested(user);
    const lateMs = START_MS + 10 * MINUTE_MS;
    assert.deepEqual(
      await activate(user, totpCode(secret, lateMs), lateMs),
      new Refused('otp_not_requested'),
    );
    assert.deepEqual(
      await activate(await makeUser(pool), '123456', START_MS),
      new Refused('otp_not_requested'),
    );
    const inTimeMs = lateMs - 1;
    assert.equal(await activate(user, totpCode(secret, inTimeMs), inTimeMs), 'activated');
  });

  const windows: [stepsApart: number, result: FactorResult][] = [
    [-2, 'wrong'],
    [-1, 'proven'],
    [0, 'proven'],
    [1, 'proven'],
    [2, 'wrong'],
  ];
  for (const [stepsApart, result] of windows) {
    test(`a code ${stepsApart} steps from now is ${result}`, async () => {
      const { secret, user } = await makeOtpUser();
      const nowMs = START_MS + 10 * STEP_MS;
      const code = totpCode(secret, nowMs + stepsApart * STEP_MS);
      assert.equal(await prove(user, code, nowMs), result);
    });
  }

  test('a code from an earlier step than the last one is rejected', async () => {
    const { secret, user } = await makeOtpUser();
    const nowMs = START_MS + 10 * STEP_MS;
    assert.equal(await prove(user, totpCode(secret, nowMs), nowMs), 'proven');
    assert.equal(await prove(user, totpCode(secret, nowMs - STEP_MS), nowMs), 'wrong');
    assert.equal(await prove(user, totpCode(secret, nowMs + STEP_MS), nowMs), 'proven');
  });

  test('abuse 10: of 100 concurrent uses of one code, one is accepted', async () => {
    const { secret, user } = await makeOtpUser();
    const nowMs = START_MS + 10 * STEP_MS;
    const code = totpCode(secret, nowMs);
    const results = await Promise.all(Array.from({ length: 100 }, () => prove(user, code, nowMs)));
    assert.equal(results.filter((result) => result === 'proven').length, 1);
  });

  test('abuse 10: a code used in a rolled back action can be used again', async () => {
    const { secret, user } = await makeOtpUser();
    const nowMs = START_MS + 10 * STEP_MS;
    const code = totpCode(secret, nowMs);
    const failing = withConnection(pool, (connection) =>
      inTransaction(connection, async () => {
        assert.equal(await proveFactor(connection, vault, { user, code, nowMs }), 'proven');
        throw new Error('the action failed');
      }),
    );
    await assert.rejects(failing, /the action failed/);
    assert.equal(await prove(user, code, nowMs), 'proven');
    assert.equal(await prove(user, code, nowMs), 'wrong');
  });

  test('abuse 11: of 200 guesses, five count and the rest are blocked', async () => {
    const { secret, user } = await makeOtpUser();
    const nowMs = START_MS + 10 * STEP_MS;
    const wrong = otherThan(totpCode(secret, nowMs));
    const counts = { proven: 0, wrong: 0, blocked: 0, none: 0 };
    for (let batch = 0; batch < 2; batch++) {
      const results = Array.from({ length: 100 }, () => prove(user, wrong, nowMs));
      for (const result of await Promise.all(results)) counts[result]++;
    }
    assert.deepEqual(counts, { proven: 0, wrong: 5, blocked: 195, none: 0 });
    assert.equal(await prove(user, totpCode(secret, nowMs), nowMs), 'blocked');
  });

  test('a recovery code is accepted while the factor is blocked, and unblocks it', async () => {
    const { secret, user } = await makeOtpUser();
    const [code] = await replaceRecoveryCodes(pool, user);
    const nowMs = START_MS + 10 * STEP_MS;
    const otherCode = code.replace(/./g, (one) => (one === 'A' ? 'B' : one === '-' ? one : 'A'));
    for (let guess = 0; guess < 5; guess++) {
      assert.equal(await prove(user, otherCode, nowMs), 'wrong');
    }
    assert.equal(await prove(user, otherCode, nowMs), 'blocked');
    assert.equal(await prove(user, totpCode(secret, nowMs), nowMs), 'blocked');
    assert.equal(await prove(user, code, nowMs), 'proven');
    assert.equal(await prove(user, totpCode(secret, nowMs), nowMs), 'proven');
  });

  test('each block lasts twice as long, until a correct code', async () => {
    const { secret, user } = await makeOtpUser();
    let nowMs = START_MS + 10 * STEP_MS;
    for (const minutes of [5, 10, 20, 40]) {
      for (let guess = 0; guess < 5; guess++) assert.equal(await prove(user, '1', nowMs), 'wrong');
      const endMs = nowMs + minutes * MINUTE_MS;
      assert.equal(await prove(user, totpCode(secret, endMs - 1), endMs - 1), 'blocked');
      nowMs = endMs;
    }
    assert.equal(await prove(user, totpCode(secret, nowMs), nowMs), 'proven');
    for (let guess = 0; guess < 5; guess++) assert.equal(await prove(user, '1', nowMs), 'wrong');
    nowMs += 5 * MINUTE_MS;
    assert.equal(await prove(user, totpCode(secret, nowMs), nowMs), 'proven');
  });

  test('a recovery code is accepted once, in any spelling', async () => {
    const { user } = await makeOtpUser();
    const codes = await replaceRecoveryCodes(pool, user);
    assert.equal(new Set(codes).size, 10);
    for (const code of codes) assert.match(code, /^[A-Z2-9]{4}(?:-[A-Z2-9]{4}){5}$/);
    assert.ok(!isRecoveryCode('123456'));
    const [one, other, third] = codes;
    assert.equal(await prove(user, one), 'proven');
    assert.equal(await prove(user, one), 'wrong');
    assert.equal(await prove(user, ` ${other.toLowerCase().replaceAll('-', ' ')}`), 'proven');
    assert.equal((await factorsOf(pool, user)).recoveryCodes, 8);
    await replaceRecoveryCodes(pool, user);
    assert.equal(await prove(user, third), 'wrong');
    assert.equal((await factorsOf(pool, user)).recoveryCodes, 10);
  });

  test('a recovery code of another user is wrong', async () => {
    const [one, other] = [await makeOtpUser(), await makeOtpUser()];
    const [code] = await replaceRecoveryCodes(pool, one.user);
    assert.equal(await prove(other.user, code), 'wrong');
    assert.equal(await prove(one.user, code), 'proven');
  });

  test('abuse 9: of 200 concurrent uses of one recovery code, one is accepted', async () => {
    const { user } = await makeOtpUser();
    const [code] = await replaceRecoveryCodes(pool, user);
    const results = await Promise.all(Array.from({ length: 200 }, () => prove(user, code)));
    assert.equal(results.filter((result) => result === 'proven').length, 1);
  });

  test('a recovery code pauses withdrawals for a day and its owner gets an email', async () => {
    const { user } = await makeOtpUser();
    const [code] = await replaceRecoveryCodes(pool, user);
    assert.equal(await prove(user, code), 'proven');
    const { rows } = await pool.query(
      `select withdrawal_blocked_until as until, (select array_agg(kind) from mail_outbox
         where user_id = users.id) as mails from users where id = $1`,
      [user],
    );
    assert.deepEqual(rows[0].mails, ['recovery_code_used']);
    assert.equal(rows[0].until.getTime(), START_MS + 24 * 60 * MINUTE_MS);
  });

  test('a user with only a passkey proves it in the session, for five minutes', async () => {
    const user = await makeUser(pool);
    await pool.query(
      `insert into passkeys (user_id, credential_id, public_key) values ($1, $2, '')`,
      [user, Buffer.from(`passkey of ${user}`)],
    );
    const session = await makeSession(user, START_MS);
    const foreign = await makeSession(await makeUser(pool), START_MS);
    const asked = { user, code: '', nowMs: START_MS + 5 * MINUTE_MS - 1 };
    assert.equal(await proveIn(asked), 'wrong');
    assert.equal(await proveIn({ ...asked, session: foreign }), 'wrong');
    assert.equal(await proveIn({ ...asked, session }), 'proven');
    assert.equal(await proveIn({ ...asked, session, nowMs: asked.nowMs + 1 }), 'wrong');
    const [code] = await replaceRecoveryCodes(pool, user);
    assert.equal(await proveIn({ ...asked, code }), 'proven');
  });

  test('codes sent by a user with only a passkey are not counted', async () => {
    const user = await makeUser(pool);
    await pool.query(
      `insert into passkeys (user_id, credential_id, public_key) values ($1, $2, '')`,
      [user, Buffer.from(`passkey of ${user}`)],
    );
    const asked = { user, code: '123456', nowMs: START_MS };
    for (let guess = 0; guess < 6; guess++) assert.equal(await proveIn(asked), 'wrong');
    const session = await makeSession(user, START_MS);
    assert.equal(await proveIn({ ...asked, session }), 'proven');
  });

  test('a user with one-time passwords must send one, even in a strong session', async () => {
    const { user } = await makeOtpUser();
    const session = await makeSession(user, START_MS);
    assert.equal(await proveIn({ user, code: '', nowMs: START_MS, session }), 'wrong');
  });

  test('secrets and codes are not readable in the database', async () => {
    const { secret, user } = await makeOtpUser();
    const codes = await replaceRecoveryCodes(pool, user);
    const { rows } = await pool.query(
      `select t::text as row from totp_secrets t union all select r::text from recovery_codes r`,
    );
    const dump = rows.map(({ row }) => row).join('\n');
    for (const text of [secret, ...codes, ...codes.map((code) => code.replaceAll('-', ''))]) {
      assert.ok(!dump.includes(text));
      assert.ok(!dump.includes(Buffer.from(text).toString('hex')));
    }
  });
});

type Proof = Parameters<typeof proveFactor>[2];

function proveIn(proof: Proof): Promise<FactorResult> {
  return withConnection(pool, (connection) =>
    inTransaction(connection, () => proveFactor(connection, vault, proof)),
  );
}

function prove(user: UserId, code: string, nowMs = START_MS): Promise<FactorResult> {
  return proveIn({ user, code, nowMs });
}

function activate(user: UserId, code: string, nowMs: number) {
  return withConnection(pool, (connection) =>
    inTransaction(connection, () => activateTotp(connection, vault, { user, code, nowMs })),
  );
}

async function requested(user: UserId): Promise<{ readonly secret: string }> {
  const result = await requestTotp(pool, vault, { user, nowMs: START_MS });
  assert.ok(!(result instanceof Refused));
  return result;
}

async function makeOtpUser(): Promise<{ readonly user: UserId; readonly secret: string }> {
  const user = await makeUser(pool);
  const { secret } = await requested(user);
  assert.equal(await activate(user, totpCode(secret, START_MS), START_MS), 'activated');
  return { user, secret };
}

async function makeSession(user: UserId, strongMs: number): Promise<number> {
  const { rows } = await pool.query(
    `insert into sessions (user_id, token_hash, scopes, expires_at, strong_at)
     values ($1, $2, '{}', now() + interval '1 day', to_timestamp($3 / 1000.0)) returning id`,
    [user, Buffer.from(`session of ${user}`.padEnd(32)), strongMs],
  );
  return Number(rows[0].id);
}

function otherThan(code: string): string {
  return code === '123456' ? '654321' : '123456';
}
