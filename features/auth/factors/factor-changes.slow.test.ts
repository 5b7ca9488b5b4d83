// Tests the proof that each change of second factors needs, and its effects, on a real PostgreSQL.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { UserId } from '../../../core/money/index.ts';
import {
  inTransaction,
  type Pool,
  type Statements,
  withConnection,
} from '../../../infra/postgres/index.ts';
import type { Vault } from '../../../platform/vault/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { SoftwarePasskey } from '../../../testing/identity/software-passkey.ts';
import type { PersonContext } from '../person-context.ts';
import {
  makeUser,
  openRegistryForTest,
  type RegistryForTest,
  vault,
} from '../registry-for-test.ts';
import {
  disableOtp,
  disablePasskey,
  enableOtp,
  enablePasskey,
  renewRecoveryCodes,
  requestOtp,
} from './factor-changes.ts';
import { listPasskeys, userHandle } from './passkeys.ts';
import { factorsOf, proveFactor, strengthenSession } from './second-factor.ts';
import { totpCode } from './totp.ts';

const STEP_MS = 30_000;
const DAY_MS = 86_400_000;
const party = { name: 'Rialto', id: 'exchange.test', origins: ['https://exchange.test'] };
const circumstances = { time: '', ip: '', country: '', device: '', freezeToken: '' };

let registry: RegistryForTest;
let pool: Pool;

describe('factor changes', () => {
  before(async () => {
    registry = await openRegistryForTest();
    ({ pool } = registry);
  });
  after(() => registry.close());

  test('the first factor ends other sessions, shows recovery codes, pauses nothing', async () => {
    const person = await makePerson();
    const recoveryCodes = await person.enableOtp();
    assert.equal(recoveryCodes.length, 10);
    assert.deepEqual(await person.factors(), { otp: true, passkeys: 0, recoveryCodes: 10 });
    assert.deepEqual(await person.state(), {
      isHeld: false,
      mails: ['factor_added'],
      sessions: ['this'],
    });
  });

  test('a first passkey shows recovery codes too', async () => {
    const person = await makePerson();
    const added = await person.addPasskey();
    assert.ok(!(added instanceof Refused));
    assert.equal(added.recoveryCodes?.length, 10);
    assert.deepEqual(await person.factors(), { otp: false, passkeys: 1, recoveryCodes: 10 });
    assert.equal((await person.state()).isHeld, false);
  });

  test('the first factor needs a password confirmed within five minutes', async () => {
    const person = await makePerson();
    const secret = await person.requestOtp();
    person.nowMs += 5 * 60_000;
    const otpCode = '';
    assert.deepEqual(await person.act(requestOtp, {}), new Refused('last_password_too_old'));
    const code = totpCode(secret, person.nowMs);
    assert.deepEqual(
      await person.act(enableOtp, { code, otpCode }),
      new Refused('last_password_too_old'),
    );
    assert.deepEqual(await person.addPasskey(), new Refused('last_password_too_old'));
    assert.deepEqual(await person.factors(), { otp: false, passkeys: 0, recoveryCodes: 0 });
  });

  test('a session of another user is not strong', async () => {
    const [one, other] = [await makePerson(), await makePerson()];
    one.session = other.session;
    assert.deepEqual(await one.act(requestOtp, {}), new Refused('session_of_person_needed'));
  });

  test('an ended session changes no factor, even with the correct code', async () => {
    const person = await makePerson();
    await person.enableOtp();
    await pool.query('update sessions set revoked_at = now() where id = $1', [person.session]);
    const refusal = new Refused('session_of_person_needed');
    assert.deepEqual(await person.act(requestOtp, {}), refusal);
    assert.deepEqual(await person.act(disableOtp, { code: person.nextCode() }), refusal);
    assert.deepEqual(await person.addPasskey(person.nextCode()), refusal);
    const otpCode = person.nextCode();
    assert.deepEqual(await person.act(renewRecoveryCodes, { otpCode }), refusal);
    assert.deepEqual(await person.act(disablePasskey, { id: 1, otpCode }), refusal);
    assert.deepEqual(await person.act(enableOtp, { code: otpCode, otpCode }), refusal);
    assert.deepEqual(await person.factors(), { otp: true, passkeys: 0, recoveryCodes: 10 });
  });

  test('another factor needs the existing one and pauses withdrawals for a day', async () => {
    const person = await makePerson();
    await person.enableOtp();
    assert.deepEqual(await person.addPasskey(), new Refused('last_password_too_old'));
    assert.deepEqual(await person.addPasskey('000000'), new Refused('factor_wrong'));
    const added = await person.addPasskey(person.nextCode());
    assert.ok(!(added instanceof Refused));
    assert.equal(added.recoveryCodes, undefined);
    assert.deepEqual(await person.factors(), { otp: true, passkeys: 1, recoveryCodes: 10 });
    assert.equal((await person.state()).isHeld, true);
  });

  test('a user with a passkey proves it to add a one-time password', async () => {
    const person = await makePerson();
    await person.addPasskey();
    person.nowMs += 5 * 60_000;
    const secret = await person.requestOtp();
    const code = totpCode(secret, person.nowMs);
    const asked = { code, otpCode: '' };
    assert.deepEqual(await person.act(enableOtp, asked), new Refused('last_password_too_old'));
    await strengthenSession(pool, person);
    assert.deepEqual(await person.act(enableOtp, asked), {});
  });

  test('a factor is removed with itself or a recovery code, never without', async () => {
    const person = await makePerson();
    const [recoveryCode] = await person.enableOtp();
    assert.deepEqual(await person.act(disableOtp, { code: '000000' }), new Refused('factor_wrong'));
    assert.deepEqual(
      await person.act(disableOtp, { code: '' }),
      new Refused('last_password_too_old'),
    );
    assert.equal(await person.act(disableOtp, { code: person.nextCode() }), 'removed');
    assert.deepEqual(
      await person.act(disableOtp, { code: person.nextCode() }),
      new Refused('otp_not_requested'),
    );
    assert.deepEqual(await person.factors(), { otp: false, passkeys: 0, recoveryCodes: 0 });
    assert.deepEqual(await person.state(), {
      isHeld: true,
      mails: ['factor_added', 'factor_removed'],
      sessions: ['this'],
    });
    const [newCode] = await person.enableOtp();
    assert.deepEqual(
      await person.act(disableOtp, { code: recoveryCode }),
      new Refused('factor_wrong'),
    );
    assert.equal(await person.act(disableOtp, { code: newCode }), 'removed');
  });

  test('recovery codes stay valid while one factor is left', async () => {
    const person = await makePerson();
    await person.enableOtp();
    await person.addPasskey(person.nextCode());
    const [{ id }] = await listPasskeys(pool, person.user);
    assert.deepEqual(
      await person.act(disablePasskey, { id, otpCode: '' }),
      new Refused('last_password_too_old'),
    );
    const otpCode = person.nextCode();
    assert.equal(await person.act(disablePasskey, { id, otpCode }), 'removed');
    assert.equal((await person.factors()).recoveryCodes, 10);
    const again = { id, otpCode: person.nextCode() };
    assert.deepEqual(await person.act(disablePasskey, again), new Refused('passkey_not_found'));
  });

  test("another user's passkey is not found", async () => {
    const [one, other] = [await makePerson(), await makePerson()];
    await one.enableOtp();
    await other.addPasskey();
    const [{ id }] = await listPasskeys(pool, other.user);
    const otpCode = one.nextCode();
    assert.deepEqual(
      await one.act(disablePasskey, { id, otpCode }),
      new Refused('passkey_not_found'),
    );
    assert.equal((await other.factors()).passkeys, 1);
  });

  test('new recovery codes need a factor and replace the old ones', async () => {
    const person = await makePerson();
    assert.deepEqual(
      await person.act(renewRecoveryCodes, { otpCode: '1' }),
      new Refused('otp_not_requested'),
    );
    const [oldCode] = await person.enableOtp();
    assert.deepEqual(
      await person.act(renewRecoveryCodes, { otpCode: '1' }),
      new Refused('factor_wrong'),
    );
    const otpCode = person.nextCode();
    const codes = await person.act(renewRecoveryCodes, { otpCode });
    assert.ok(!(codes instanceof Refused));
    assert.equal(codes.length, 10);
    assert.deepEqual(
      await person.act(renewRecoveryCodes, { otpCode: oldCode }),
      new Refused('factor_wrong'),
    );
    assert.deepEqual((await person.state()).mails, ['factor_added', 'factor_added']);
  });

  test('abuse 10: a code used for one action is rejected by another', async () => {
    const person = await makePerson();
    await person.enableOtp();
    const code = person.nextCode();
    const { nowMs, user } = person;
    assert.equal(await proveFactor(pool, vault, { user, code, nowMs }), 'proven');
    assert.deepEqual(await person.act(disableOtp, { code }), new Refused('factor_wrong'));
    assert.deepEqual(await person.addPasskey(code), new Refused('factor_wrong'));
    assert.deepEqual(
      await person.act(renewRecoveryCodes, { otpCode: code }),
      new Refused('factor_wrong'),
    );
    assert.deepEqual(await person.factors(), { otp: true, passkeys: 0, recoveryCodes: 10 });
  });

  test('abuse 11: wrong codes for different actions share one counter', async () => {
    const person = await makePerson();
    await person.enableOtp();
    for (let guess = 0; guess < 3; guess++) {
      assert.deepEqual(
        await person.act(disableOtp, { code: '000000' }),
        new Refused('factor_wrong'),
      );
    }
    for (let guess = 0; guess < 2; guess++) {
      assert.deepEqual(await person.addPasskey('000000'), new Refused('factor_wrong'));
    }
    const code = person.nextCode();
    assert.deepEqual(await person.act(disableOtp, { code }), new Refused('factor_blocked'));
  });

  test('of two concurrent first factors, one shows recovery codes', async () => {
    const person = await makePerson();
    const added = await Promise.all([person.addPasskey(), person.addPasskey()]);
    const codes = added.map((one) => {
      assert.ok(!(one instanceof Refused));
      return one.recoveryCodes;
    });
    assert.equal(codes.filter((set) => set !== undefined).length, 1);
  });
});

interface Person {
  readonly user: UserId;
  session: number;
  nowMs: number;
  actor(): PersonContext;
  act<More, Result>(
    change: (statements: Statements, vault: Vault, asked: PersonContext & More) => Promise<Result>,
    more: More,
  ): Promise<Result>;
  requestOtp(): Promise<string>;
  enableOtp(): Promise<readonly string[]>;
  /** Returns an unused code by advancing the time. */
  nextCode(): string;
  addPasskey(otpCode?: string): ReturnType<typeof enablePasskey>;
  factors(): ReturnType<typeof factorsOf>;
  state(): Promise<{ isHeld: boolean; mails: readonly string[]; sessions: readonly string[] }>;
}

async function makePerson(): Promise<Person> {
  const user = await makeUser(pool);
  const nowMs = Date.now();
  let secret = '';
  await makeSession(user, nowMs, 'other');
  const person: Person = {
    user,
    nowMs,
    session: await makeSession(user, nowMs, 'this'),
    actor: () => ({
      user,
      flow: { network: '', session: person.session },
      nowMs: person.nowMs,
      circumstances,
    }),
    act: (change, more) =>
      withConnection(pool, (connection) =>
        inTransaction(connection, () => change(connection, vault, { ...person.actor(), ...more })),
      ),
    async requestOtp() {
      const requested = await person.act(requestOtp, {});
      assert.ok(!(requested instanceof Refused));
      secret = requested.secret;
      return secret;
    },
    async enableOtp() {
      await person.requestOtp();
      const code = person.nextCode();
      const enabled = await person.act(enableOtp, { code, otpCode: '' });
      assert.ok(!(enabled instanceof Refused));
      return enabled.recoveryCodes ?? [];
    },
    nextCode() {
      person.nowMs += STEP_MS;
      return totpCode(secret, person.nowMs);
    },
    addPasskey(otpCode = '') {
      const passkey = new SoftwarePasskey({ origin: party.origins[0], rpId: party.id });
      const id = Buffer.from(userHandle(user)).toString('base64url');
      const credential = passkey.register({ challenge: 'AAAA', user: { id } });
      const answer = { party, challenge: 'AAAA', credential };
      return person.act(enablePasskey, { name: '', otpCode, answer });
    },
    factors: () => factorsOf(pool, user),
    async state() {
      const { rows } = await pool.query(
        `select coalesce(withdrawal_blocked_until > now() + $2 * interval '1 ms', false) as held,
           array(select kind from mail_outbox where user_id = users.id order by id) as mails,
           array(select user_agent from sessions s where s.user_id = users.id
             and revoked_at is null and s.security_version = users.security_version) as sessions
         from users where id = $1`,
        [user, DAY_MS - 600_000],
      );
      const [{ held, mails, sessions }] = rows;
      return { isHeld: held, mails, sessions };
    },
  };
  return person;
}

async function makeSession(user: UserId, strongMs: number, name: string): Promise<number> {
  const { rows } = await pool.query(
    `insert into sessions (user_id, token_hash, scopes, expires_at, strong_at, user_agent)
     values ($1, $2, '{}', now() + interval '1 day', to_timestamp($3 / 1000.0), $4) returning id`,
    [user, Buffer.from(`${name} session of ${user}`.padEnd(32)), strongMs, name],
  );
  return Number(rows[0].id);
}
