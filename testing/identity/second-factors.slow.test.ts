// Second factors over HTTP, on a running exchange with two gateways.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { UserId } from '../../core/money/index.ts';
import { createUser } from '../../features/accounts/index.ts';
import { installPassword, PasswordHasher, totpCode } from '../../features/auth/index.ts';
import { systemClock } from '../../infra/process/index.ts';
import { type RestAnswer, RestClient } from '../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../tools/sandbox/sandbox.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import { SoftwarePasskey } from './software-passkey.ts';

const PASSWORD = 'a long password of a person';
const hasher = new PasswordHasher({ clock: systemClock });

let sandbox: Sandbox;

describe('second factors over HTTP', () => {
  before(async () => {
    sandbox = await startSandbox({ gateways: 2, checkAnswers: true });
  });
  beforeEach(() => sandbox.admin.registry.query('delete from login_throttles'));
  after(() => sandbox?.stop());

  test('adding a factor closes other sessions, and a recovery code removes it', async () => {
    const person = await Person.make();
    const token = await person.tokenOf({});
    const other = await person.tokenOf({}, 1);
    const asked = await person.send('GET', '/user/request-otp', { token });
    assert.equal(asked.status, 200, asked.text);
    const { secret, uri } = asked.body;
    assert.ok(uri.startsWith('otpauth://totp/'));
    assert.ok(uri.includes(`secret=${secret}`));
    const wrong = await person.send('POST', '/user/activate-otp', { token, body: { code: '1' } });
    assert.equal(wrong.status, 400, wrong.text);
    const body = { code: totpCode(secret, Date.now()) };
    const enabled = await person.send('POST', '/user/activate-otp', { token, body });
    assert.equal(enabled.status, 200, enabled.text);
    const { message, recovery_codes: codes } = enabled.body;
    assert.equal(message, 'OTP enabled');
    assert.equal(codes.length, 10);

    await waitUntil({
      what: 'the other session is closed on the other gateway',
      timeoutMs: 5_000,
      question: async () =>
        (await person.send('GET', '/user', { token: other, at: 1 })).status === 401,
    });
    assert.equal((await person.send('GET', '/user', { token })).body.otp_enabled, true);
    assert.deepEqual((await person.send('GET', '/user/recovery-codes', { token })).body, {
      left: 10,
    });
    const path = '/user/deactivate-otp';
    const disabled = await person.send('POST', path, { token, body: { code: codes[0] } });
    assert.equal(disabled.status, 200, disabled.text);
    assert.equal(disabled.body.message, 'OTP disabled');
    const { body: user } = await person.send('GET', '/user', { token });
    assert.equal(user.otp_enabled, false);
    assert.ok(Date.parse(user.withdrawal_blocked) > Date.now() + 23 * 3_600_000);
    assert.deepEqual((await person.send('GET', '/user/recovery-codes', { token })).body, {
      left: 0,
    });
  });

  test('abuse 10: a code that opened a session is rejected by the other gateway', async () => {
    const { person, secret } = await withOtp();
    const code = totpCode(secret, Date.now() + 30_000);
    const token = await person.tokenOf({ otp_code: code });
    for (const at of [0, 1] as const) {
      const again = await person.send('POST', '/user/deactivate-otp', {
        token,
        body: { code },
        at,
      });
      assert.deepEqual([again.status, again.body.code], [400, 2306], again.text);
      const opened = await person.logIn({ otp_code: code }, at);
      assert.deepEqual([opened.status, opened.body.code], [401, 52], opened.text);
    }
  });

  test('abuse 10: eight parallel logins with one code open one session', async () => {
    const { person, secret } = await withOtp();
    const otp_code = totpCode(secret, Date.now() + 30_000);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => person.logIn({ otp_code }, at % 2 === 0 ? 0 : 1)),
    );
    const opened = answers.filter(({ status }) => status === 201);
    assert.equal(opened.length, 1, answers.map(({ text }) => text).join('\n'));
  });

  test('abuse 11: after five wrong codes both gateways reject the right one', async () => {
    const { person, secret, token } = await withOtp();
    const path = '/user/deactivate-otp';
    for (let guess = 0; guess < 5; guess++) {
      const at = guess % 2 === 0 ? 0 : 1;
      const wrong = await person.send('POST', path, { token, body: { code: '000000' }, at });
      assert.equal(wrong.status, 400, wrong.text);
    }
    const body = { code: totpCode(secret, Date.now() + 30_000) };
    for (const at of [0, 1] as const) {
      const blocked = await person.send('POST', path, { token, body, at });
      assert.deepEqual([blocked.status, blocked.body.code], [429, 2307], blocked.text);
    }
  });

  test('abuse 13: a password alone opens no session once a factor exists', async () => {
    const { person: otpUser } = await withOtp();
    const passkeyUser = await Person.make();
    await addPasskey(passkeyUser, await passkeyUser.tokenOf({}));
    for (const [person, code] of [
      [otpUser, 52],
      [passkeyUser, 2330],
    ] as const) {
      for (const sent of [{}, { otp_code: '' }, { otp_code: '000000' }, { long_term: true }]) {
        const refused = await person.logIn(sent);
        assert.deepEqual([refused.status, refused.body.code], [401, code], refused.text);
      }
    }
  });

  test('abuse 15: a challenge from one session is rejected in another', async () => {
    const person = await Person.make();
    const [token, other] = [await person.tokenOf({}), await person.tokenOf({})];
    const passkey = await addPasskey(person, token);
    assert.equal((await person.send('GET', '/user', { token: other })).status, 401);
    const path = '/user/prove-passkey';
    const { body: options } = await person.send('GET', path, { token });
    const body = { challenge: options.challenge, credential: passkey.sign(options) };
    const foreign = await Person.make();
    const stolen = await foreign.send('POST', path, { token: await foreign.tokenOf({}), body });
    assert.deepEqual([stolen.status, stolen.body.code], [400, 2310], stolen.text);
    assert.equal((await person.send('POST', path, { token, body })).status, 200);
    const replayed = await person.send('POST', path, { token, body });
    assert.deepEqual([replayed.status, replayed.body.code], [400, 2310], replayed.text);
  });
});

class Person {
  readonly user: UserId;
  readonly email: string;

  static async make(): Promise<Person> {
    const { registry, vault } = sandbox.admin;
    const email = `${randomUUID()}@example.com`;
    const made = await createUser(registry, { email });
    if (typeof made === 'string') throw new Error(`user refused: ${made}`);
    const tag = await hasher.hash(PASSWORD, { isKnownDevice: false });
    await installPassword(registry, vault, made.id, tag);
    return new Person(made.id, email);
  }

  constructor(user: UserId, email: string) {
    this.user = user;
    this.email = email;
  }

  logIn(more: object, at: 0 | 1 = 0): Promise<RestAnswer> {
    const body = { email: this.email, password: PASSWORD, ...more };
    return this.send('POST', '/login', { body, at });
  }

  async tokenOf(more: object, at: 0 | 1 = 0): Promise<string> {
    const answer = await this.logIn(more, at);
    assert.equal(answer.status, 201, answer.text);
    return answer.body.token;
  }

  send(
    method: 'GET' | 'POST',
    path: string,
    { at = 0, body, token }: { token?: string; body?: unknown; at?: 0 | 1 },
  ): Promise<RestAnswer> {
    const client = new RestClient({ url: sandbox.urls[at] });
    return client.send({
      method,
      target: `/v2${path}`,
      ...(body !== undefined && { body }),
      ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
    });
  }
}

/** Creates a user whose code for the next step is unused. */
async function withOtp(): Promise<{ person: Person; secret: string; token: string }> {
  const person = await Person.make();
  const token = await person.tokenOf({});
  const { secret } = (await person.send('GET', '/user/request-otp', { token })).body;
  const body = { code: totpCode(secret, Date.now()) };
  const enabled = await person.send('POST', '/user/activate-otp', { token, body });
  assert.equal(enabled.status, 200, enabled.text);
  return { person, secret, token };
}

async function addPasskey(person: Person, token: string): Promise<SoftwarePasskey> {
  const path = '/user/request-passkey-options';
  const { body: options } = await person.send('GET', path, { token });
  const origin = `http://localhost:${new URL(sandbox.url).port}`;
  const passkey = new SoftwarePasskey({ origin, rpId: options.rp.id });
  const body = {
    challenge: options.challenge,
    webauthn_user_id: options.user.id,
    credential: passkey.register(options),
  };
  const added = await person.send('POST', '/user/activate-passkey', { token, body });
  assert.equal(added.status, 200, added.text);
  return passkey;
}
