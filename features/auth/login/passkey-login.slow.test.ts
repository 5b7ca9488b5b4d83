// Tests the passkey login on PostgreSQL: it follows the rules of every login.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { UserId } from '../../../core/money/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import {
  type PasskeyForgery,
  SoftwarePasskey,
} from '../../../testing/identity/software-passkey.ts';
import { issueChallenge } from '../factors/challenges.ts';
import { addPasskey, listPasskeys, revokePasskey, userHandle } from '../factors/passkeys.ts';
import type { IdentityClient } from '../person-context.ts';
import { clientAt, vault } from '../registry-for-test.ts';
import { BLOCKED, browser, FRENCH, GERMAN, LoginStage, type Person } from './login-for-test.ts';
import { logInWithPasskey, type PasskeyLoginPorts, passkeyLoginOptions } from './passkey-login.ts';

const party = { name: 'Rialto', id: 'exchange.test', origins: ['https://exchange.test'] };
const phone = clientAt(GERMAN);

let stage: LoginStage;
let ports: PasskeyLoginPorts;

describe('passkey login', () => {
  before(async () => {
    stage = await LoginStage.open();
    const { ports: common } = stage;
    ports = { ...common, identity: { ...common.identity, relyingParty: party } };
  });
  beforeEach(() => stage.pool.query('delete from login_throttles'));
  after(() => stage.close());

  test('a passkey opens a session without a password, even with OTP enabled', async () => {
    const { passkey, person } = await makePasskeyUser();
    assert.equal(await logIn(passkey), 'opened');
    await stage.enableOtp(person);
    assert.equal(await logIn(passkey), 'opened');
    assert.equal(await stage.liveSessions(person), 2);
    assert.deepEqual(await stage.outcomes(person), ['success', 'success']);
    assert.deepEqual(await stage.mails(person), ['new_device']);
  });

  test('abuse 5: options differ between clients only in the challenge', async () => {
    const clients = [phone, browser(FRENCH, { flowToken: 'flow' }), clientAt('2001:db8::')];
    const all = await Promise.all(clients.map((client) => passkeyLoginOptions(ports, client)));
    for (const options of all) {
      assert.deepEqual(
        { ...options, challenge: options.challenge.length },
        { ...all[0], challenge: all[0].challenge.length },
      );
      assert.deepEqual(options.allowCredentials, []);
    }
  });

  const states: [state: 'unverified' | 'frozen' | 'closing' | 'closed', answer: string][] = [
    ['unverified', 'email_not_verified'],
    ['frozen', 'user_not_activated'],
    ['closing', 'user_not_activated'],
    ['closed', 'user_not_activated'],
  ];
  for (const [state, answer] of states) {
    test(`a user in state ${state} gets ${answer}`, async () => {
      const { passkey, person } = await makePasskeyUser();
      await stage.pool.query('update users set state = $2 where id = $1', [person.user, state]);
      assert.equal(await logIn(passkey), answer);
      assert.equal(await stage.liveSessions(person), 0);
    });
  }

  test('a login from a new country requires confirmation', async () => {
    const { passkey } = await makePasskeyUser();
    assert.equal(await logIn(passkey), 'opened');
    assert.equal(await logIn(passkey, { client: clientAt(FRENCH) }), 'login_suspicious');
  });

  test('a blocked country and an address with too many attempts are rejected', async () => {
    const { passkey } = await makePasskeyUser();
    assert.equal(await logIn(passkey, { client: clientAt(BLOCKED) }), 'country_blocked');
    for (let attempt = 1; attempt <= 10; attempt++) {
      assert.equal(await logIn(passkey, { forgery: { origin: 'x' } }), 'passkey_wrong');
    }
    assert.equal(await logIn(passkey), 'rate_limit_exceeded');
  });

  test('a removed passkey opens no session', async () => {
    const { passkey, person } = await makePasskeyUser();
    const [{ id }] = await listPasskeys(stage.pool, person.user);
    await revokePasskey(stage.pool, { user: person.user, id });
    assert.equal(await logIn(passkey), 'passkey_wrong');
  });

  const forgeries: Record<string, PasskeyForgery> = {
    'another origin': { origin: 'https://exchange.evil.test' },
    'another relying party': { rpId: 'evil.test' },
    'no user verification': { isUserVerified: false },
    'a decreased counter': { counter: 1 },
    'a foreign user handle': {
      userHandle: Buffer.from(userHandle(1 as UserId)).toString('base64url'),
    },
  };
  for (const [what, forgery] of Object.entries(forgeries)) {
    test(`abuse 14: ${what} opens no session`, async () => {
      const { passkey, person } = await makePasskeyUser();
      assert.equal(await logIn(passkey, { forgery: { counter: 1 } }), 'opened');
      assert.equal(await logIn(passkey, { forgery }), 'passkey_wrong');
      assert.equal(await stage.liveSessions(person), 1);
    });
  }

  test('abuse 15: a challenge opens one session, even with a second signature', async () => {
    const { passkey, person } = await makePasskeyUser();
    const { challenge } = await passkeyLoginOptions(ports, phone);
    const login = { challenge, client: phone, longTerm: false };
    const attempts = Array.from({ length: 10 }, () =>
      logInWithPasskey(ports, { ...login, credential: passkey.sign({ challenge }) }),
    );
    const opened = (await Promise.all(attempts)).filter(({ kind }) => kind === 'opened');
    assert.equal(opened.length, 1);
    assert.equal(await stage.liveSessions(person), 1);
  });

  test('abuse 15: a challenge that failed once is used up', async () => {
    const { passkey } = await makePasskeyUser();
    const { challenge } = await passkeyLoginOptions(ports, phone);
    const login = { challenge, client: phone, longTerm: false };
    const wrong = passkey.sign({ challenge }, { origin: 'https://evil.test' });
    const first = await logInWithPasskey(ports, { ...login, credential: wrong });
    assert.equal(first.kind, 'refused');
    const right = passkey.sign({ challenge });
    const second = await logInWithPasskey(ports, { ...login, credential: right });
    assert.equal(second.kind, 'refused');
  });

  test('abuse 15: a challenge for a registration or another client is rejected', async () => {
    const { passkey, person } = await makePasskeyUser();
    const use = { flows: [`network ${GERMAN}`], nowMs: stage.nowMs };
    const challenges = [
      issueChallenge(vault, { ...use, purpose: 'register_passkey', user: person.user }),
      issueChallenge(vault, { ...use, purpose: 'register_passkey', user: 0 }),
      issueChallenge(vault, { ...use, purpose: 'prove_passkey', user: person.user }),
      issueChallenge(vault, { ...use, purpose: 'passkey_login', user: person.user }),
    ].map((bytes) => Buffer.from(bytes).toString('base64url'));
    const foreign = await passkeyLoginOptions(ports, clientAt('192.0.2.77'));
    const ofBrowser = await passkeyLoginOptions(ports, browser(GERMAN, { flowToken: 'flow' }));
    for (const challenge of [...challenges, foreign.challenge, ofBrowser.challenge, 'AAAA']) {
      assert.equal(await logIn(passkey, { challenge }), 'passkey_wrong');
    }
    assert.equal(await stage.liveSessions(person), 0);
  });

  test('a browser can change its network during the login', async () => {
    const { passkey } = await makePasskeyUser();
    const home = browser(GERMAN, { flowToken: 'flow' });
    const { challenge } = await passkeyLoginOptions(ports, home);
    const away = browser('192.0.2.5', { flowToken: 'flow' });
    assert.equal(await logIn(passkey, { challenge, client: away }), 'opened');
  });
});

interface Wanted {
  readonly challenge?: string;
  readonly client?: IdentityClient;
  readonly forgery?: PasskeyForgery;
}

/** Returns the result as one word: `opened`, or the error key. */
async function logIn(passkey: SoftwarePasskey, wanted: Wanted = {}): Promise<string> {
  const { client = phone, forgery } = wanted;
  const challenge = wanted.challenge ?? (await passkeyLoginOptions(ports, client)).challenge;
  const credential = passkey.sign({ challenge }, forgery);
  const login = { challenge, credential, client, longTerm: false };
  const answer = await logInWithPasskey(ports, login);
  return answer.kind === 'opened' ? 'opened' : answer.refusal;
}

async function makePasskeyUser(): Promise<{ person: Person; passkey: SoftwarePasskey }> {
  const person = await stage.person();
  const passkey = new SoftwarePasskey({ origin: party.origins[0], rpId: party.id });
  const id = Buffer.from(userHandle(person.user)).toString('base64url');
  const credential = passkey.register({ challenge: 'AAAA', user: { id } });
  const answer = { party, challenge: 'AAAA', credential };
  const added = await addPasskey(stage.pool, { ...answer, user: person.user, name: '' });
  assert.ok(!(added instanceof Refused));
  return { person, passkey };
}
