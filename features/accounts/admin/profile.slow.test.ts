// Tests profiles, levels, discounts, notes, bank accounts and addresses written by operators, on a
// real server.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { UserId } from '../../../core/money/index.ts';
import { canonicalJson } from '../../audit/index.ts';
import { readPassword } from '../../auth/index.ts';
import { mailsTo, passwordFor } from '../../auth/mails-for-test.ts';
import {
  makeUser,
  openRegistryForTest,
  type RegistryForTest,
  vault,
} from '../../auth/registry-for-test.ts';
import { describeKit } from '../../listings/index.ts';
import { manualAddresses } from '../../payments/addresses/manual-addresses.ts';
import {
  replaceBankAccountsAct,
  revokeBankAccountAct,
  verifyBankAccountAct,
} from '../../payments/admin/banks.ts';
import { createAddressAct } from '../../payments/admin/index.ts';
import { listBankAccounts } from '../../payments/index.ts';
import { NO_PERSONAL_DATA, readPersonal } from '../personal-data.ts';
import { describeTier } from '../tiers.ts';
import { OperatorForTest } from './acts-for-test.ts';
import { createUserAct, newUserPayload } from './new-user.ts';
import {
  setDiscountAct,
  setLevelAct,
  setMetaAct,
  setNoteAct,
  toggleFlagAct,
  updateUserAct,
} from './profile.ts';

const IBAN = { type: 'bank', iban: 'CH93' };

let tables: RegistryForTest;
let admin: OperatorForTest;

before(async () => {
  tables = await openRegistryForTest();
  admin = await OperatorForTest.make(tables.pool);
});
after(() => tables.close());

async function rowOf(user: UserId) {
  const { rows } = await tables.pool.query('select * from users where id = $1', [user]);
  return rows[0];
}

describe('new users', () => {
  function payload(email: string, referral = '') {
    return newUserPayload(vault, { email, password: passwordFor('secret'), referral });
  }

  test('an operator creates a verified user with a password', async () => {
    const { executed } = await admin.mustAct(createUserAct, payload(' Fresh@Example.com '));
    const user = executed.result.user as UserId;
    const { email, role, state } = await rowOf(user);
    assert.deepEqual([email, role, state], ['fresh@example.com', null, 'active']);
    assert.deepEqual(await readPassword(tables.pool, vault, user), passwordFor('secret'));
    const kinds = (await mailsTo(tables.pool, email)).map(({ kind }) => kind);
    assert.deepEqual(kinds, ['welcome']);
    assert.deepEqual(executed.after, { user, hasReferral: false });
    assert.deepEqual(executed.personal, { email });
  });

  test('the payload hides the password', () => {
    const tag = Buffer.from(passwordFor('secret').tag).toString('base64').slice(0, 8);
    assert.ok(!JSON.stringify(payload('a@example.com')).includes(tag));
  });

  test('a referral code is ignored while referral is off', async () => {
    await tables.pool.query('create schema projection');
    await tables.pool.query('create table projection.assets (id bigint, symbol text, scale int)');
    const { executed } = await admin.mustAct(
      createUserAct,
      payload('referred@example.com', 'ABC123'),
    );
    const user = executed.result.user as UserId;
    assert.equal((await rowOf(user)).state, 'active');
    assert.deepEqual(executed.after, { user, hasReferral: false });
  });

  test('a taken or invalid address creates no user', async () => {
    const known = (await rowOf(await makeUser(tables.pool))).email;
    assert.equal(await admin.act(createUserAct, payload(known)), 'email_taken');
    assert.equal(await admin.act(createUserAct, payload('nothing')), 'email_invalid');
  });
});

describe('personal data', () => {
  test('only the given fields and the given keys of address and document change', async () => {
    const user = await makeUser(tables.pool);
    await admin.mustAct(updateUserAct, {
      user,
      change: { fullName: 'Ada Byron', address: { city: 'Bern', country: 'CH' } },
    });
    const { executed } = await admin.mustAct(updateUserAct, {
      user,
      change: { address: { city: 'Basel' }, idData: { status: 3, number: 'X1' } },
    });
    const data = await readPersonal(tables.pool, vault, user);
    assert.deepEqual(data, {
      ...NO_PERSONAL_DATA,
      fullName: 'Ada Byron',
      address: { ...NO_PERSONAL_DATA.address, city: 'Basel', country: 'CH' },
      idData: { ...NO_PERSONAL_DATA.idData, status: 3, number: 'X1' },
    });
    assert.deepEqual(executed.before, { idStatus: 0 });
    assert.deepEqual(executed.after, { fields: ['address', 'idData'], idStatus: 3 });
    const clear = canonicalJson([executed.before ?? null, executed.after ?? null]);
    assert.ok(!/Ada|Basel|X1/.test(clear));
    assert.ok(canonicalJson(executed.personal ?? {}).includes('Basel'));
  });
});

describe('level and discount', () => {
  test('a level is a tier, and the engine applies it', async () => {
    await describeTier(tables.pool, { tier: 2, name: 'two' });
    const user = await makeUser(tables.pool);
    const { assessment, executed } = await admin.mustAct(setLevelAct, { user, level: 2 });
    assert.equal(assessment.approvals, 0);
    assert.deepEqual(executed.effects, { accessOf: [user], dispatcher: true });
    const { rows } = await tables.pool.query(
      'select tier from engine_user_settings where user_id = $1',
      [user],
    );
    assert.equal(Number(rows[0].tier), 2);
    assert.equal(await admin.act(setLevelAct, { user, level: 9 }), 'level_unknown');
    assert.equal(Number((await rowOf(user)).verification_level), 2);
  });

  test('a discount needs another operator and reaches the engine', async () => {
    const user = await makeUser(tables.pool);
    const { assessment } = await admin.mustAct(setDiscountAct, { user, discount: '12.5' });
    assert.equal(assessment.approvals, 1);
    const { rows } = await tables.pool.query(
      'select discount_ppm from engine_user_settings where user_id = $1',
      [user],
    );
    assert.equal(Number(rows[0].discount_ppm), 125_000);
    assert.equal((await rowOf(user)).discount, '12.5');
  });

  const wrong = [
    ['-1', 'discount_invalid'],
    ['100.0001', 'discount_invalid'],
    ['0.00001', 'discount_invalid'],
    ['much', 'discount_invalid'],
  ] as const;
  for (const discount of ['0', '0.0']) {
    test(`setting the discount ${discount} again succeeds without approval`, async () => {
      const user = await makeUser(tables.pool);
      const { assessment } = await admin.mustAct(setDiscountAct, { user, discount });
      assert.equal(assessment.approvals, 0);
      assert.equal(Number((await rowOf(user)).discount), 0);
    });
  }
  for (const [discount, refusal] of wrong) {
    test(`a discount of ${discount} is rejected`, async () => {
      const user = await makeUser(tables.pool);
      assert.equal(await admin.act(setDiscountAct, { user, discount }), refusal);
    });
  }
});

describe('meta, note, flag', () => {
  test('user meta follows the kit', async () => {
    await describeKit(tables.pool, { user_meta: { nick: { type: 'string', required: false } } });
    const user = await makeUser(tables.pool);
    const set = (meta: object, overwrite = false) =>
      admin.act(setMetaAct, { user, meta: JSON.stringify(meta), overwrite });
    assert.notEqual(typeof (await set({ nick: 'ada' })), 'string');
    assert.deepEqual((await rowOf(user)).meta, { nick: 'ada' });
    assert.equal(await set({ other: 1 }), 'meta_key_unknown');
    assert.notEqual(typeof (await set({ nick: null })), 'string');
    assert.deepEqual((await rowOf(user)).meta, {});
  });

  test('a note is recorded as personal data, and a flag is toggled', async () => {
    const user = await makeUser(tables.pool);
    const { executed } = await admin.mustAct(setNoteAct, { user, note: 'called at noon' });
    assert.deepEqual(executed.personal, { before: '', after: 'called at noon' });
    assert.equal(executed.after, undefined);
    for (const flagged of [true, false]) {
      const { executed: done } = await admin.mustAct(toggleFlagAct, { user });
      assert.deepEqual(done.result, { user, flagged });
      assert.equal((await rowOf(user)).flagged, flagged);
    }
  });
});

describe('bank accounts and addresses', () => {
  test('an operator replaces, rejects and verifies bank accounts', async () => {
    const user = await makeUser(tables.pool);
    const accounts = [{ id: '', status: '', fields: IBAN }] as const;
    const { executed } = await admin.mustAct(replaceBankAccountsAct, { user, accounts });
    const [{ id, status }] = await listBankAccounts(tables.pool, vault, user);
    assert.equal(status, 'pending');
    assert.deepEqual([executed.before, executed.after], [{}, { [id]: 'pending' }]);
    assert.deepEqual(executed.personal, { before: {}, after: { [id]: IBAN } });
    const decision = { user, id, message: 'another name' };
    const other = await OperatorForTest.make(tables.pool);
    await other.mustAct(verifyBankAccountAct, decision);
    assert.equal(await other.act(verifyBankAccountAct, decision), 'bank_account_verified');
    await admin.mustAct(revokeBankAccountAct, decision);
    const [revoked] = await listBankAccounts(tables.pool, vault, user);
    assert.deepEqual([revoked.status, revoked.message], ['rejected', 'another name']);
    await other.mustAct(verifyBankAccountAct, decision);
    const kinds = (await mailsTo(tables.pool, (await rowOf(user)).email)).map(({ kind }) => kind);
    assert.deepEqual(kinds, Array(4).fill('bank_account_changed'));
  });

  test('an administrator in solo mode verifies an account that they entered', async () => {
    const user = await makeUser(tables.pool);
    const accounts = [{ id: '', status: '', fields: IBAN }] as const;
    await admin.mustAct(replaceBankAccountsAct, { user, accounts });
    const [{ id }] = await listBankAccounts(tables.pool, vault, user);
    await admin.mustAct(verifyBankAccountAct, { user, id, message: '' });
    assert.equal((await listBankAccounts(tables.pool, vault, user))[0].status, 'verified');
  });

  test('abuse 83: the operator who entered it and relatives cannot verify it', async () => {
    const enterer = await OperatorForTest.make(tables.pool, 'kyc');
    const relative = await OperatorForTest.make(tables.pool, 'kyc');
    const user = await makeUser(tables.pool);
    const accounts = [{ id: '', status: '', fields: IBAN }] as const;
    await enterer.mustAct(replaceBankAccountsAct, { user, accounts });
    const [{ id }] = await listBankAccounts(tables.pool, vault, user);
    await tables.pool.query(
      `insert into devices (user_id, network, browser_hash)
       select unnest($1::bigint[]), '192.0.2.0', $2`,
      [[relative.user, enterer.user], Buffer.alloc(32)],
    );
    const verified = [{ id, status: 'verified', fields: { ...IBAN, iban: '•••' } }] as const;
    for (const verifier of [enterer, relative]) {
      const decision = { user, id, message: '' };
      const refused = 'bank_account_entered_by_you';
      assert.equal(await verifier.act(verifyBankAccountAct, decision), refused);
      assert.equal(
        await verifier.act(replaceBankAccountsAct, { user, accounts: verified }),
        refused,
      );
    }
    const [account] = await listBankAccounts(tables.pool, vault, user);
    assert.equal(account.status, 'pending');
  });

  test('abuse 35: the bank account of another user is not found', async () => {
    const [one, other] = [await makeUser(tables.pool), await makeUser(tables.pool)];
    const accounts = [{ id: '', status: '', fields: IBAN }] as const;
    await admin.mustAct(replaceBankAccountsAct, { user: one, accounts });
    const [{ id }] = await listBankAccounts(tables.pool, vault, one);
    for (const act of [verifyBankAccountAct, revokeBankAccountAct]) {
      const foreign = await admin.act(act, { user: other, id, message: '' });
      const unknown = await admin.act(act, { user: other, id: '0'.repeat(16), message: '' });
      assert.deepEqual([foreign, unknown], ['bank_account_unknown', 'bank_account_unknown']);
    }
  });

  test('an address is assigned once; without a free one the action is rejected', async () => {
    const user = await makeUser(tables.pool);
    const free = ['address-1', 'address-2'];
    const act = createAddressAct({ ...manualAddresses, issue: async () => free.shift() });
    const payload = { user, currency: 'btc', network: 'btc' };
    const first = await admin.mustAct(act, payload);
    assert.deepEqual(first.executed.result, { user, address: 'address-1' });
    assert.deepEqual(first.executed.after, { currency: 'btc', network: 'btc' });
    const again = await admin.mustAct(act, payload);
    assert.deepEqual(again.executed.result, { user, address: 'address-1' });
    const none = createAddressAct({ ...manualAddresses, issue: async () => undefined });
    const answer = await admin.act(none, { ...payload, currency: 'eth', network: 'eth' });
    assert.equal(answer, 'deposit_addresses_used_up');
  });
});
