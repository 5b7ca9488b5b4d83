// Tests API keys on a real PostgreSQL: every rule for creation, change and revocation, and that
// proofs are valid once.

import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { KeyId } from '../../core/money/index.ts';
import type { Pool } from '../../infra/postgres/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import {
  changeApiKey,
  createApiKey,
  LIVE_KEYS_MAX,
  type NewApiKey,
  requestConfirmation,
  revokeApiKey,
} from './api-keys.ts';
import { requestEmailChange } from './change-email.ts';
import { type KeyChange, type KeyRow, listLiveKeys } from './credentials/keys.ts';
import { makeSession, PersonForTest } from './person-for-test.ts';
import { openRegistryForTest, type RegistryForTest, vault } from './registry-for-test.ts';
import { applySecurityChange } from './security-changes.ts';

const BOT: NewApiKey = { name: 'bot', kind: 'hmac', role: 'user', whitelistedIps: [] };
const ADDRESSES = ['203.0.113.0/24', '2001:db8::1'];
const DAY_MS = 86_400_000;

let registry: RegistryForTest;
let pool: Pool;

async function create(person: PersonForTest, change: Partial<NewApiKey> = {}) {
  const { act, proofs } = await person.proven();
  const key = { ...BOT, ...change };
  return person.do((connection) => createApiKey(connection, vault, act, { key, proofs }));
}

async function created(person: PersonForTest, change: Partial<NewApiKey> = {}): Promise<KeyRow> {
  const issued = await create(person, change);
  assert.ok(!(issued instanceof Refused), JSON.stringify(issued));
  return issued.key;
}

async function change(person: PersonForTest, id: number, wanted: KeyChange) {
  const { act, proofs } = await person.proven();
  const asked = { id: id as KeyId, change: wanted, proofs };
  return person.do((connection) => changeApiKey(connection, vault, act, asked));
}

async function revoke(person: PersonForTest, id: number) {
  const { act, proofs } = await person.proven();
  const asked = { id: id as KeyId, proofs };
  return person.do((connection) => revokeApiKey(connection, vault, act, asked));
}

function outcome(result: unknown): string {
  return result instanceof Refused ? result.key : 'done';
}

describe('API keys', () => {
  before(async () => {
    registry = await openRegistryForTest();
    ({ pool } = registry);
  });
  after(() => registry.close());

  test('a new key is read-only, its secret is shown once, its owner gets an email', async () => {
    const person = await PersonForTest.make(pool);
    const issued = await create(person);
    assert.ok(!(issued instanceof Refused));
    const { key, secret } = issued;
    assert.match(secret, /^[0-9a-f]{50}$/);
    assert.deepEqual(
      [key.canRead, key.canTrade, key.canWithdraw, key.withdrawGrantedAt],
      [true, false, false, null],
    );
    const { to, values } = await person.lastMail('api_key_created');
    assert.match(to, /@example\.com$/);
    assert.deepEqual([values.name, values.permissions], ['bot', 'read']);
    const listed = await listLiveKeys(pool, person.user);
    assert.deepEqual(listed, [key]);
    assert.ok(!JSON.stringify(listed).includes(secret));
  });

  const creations: [what: string, key: Partial<NewApiKey>, outcome: string][] = [
    ['a plain one', {}, 'done'],
    ['with addresses', { whitelistedIps: ADDRESSES }, 'done'],
    ['with a range that is too wide', { whitelistedIps: ['203.0.0.0/8'] }, 'key_addresses_invalid'],
    [
      'with 51 addresses',
      { whitelistedIps: Array.from({ length: 51 }, (_, at) => `203.0.113.${at}`) },
      'key_addresses_invalid',
    ],
    ['without a name', { name: '' }, 'key_name_invalid'],
    ['with a name of 65', { name: 'n'.repeat(65) }, 'key_name_invalid'],
    ['an admin key for a user without a role', { role: 'admin' }, 'key_scope_exceeds_account'],
    [
      'an Ed25519 key provided by its owner',
      { kind: 'ed25519', verifyingKey: verifyingKey() },
      'done',
    ],
    ['an Ed25519 key generated here', { kind: 'ed25519' }, 'done'],
    [
      'an Ed25519 key of 31 bytes',
      { kind: 'ed25519', verifyingKey: Buffer.alloc(31).toString('base64') },
      'key_verifying_key_invalid',
    ],
    [
      'an HMAC key with a public key',
      { verifyingKey: verifyingKey() },
      'key_verifying_key_invalid',
    ],
    ['that expires tomorrow', { expiresAtMs: Date.now() + DAY_MS }, 'done'],
    ['that has expired', { expiresAtMs: Date.now() - 1 }, 'key_expiry_invalid'],
    ['that expires too late', { expiresAtMs: Date.now() + 1_801 * DAY_MS }, 'key_expiry_invalid'],
  ];
  for (const [what, key, expected] of creations) {
    test(`creation ${what}: ${expected}`, async () => {
      const person = await PersonForTest.make(pool);
      assert.equal(outcome(await create(person, key)), expected);
      const count = (await listLiveKeys(pool, person.user)).length;
      assert.equal(count, expected === 'done' ? 1 : 0);
    });
  }

  const changes: [what: string, steps: readonly KeyChange[], outcome: string][] = [
    ['can trade', [{ canTrade: true }], 'done'],
    ['can withdraw from anywhere', [{ canWithdraw: true }], 'key_withdraw_needs_addresses'],
    [
      'can withdraw with addresses',
      [{ canWithdraw: true, whitelistedIps: ADDRESSES, whitelistingEnabled: true }],
      'done',
    ],
    [
      'can withdraw with a disabled list',
      [{ canWithdraw: true, whitelistedIps: ADDRESSES, whitelistingEnabled: false }],
      'key_withdraw_needs_addresses',
    ],
    [
      'can withdraw from all of IPv6',
      [{ canWithdraw: true, whitelistedIps: [...ADDRESSES, '::/0'], whitelistingEnabled: true }],
      'key_withdraw_needs_addresses',
    ],
    [
      "can withdraw and gets a provider's range",
      [
        { canWithdraw: true, whitelistedIps: ADDRESSES, whitelistingEnabled: true },
        { whitelistedIps: ['2001:db8::/31'] },
      ],
      'key_withdraw_needs_addresses',
    ],
    [
      "can withdraw from a customer's range",
      [{ canWithdraw: true, whitelistedIps: ['2001:db8::/32'], whitelistingEnabled: true }],
      'done',
    ],
    ['can trade from all of IPv6', [{ canTrade: true, whitelistedIps: ['::/0'] }], 'done'],
    ['can withdraw to the address book', [{ canWithdraw: true, bookOnly: true }], 'done'],
    [
      'loses its addresses and withdraws',
      [
        { canWithdraw: true, whitelistedIps: ADDRESSES, whitelistingEnabled: true },
        { whitelistingEnabled: false },
      ],
      'key_withdraw_needs_addresses',
    ],
    ['gets another name', [{ name: 'other' }], 'done'],
    ['gets an empty name', [{ name: '' }], 'key_name_invalid'],
    ['gets a wrong address', [{ whitelistedIps: ['nowhere'] }], 'key_addresses_invalid'],
  ];
  for (const [what, steps, expected] of changes) {
    test(`a key ${what}: ${expected}`, async () => {
      const person = await PersonForTest.make(pool);
      const { id } = await created(person);
      const outcomes: string[] = [];
      for (const step of steps) outcomes.push(outcome(await change(person, id, step)));
      assert.equal(outcomes.at(-1), expected);
      const [key] = await listLiveKeys(pool, person.user);
      assert.equal(key.withdrawGrantedAt !== null, key.canWithdraw);
    });
  }

  test('a key that can no longer withdraw loses its grant time', async () => {
    const person = await PersonForTest.make(pool);
    const { id } = await created(person);
    const grant = { canWithdraw: true, bookOnly: true };
    for (const [wanted, isGranted] of [
      [grant, true],
      [{ canWithdraw: false }, false],
      [grant, true],
    ] as const) {
      const key = await change(person, id, wanted);
      assert.ok(!(key instanceof Refused));
      assert.equal(key.withdrawGrantedAt !== null, isGranted);
    }
  });

  test("an operator's key needs the role and a permanent address list", async () => {
    const operator = await PersonForTest.make(pool, { role: 'support' });
    assert.equal(outcome(await create(operator, { role: 'admin' })), 'key_admin_whitelist_needed');
    const { id } = await created(operator, { role: 'admin', whitelistedIps: ADDRESSES });
    for (const wanted of [{ whitelistingEnabled: false }, { whitelistedIps: [] }]) {
      assert.deepEqual(
        await change(operator, id, wanted),
        new Refused('key_admin_whitelist_fixed'),
      );
    }
    // A login from an address outside the operators' list has no role.
    const plain = operator.in(await makeSession(pool, operator.user, ['user']));
    const elsewhere = { role: 'admin', whitelistedIps: ADDRESSES } as const;
    assert.deepEqual(await create(plain, elsewhere), new Refused('key_scope_exceeds_account'));
    const wider = { whitelistedIps: ['198.51.100.1'] };
    assert.deepEqual(await change(plain, id, wider), new Refused('key_scope_exceeds_account'));
  });

  test('a user has at most 50 live keys; expired ones do not count', async () => {
    const person = await withPasskeyOnly();
    await pool.query(
      `insert into api_keys (user_id, name, public_key, kind, kek_id, sealed, expires_at)
       select $1, 'bulk', encode(sha256(('bulk' || n)::bytea), 'hex')::varchar(40), 'hmac', 1, '',
         now() + interval '1 day' from generate_series(1, $2) n`,
      [person.user, LIVE_KEYS_MAX - 1],
    );
    await created(person);
    assert.deepEqual(await create(person), new Refused('keys_too_many', { max: LIVE_KEYS_MAX }));
    const [{ id }] = await listLiveKeys(pool, person.user);
    await pool.query(`update api_keys set expires_at = now() where id = $1`, [id]);
    await created(person);
    assert.deepEqual(await create(person), new Refused('keys_too_many', { max: LIVE_KEYS_MAX }));
  });

  const proofs: [what: string, otp: 'right' | 'wrong', code: 'right' | 'wrong', answer: string][] =
    [
      ['both correct', 'right', 'right', 'done'],
      ['a wrong OTP', 'wrong', 'right', 'factor_wrong'],
      ['a wrong code', 'right', 'wrong', 'code_wrong'],
      ['both wrong', 'wrong', 'wrong', 'factor_wrong'],
    ];
  for (const [what, otp, code, answer] of proofs) {
    test(`creation with ${what}: ${answer}; a try counts, valid proofs stay unused`, async () => {
      const person = await PersonForTest.make(pool);
      const { act, proofs: right } = await person.proven();
      const sent = {
        otpCode: otp === 'right' ? right.otpCode : '000000',
        emailCode: code === 'right' ? right.emailCode : 'A'.repeat(20),
      };
      const asked = (proofsSent: typeof sent) =>
        person.do((one) => createApiKey(one, vault, act, { key: BOT, proofs: proofsSent }));
      assert.equal(outcome(await asked(sent)), answer);
      const { rows } = await pool.query(
        `select c.tries, c.used_at is not null as is_used,
           coalesce((select max(failures) from login_throttles
             where scope = 'factor' and subject_mac = $2), 0) as failures
         from codes c where user_id = $1 and purpose = 'confirm_action'`,
        [person.user, vault.mac('throttle factor', `${person.user}`)],
      );
      assert.deepEqual(
        [Number(rows[0].tries), rows[0].is_used, Number(rows[0].failures)],
        [code === 'wrong' ? 1 : 0, answer === 'done', otp === 'wrong' ? 1 : 0],
      );
      if (answer !== 'done') assert.equal(outcome(await asked(right)), 'done');
      assert.equal((await listLiveKeys(pool, person.user)).length, 1);
    });
  }

  test('a session causes ten emails in ten minutes, then it must wait', async () => {
    const person = await PersonForTest.make(pool);
    const act = person.act();
    const ask = (laterMs = 0) =>
      person.do((one) => requestConfirmation(one, vault, { ...act, nowMs: act.nowMs + laterMs }));
    for (let mail = 1; mail <= 10; mail++) assert.equal(await ask(), undefined);
    const refused = new Refused('rate_limit_exceeded', {}, 600);
    assert.deepEqual(await ask(), refused);
    const email = { email: 'flooded@example.com', otpCode: person.otp(act) };
    const changed = await person.do((one) => requestEmailChange(one, vault, act, email));
    assert.deepEqual(changed, refused, 'all these emails share the limit');
    const { rows } = await pool.query('select count(*)::int from mail_outbox where user_id = $1', [
      person.user,
    ]);
    assert.equal(rows[0].count, 10);
    assert.equal(await ask(600_000), undefined);
  });

  test('without a second factor, no keys can be created', async () => {
    const person = await PersonForTest.make(pool, { hasOtp: false });
    assert.deepEqual(await create(person), new Refused('otp_not_enabled'));
  });

  test('abuse 9: fifty concurrent creations with one code create one key', async () => {
    const person = await withPasskeyOnly();
    const emailCode = await person.confirmation();
    const attempts = Array.from({ length: 50 }, () => {
      const asked = { key: BOT, proofs: { otpCode: '', emailCode } };
      const act = { ...person.act(), nowMs: Date.now() };
      return person.do((connection) => createApiKey(connection, vault, act, asked));
    });
    const outcomes = (await Promise.all(attempts)).map(outcome);
    assert.equal(outcomes.filter((one) => one === 'done').length, 1);
    assert.equal(outcomes.filter((one) => one === 'code_used').length, 49);
    assert.equal((await listLiveKeys(pool, person.user)).length, 1);
  });

  const sessions: [what: string, damage: string][] = [
    ['revoked', 'update sessions set revoked_at = now() where id = $1'],
    ['expired', 'update sessions set expires_at = now() where id = $1'],
    ['in a shared account', `update sessions set kind = 'shared' where id = $1`],
    ['with an older version', 'update sessions set security_version = 0 where id = $1'],
    [
      'of a frozen user',
      `update users set state = 'frozen' where id = (select user_id from sessions where id = $1)`,
    ],
  ];
  for (const [what, damage] of sessions) {
    test(`a session ${what} cannot change keys`, async () => {
      const person = await PersonForTest.make(pool);
      const { id } = await created(person);
      const { act, proofs: right } = await person.proven();
      await pool.query(damage, [person.session]);
      const key = { id: id as KeyId, proofs: right };
      const results = await person.do(async (connection) => [
        await createApiKey(connection, vault, act, { key: BOT, proofs: right }),
        await changeApiKey(connection, vault, act, { ...key, change: { canTrade: true } }),
        await revokeApiKey(connection, vault, act, key),
      ]);
      assert.deepEqual(results, Array(3).fill(new Refused('session_of_person_needed')));
    });
  }

  test("abuse 35: another user's key is not found, and no proof is used", async () => {
    const [person, stranger] = [await PersonForTest.make(pool), await PersonForTest.make(pool)];
    const theirs = await created(stranger);
    for (const id of [theirs.id, 4_000_000_000]) {
      assert.deepEqual(await change(person, id, { canTrade: true }), new Refused('key_not_found'));
      assert.deepEqual(await revoke(person, id), new Refused('key_not_found'));
    }
    assert.deepEqual(await listLiveKeys(pool, stranger.user), [theirs]);
  });

  test('a revoked key disappears from the list and stays revoked', async () => {
    const person = await PersonForTest.make(pool);
    const { id } = await created(person);
    assert.equal(outcome(await revoke(person, id)), 'done');
    assert.equal((await person.lastMail('api_key_revoked')).values.name, 'bot');
    assert.deepEqual(await listLiveKeys(pool, person.user), []);
    assert.deepEqual(await revoke(person, id), new Refused('key_already_revoked'));
    assert.deepEqual(
      await change(person, id, { active: true }),
      new Refused('key_already_revoked'),
    );
  });

  test('a suspended key is listed, and its owner can enable it again', async () => {
    const person = await PersonForTest.make(pool);
    const { id } = await created(person);
    await change(person, id, { canTrade: true });
    const reading = await created(person, { name: 'reader' });
    await applySecurityChange(pool, {
      user: person.user,
      reason: 'password_reset',
      holdMs: 0,
      keepSession: person.session,
      suspendsKeys: true,
    });
    const reasons = (await listLiveKeys(pool, person.user)).map((key) => key.suspendedReason);
    assert.deepEqual(reasons, [null, 'password_reset']);
    assert.equal((await listLiveKeys(pool, person.user))[0].id, reading.id);
    const renamed = await change(person, id, { name: 'still suspended' });
    assert.ok(!(renamed instanceof Refused) && renamed.suspendedReason === 'password_reset');
    const enabled = await change(person, id, { active: true });
    assert.ok(!(enabled instanceof Refused) && enabled.suspendedReason === null);
  });
});

/** Proves the factor with the session, so only the emailed code is spent. */
async function withPasskeyOnly(): Promise<PersonForTest> {
  const person = await PersonForTest.make(pool, { hasOtp: false });
  await pool.query(
    `insert into passkeys (user_id, credential_id, public_key) values ($1, $2, '')`,
    [person.user, Buffer.from(`passkey ${person.user}`)],
  );
  // This user's actions are ahead of the database clock.
  const strongAt = new Date(Date.now() + DAY_MS);
  return person.in(await makeSession(pool, person.user, ['user'], { strongAt }));
}

function verifyingKey(): string {
  const { x = '' } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
  return Buffer.from(x, 'base64url').toString('base64');
}
