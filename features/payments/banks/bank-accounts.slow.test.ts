// Tests bank accounts and payment details on a real server: who can change their status, how many a
// user can have even with concurrent requests, and that erasure removes them.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { UserId } from '../../../core/money/index.ts';
import { inTransaction, withConnection } from '../../../infra/postgres/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { eraseUser } from '../../accounts/index.ts';
import {
  makeUser,
  openRegistryForTest,
  type RegistryForTest,
  vault,
} from '../../auth/registry-for-test.ts';
import {
  addBankAccount,
  listBankAccounts,
  replaceBankAccounts,
  revokeBankAccount,
  verifyBankAccount,
} from './bank-accounts.ts';
import {
  addPaymentDetail,
  changePaymentDetail,
  listPaymentDetails,
  PAYMENT_DETAILS_MAX,
  removePaymentDetail,
  reviewPaymentDetail,
} from './payment-details.ts';

const FIELDS = { type: 'bank', iban: 'CH9300762011623852957' };
const DETAIL = { name: 'Wire', label: 'home', details: { iban: 'CH1' }, isP2p: true };

let tables: RegistryForTest;
let operator: UserId;

function add(user: UserId, fields: Readonly<Record<string, string>> = FIELDS) {
  return withConnection(tables.pool, (one) => addBankAccount(one, vault, { user, fields }));
}

function verify(user: UserId, id: string, by = operator) {
  return withConnection(tables.pool, (one) =>
    inTransaction(one, () => verifyBankAccount(one, vault, { user, id, operator: by })),
  );
}

function revoke(user: UserId, id: string, by = operator) {
  return withConnection(tables.pool, (one) =>
    inTransaction(one, () =>
      revokeBankAccount(one, vault, { user, id, operator: by, message: 'another name' }),
    ),
  );
}

function replace(user: UserId, accounts: Parameters<typeof replaceBankAccounts>[2]['accounts']) {
  return withConnection(tables.pool, (one) =>
    inTransaction(one, () => replaceBankAccounts(one, vault, { user, operator, accounts })),
  );
}

function addDetail(user: UserId, change: object = {}) {
  const detail = { ...DETAIL, isFiatControl: false, ...change };
  return withConnection(tables.pool, (one) => addPaymentDetail(one, vault, user, detail));
}

/** Creates a new user with one account. */
async function personWithBank(): Promise<{ user: UserId; id: string }> {
  const user = await makeUser(tables.pool);
  const added = await add(user);
  assert.ok(!(added instanceof Refused));
  return { user, id: added[0].id };
}

function keyOf(result: unknown): string | undefined {
  return result instanceof Refused ? result.key : undefined;
}

function shown(accounts: Awaited<ReturnType<typeof add>>): unknown {
  return accounts instanceof Refused
    ? accounts.key
    : accounts.map(({ fields, message, status }) => [fields.iban, status, message]);
}

describe('bank accounts', () => {
  before(async () => {
    tables = await openRegistryForTest();
    operator = await makeUser(tables.pool);
  });
  after(() => tables.close());

  test('an account is pending, then verified, then rejected', async () => {
    const { id, user } = await personWithBank();
    assert.match(id, /^[0-9a-f]{16}$/);
    assert.deepEqual(shown(await listBankAccounts(tables.pool, vault, user)), [
      [FIELDS.iban, 'pending', ''],
    ]);
    assert.deepEqual(shown(await verify(user, id)), [[FIELDS.iban, 'verified', '']]);
    assert.equal(keyOf(await verify(user, id)), 'bank_account_verified');
    assert.deepEqual(shown(await revoke(user, id)), [[FIELDS.iban, 'rejected', 'another name']]);
    assert.deepEqual(shown(await verify(user, id)), [[FIELDS.iban, 'verified', '']]);
  });

  test('operators cannot review their own account', async () => {
    const { id, user } = await personWithBank();
    assert.equal(keyOf(await verify(user, id, user)), 'bank_account_own');
    assert.equal(keyOf(await revoke(user, id, user)), 'bank_account_own');
    const asked = { user, operator: user, accounts: [] };
    const replaced = await withConnection(tables.pool, (one) =>
      replaceBankAccounts(one, vault, asked),
    );
    assert.equal(keyOf(replaced), 'bank_account_own');
    assert.deepEqual(shown(await listBankAccounts(tables.pool, vault, user)), [
      [FIELDS.iban, 'pending', ''],
    ]);
  });

  test("another user's account and a missing account are unknown", async () => {
    const [one, other] = [await personWithBank(), await personWithBank()];
    assert.equal(keyOf(await verify(one.user, other.id)), 'bank_account_unknown');
    assert.equal(keyOf(await revoke(one.user, 'f'.repeat(16))), 'bank_account_unknown');
    assert.equal(keyOf(await verify(999_999 as UserId, one.id)), 'user_not_found');
  });

  test('a sub-account has no bank account', async () => {
    const { user } = await personWithBank();
    await tables.pool.query(`update users set kind = 'sub', parent_id = $2 where id = $1`, [
      user,
      operator,
    ]);
    assert.equal(keyOf(await add(user)), 'user_not_found');
  });

  test('of ten concurrent additions, three succeed; a rejected one makes room', async () => {
    const user = await makeUser(tables.pool);
    const all = await Promise.all(Array.from({ length: 10 }, (_, at) => add(user, iban(at))));
    assert.equal(all.filter((one) => !(one instanceof Refused)).length, 3);
    assert.equal(all.filter((one) => keyOf(one) === 'bank_accounts_too_many').length, 7);
    const [first] = await listBankAccounts(tables.pool, vault, user);
    await revoke(user, first.id);
    assert.notEqual(keyOf(await add(user, iban(11))), 'bank_accounts_too_many');
    assert.equal(keyOf(await verify(user, first.id)), 'bank_accounts_too_many');
  });

  test('an operator replaces the list: kept by ID, added as pending, others removed', async () => {
    const { id, user } = await personWithBank();
    await add(user, iban(2));
    const replaced = await replace(user, [{ id, fields: FIELDS }, { fields: iban(3) }]);
    assert.deepEqual(shown(replaced), [
      [FIELDS.iban, 'pending', ''],
      ['CH3', 'pending', ''],
    ]);
    const other = await personWithBank();
    assert.equal(
      keyOf(await replace(user, [{ id: other.id, fields: FIELDS }])),
      'bank_account_unknown',
    );
    const twice = [
      { id, fields: FIELDS },
      { id, fields: FIELDS },
    ];
    assert.equal(keyOf(await replace(user, twice)), 'bank_account_unknown');
    const four = Array.from({ length: 4 }, () => ({ fields: FIELDS }));
    assert.equal(keyOf(await replace(user, four)), 'bank_accounts_too_many');
    assert.deepEqual(shown(await replace(user, [])), []);
  });

  test('abuse 83: changed fields make a new pending account, never a verified one', async () => {
    const { id, user } = await personWithBank();
    await verify(user, id);
    const changed = await replace(user, [{ id, fields: iban(6) }]);
    assert.ok(!(changed instanceof Refused));
    assert.deepEqual(shown(changed), [['CH6', 'pending', '']]);
    assert.notEqual(changed[0].id, id);
    assert.equal(changed[0].enteredBy, operator);
    const verified = [{ id: changed[0].id, fields: iban(7), status: 'verified' }] as const;
    assert.equal(keyOf(await replace(user, verified)), 'bank_account_unverifiable');
    assert.equal(
      keyOf(await replace(user, [{ fields: iban(8), status: 'verified' }])),
      'bank_account_unverifiable',
    );
  });

  test('abuse 83: the database rejects other fields for the same ID', async () => {
    const { id } = await personWithBank();
    for (const change of ["sealed = 'x'", 'user_id = user_id + 1', `entered_by = ${operator}`]) {
      await assert.rejects(
        tables.pool.query(`update bank_accounts set ${change} where id = $1`, [id]),
        /never change/,
      );
    }
  });

  test("another user's row cannot be opened, and an erasure removes everything", async () => {
    const [one, other] = [await personWithBank(), await personWithBank()];
    await tables.pool.query('delete from bank_accounts where id = $1', [one.id]);
    await tables.pool.query(
      `insert into bank_accounts (id, user_id, status, sealed)
       select $1, $3, 'pending', sealed from bank_accounts where id = $2`,
      [one.id, other.id, one.user],
    );
    await assert.rejects(listBankAccounts(tables.pool, vault, one.user), /sealed/);
    const { user } = other;
    await addDetail(user);
    await tables.pool.query(`update users set state = 'closed' where id = $1`, [user]);
    await withConnection(tables.pool, (connection) => eraseUser(connection, user));
    assert.deepEqual(await listBankAccounts(tables.pool, vault, user), []);
    assert.deepEqual(await listPaymentDetails(tables.pool, vault, user), []);
    assert.equal(keyOf(await add(user)), 'account_deactivated');
    assert.equal(keyOf(await addDetail(user)), 'account_deactivated');
  });
});

describe('payment details', () => {
  before(async () => {
    tables = await openRegistryForTest();
    operator = await makeUser(tables.pool);
  });
  after(() => tables.close());

  test('a fiat detail is pending until verified, and again after a change', async () => {
    const user = await makeUser(tables.pool);
    const added = await addDetail(user, { isFiatControl: true });
    assert.ok(!(added instanceof Refused));
    const { id } = added;
    assert.deepEqual(
      [added.status, added.name, added.details],
      ['pending', 'Wire', DETAIL.details],
    );
    const decision = { user, id, status: 'verified' } as const;
    const reviewed = (by: UserId, of = user) =>
      reviewPaymentDetail(tables.pool, { ...decision, user: of, operator: by });
    assert.equal(keyOf(await reviewed(user)), 'bank_account_own');
    assert.equal(keyOf(await reviewed(user, operator)), 'payment_detail_unknown');
    assert.equal(await reviewed(operator), 'reviewed');
    const verified = { isFiatControl: true, status: 'verified' } as const;
    assert.equal((await listPaymentDetails(tables.pool, vault, user, verified)).length, 1);
    const changed = await withConnection(tables.pool, (one) =>
      changePaymentDetail(one, vault, user, { id, label: 'work' }),
    );
    assert.ok(!(changed instanceof Refused));
    assert.deepEqual([changed.status, changed.label, changed.name], ['pending', 'work', 'Wire']);
    assert.deepEqual(await listPaymentDetails(tables.pool, vault, user, verified), []);
  });

  test("another user's details can be neither read, changed nor removed", async () => {
    const [owner, other] = [await makeUser(tables.pool), await makeUser(tables.pool)];
    const added = await addDetail(owner);
    assert.ok(!(added instanceof Refused));
    const { id } = added;
    assert.deepEqual(await listPaymentDetails(tables.pool, vault, other, { id }), []);
    const changed = await withConnection(tables.pool, (one) =>
      changePaymentDetail(one, vault, other, { id, name: 'Mine' }),
    );
    assert.equal(keyOf(changed), 'payment_detail_unknown');
    assert.equal(await removePaymentDetail(tables.pool, { user: other, id }), false);
    assert.equal(await removePaymentDetail(tables.pool, { user: owner, id }), true);
    assert.equal(await removePaymentDetail(tables.pool, { user: owner, id }), false);
  });

  test('there are at most twenty details, even with concurrent requests', async () => {
    const user = await makeUser(tables.pool);
    const all = await Promise.all(Array.from({ length: 25 }, () => addDetail(user)));
    assert.equal(all.filter((one) => keyOf(one) === 'payment_details_too_many').length, 5);
    const listed = await listPaymentDetails(tables.pool, vault, user);
    assert.equal(listed.length, PAYMENT_DETAILS_MAX);
  });
});

function iban(at: number): Readonly<Record<string, string>> {
  return { type: 'bank', iban: `CH${at}` };
}
