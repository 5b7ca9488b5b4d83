// Tests passkeys on a real PostgreSQL, including with a dishonest authenticator.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { UserId } from '../../../core/money/index.ts';
import type { Pool } from '../../../infra/postgres/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import {
  type PasskeyForgery,
  SoftwarePasskey,
} from '../../../testing/identity/software-passkey.ts';
import {
  makeUser,
  openRegistryForTest,
  type RegistryForTest,
  rotatedVault,
  vault,
} from '../registry-for-test.ts';
import {
  type ChallengePurpose,
  type ChallengeUse,
  issueChallenge,
  spendChallenge,
} from './challenges.ts';
import {
  addPasskey,
  authenticationOptions,
  listPasskeys,
  registrationOptions,
  revokePasskey,
  usePasskey,
  userHandle,
} from './passkeys.ts';

const START_MS = Date.parse('2026-11-15T12:00:00Z');
const LIFE_MS = 300_000;
const origin = 'https://app.exchange.test';
const party = { name: 'Rialto', id: 'exchange.test', origins: [origin, 'https://m.exchange.test'] };
const login = { purpose: 'passkey_login', user: 0, flows: ['network 1'], nowMs: START_MS } as const;

let registry: RegistryForTest;
let pool: Pool;

describe('passkeys', () => {
  before(async () => {
    registry = await openRegistryForTest();
    ({ pool } = registry);
  });
  after(() => registry.close());

  test('a registered passkey signs for its owner', async () => {
    const { passkey, user } = await makePasskey();
    const { challenge } = await authenticationOptions(vault, { party, use: login });
    const used = await usePasskey(pool, {
      party,
      challenge,
      credential: passkey.sign({ challenge }),
    });
    assert.equal(used?.user, user);
    assert.equal(used?.name, 'phone');
    assert.ok(used?.lastUsedAt instanceof Date);
    assert.deepEqual(await listPasskeys(pool, user), [used]);
  });

  test('the options request a discoverable passkey with user verification', async () => {
    const { user } = await makePasskey();
    const options = await registrationOptions(pool, vault, {
      party,
      email: 'ann@mail.test',
      use: registration(user),
    });
    assert.equal(options.rp.id, 'exchange.test');
    assert.equal(options.authenticatorSelection?.residentKey, 'required');
    assert.equal(options.authenticatorSelection?.userVerification, 'required');
    assert.equal(options.excludeCredentials?.length, 1);
    assert.equal(options.user.id, Buffer.from(userHandle(user)).toString('base64url'));
  });

  test('abuse 5: login options name no credential; only the challenge differs', async () => {
    const [one, other] = await Promise.all([
      authenticationOptions(vault, { party, use: login }),
      authenticationOptions(vault, { party, use: login }),
    ]);
    assert.deepEqual(one.allowCredentials, []);
    assert.notEqual(one.challenge, other.challenge);
    assert.equal(one.challenge.length, other.challenge.length);
    assert.deepEqual({ ...one, challenge: '' }, { ...other, challenge: '' });
  });

  const forgeries: Record<string, PasskeyForgery> = {
    'another origin': { origin: 'https://exchange.test.evil.test' },
    'another port': { origin: `${origin}:8443` },
    'another relying party': { rpId: 'evil.test' },
    'no user verification': { isUserVerified: false },
    'another challenge': { challenge: 'AAAA' },
    'another type': { type: 'webauthn.create' },
    'another user handle': {
      userHandle: Buffer.from(userHandle(1 as UserId)).toString('base64url'),
    },
    'no user handle': { userHandle: '' },
    'an unchanged counter': { counter: 5 },
    'a decreased counter': { counter: 4 },
    'a reset counter': { counter: 0 },
  };
  for (const [what, forgery] of Object.entries(forgeries)) {
    test(`abuse 14: a signature with ${what} is rejected`, async () => {
      const { passkey } = await makePasskey();
      const challenge = 'BBBB';
      const sign = (forged: PasskeyForgery) =>
        usePasskey(pool, { party, challenge, credential: passkey.sign({ challenge }, forged) });
      assert.ok(await sign({ counter: 5 }));
      assert.equal(await sign(forgery), undefined);
      assert.ok(await sign({ counter: 6 }));
    });
  }

  test('abuse 14: a signature with a changed byte is rejected', async () => {
    const { passkey } = await makePasskey();
    const challenge = 'BBBB';
    const { response, ...credential } = passkey.sign({ challenge });
    const signature = Buffer.from(String(response.signature), 'base64url');
    signature[signature.length - 1] ^= 1;
    const forged = { ...response, signature: signature.toString('base64url') };
    const answer = { party, challenge, credential: { ...credential, response: forged } };
    assert.equal(await usePasskey(pool, answer), undefined);
  });

  test('abuse 14: of two copies that sign the same counter, one is accepted', async () => {
    const { passkey } = await makePasskey();
    const challenge = 'BBBB';
    const credential = passkey.sign({ challenge }, { counter: 7 });
    const used = await Promise.all(
      Array.from({ length: 20 }, () => usePasskey(pool, { party, challenge, credential })),
    );
    assert.equal(used.filter((row) => row !== undefined).length, 1);
  });

  test('a passkey without a counter sends 0 each time', async () => {
    const { passkey } = await makePasskey();
    const challenge = 'BBBB';
    for (let time = 0; time < 2; time++) {
      const credential = passkey.sign({ challenge }, { counter: 0 });
      assert.ok(await usePasskey(pool, { party, challenge, credential }));
    }
  });

  const registrationForgeries: Record<string, PasskeyForgery> = {
    'another origin': { origin: 'https://evil.test' },
    'another relying party': { rpId: 'evil.test' },
    'no user verification': { isUserVerified: false },
    'another challenge': { challenge: 'AAAA' },
    'another type': { type: 'webauthn.get' },
  };
  for (const [what, forgery] of Object.entries(registrationForgeries)) {
    test(`abuse 14: a registration with ${what} is rejected`, async () => {
      const user = await makeUser(pool);
      const passkey = new SoftwarePasskey({ origin, rpId: party.id });
      const options = { challenge: 'BBBB', user: { id: handleOf(user) } };
      const add = (forged: PasskeyForgery) =>
        addPasskey(pool, {
          party,
          user,
          name: '',
          challenge: 'BBBB',
          credential: passkey.register(options, forged),
        });
      assert.deepEqual(await add(forgery), new Refused('passkey_not_accepted'));
      assert.ok(!((await add({})) instanceof Refused));
      assert.deepEqual(await add({}), new Refused('passkey_not_accepted'));
    });
  }

  for (const response of [undefined, null, 'text', {}, { clientDataJSON: 1 }]) {
    test(`the response ${JSON.stringify(response)} is rejected`, async () => {
      const { passkey, user } = await makePasskey();
      const { id, rawId, type } = passkey.sign({ challenge: 'BBBB' });
      const credential = { id, rawId, type, response };
      const answer = { party, challenge: 'BBBB', credential };
      assert.equal(await usePasskey(pool, answer), undefined);
      const added = await addPasskey(pool, { ...answer, user, name: '' });
      assert.deepEqual(added, new Refused('passkey_not_accepted'));
    });
  }

  test('a user has at most ten passkeys, and a revoked one is rejected', async () => {
    const { passkey, user } = await makePasskey();
    for (let more = 1; more < 10; more++) await makePasskey(user);
    await assert.rejects(makePasskey(user), /passkeys_too_many/);
    const [first] = await listPasskeys(pool, user);
    const foreign = { user: await makeUser(pool), id: first.id };
    assert.equal(await revokePasskey(pool, foreign), false);
    assert.equal(await revokePasskey(pool, { user, id: first.id }), true);
    assert.equal(await revokePasskey(pool, { user, id: first.id }), false);
    const credential = passkey.sign({ challenge: 'BBBB' });
    assert.equal(await usePasskey(pool, { party, challenge: 'BBBB', credential }), undefined);
    await makePasskey(user);
    assert.equal((await listPasskeys(pool, user)).length, 10);
  });
});

describe('challenges', () => {
  before(async () => {
    registry = await openRegistryForTest();
    ({ pool } = registry);
  });
  after(() => registry.close());

  const uses: Record<string, Partial<ChallengeUse>> = {
    'a registration': { purpose: 'register_passkey' },
    'a proof in a session': { purpose: 'prove_passkey' },
    'another user': { user: 7 as UserId },
    'another flow': { flows: ['network 2'] },
    'no flow': { flows: [] },
    'five minutes later': { nowMs: START_MS + LIFE_MS },
  };
  for (const [what, use] of Object.entries(uses)) {
    test(`abuse 15: a login challenge is not accepted for ${what}`, async () => {
      const challenge = challengeFor(login);
      assert.equal(await spend(challenge, { ...login, ...use }), false);
      assert.equal(await spend(challenge, { ...login, nowMs: START_MS + LIFE_MS - 1 }), true);
    });
  }

  test('abuse 15: a registration challenge is not accepted for a login', async () => {
    const user = 7 as UserId;
    const challenge = challengeFor(registration(user));
    assert.equal(await spend(challenge, { ...registration(user), purpose: login.purpose }), false);
    assert.equal(await spend(challenge, login), false);
    assert.equal(await spend(challenge, registration(user)), true);
  });

  test('abuse 15: of 100 concurrent uses of one challenge, one is accepted', async () => {
    const challenge = challengeFor(login);
    const spent = await Promise.all(Array.from({ length: 100 }, () => spend(challenge, login)));
    assert.equal(spent.filter((isSpent) => isSpent).length, 1);
  });

  test('a challenge stays valid by network if the client gained a cookie', async () => {
    const challenge = challengeFor(login);
    assert.equal(await spend(challenge, { ...login, flows: ['cookie', 'network 1'] }), true);
  });

  test('a challenge with a changed byte is rejected', async () => {
    const bytes = issueChallenge(vault, login);
    for (let at = 0; at < bytes.length; at++) {
      const forged = Uint8Array.from(bytes);
      forged[at] ^= 1;
      assert.equal(await spend(Buffer.from(forged).toString('base64url'), login), false);
    }
    for (const text of ['', 'x', `${challengeFor(login)}=`, challengeFor(login).slice(4)]) {
      assert.equal(await spend(text, login), false);
    }
  });

  test('a challenge from before a rotation is accepted', async () => {
    const challenge = challengeFor(login);
    assert.equal(await spendChallenge(pool, rotatedVault, { ...login, challenge }), true);
  });
});

function registration(user: UserId): ChallengeUse & { readonly purpose: ChallengePurpose } {
  return { purpose: 'register_passkey', user, flows: ['session 3'], nowMs: START_MS };
}

function challengeFor(use: ChallengeUse): string {
  return Buffer.from(issueChallenge(vault, use)).toString('base64url');
}

function spend(challenge: string, use: ChallengeUse): Promise<boolean> {
  return spendChallenge(pool, vault, { ...use, challenge });
}

function handleOf(user: UserId): string {
  return Buffer.from(userHandle(user)).toString('base64url');
}

async function makePasskey(of?: UserId): Promise<{ user: UserId; passkey: SoftwarePasskey }> {
  const user = of ?? (await makeUser(pool));
  const passkey = new SoftwarePasskey({ origin, rpId: party.id });
  const options = await registrationOptions(pool, vault, {
    party,
    email: 'ann@mail.test',
    use: registration(user),
  });
  const added = await addPasskey(pool, {
    party,
    user,
    name: ' phone ',
    challenge: options.challenge,
    credential: passkey.register(options),
  });
  if (added instanceof Refused) throw new Error(added.key);
  return { user, passkey };
}
