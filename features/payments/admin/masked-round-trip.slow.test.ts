// Tests masks that operators send back, on a real server: each mask keeps its stored value, no mask
// is ever stored, and changes to payment details follow the rules for all actions on users.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { UserId } from '../../../core/money/index.ts';
import { OperatorForTest } from '../../accounts/admin/acts-for-test.ts';
import { setNoteAct, updateUserAct } from '../../accounts/admin/profile.ts';
import { type PersonalData, readPersonal, writePersonal } from '../../accounts/index.ts';
import { useTeam } from '../../approvals/operators-for-test.ts';
import type { JsonObject } from '../../audit/index.ts';
import {
  makeUser,
  openRegistryForTest,
  type RegistryForTest,
  vault,
} from '../../auth/registry-for-test.ts';
import { listBankAccounts } from '../banks/bank-accounts.ts';
import { listPaymentDetails } from '../banks/payment-details.ts';
import { replaceBankAccountsAct } from './banks.ts';
import {
  addPaymentAct,
  changePaymentAct,
  type PaymentPayload,
  removePaymentAct,
} from './payment-details.ts';

const PERSON: PersonalData = {
  fullName: 'Mara Example',
  gender: true,
  nationality: 'CH',
  dob: '1990-02-03T00:00:00.000Z',
  phoneNumber: '+41441234567',
  address: { city: 'Basel', address: 'Rheinweg 7', country: 'CH', postal_code: '4001' },
  idData: {
    type: 'passport',
    number: 'X123456',
    status: 3,
    issued_date: '2020-01-01T00:00:00.000Z',
    expiration_date: null,
  },
};
/** Masked, as operators see it. */
const MASKED: JsonObject = {
  fullName: 'M. E.',
  gender: null,
  nationality: '•••',
  dob: null,
  phoneNumber: '•••67',
  address: { city: '•••', address: '•••', country: 'CH', postal_code: '•••' },
  idData: { type: 'passport', number: '•••56', status: 3, issued_date: null },
};
const DETAIL = {
  name: 'Wire',
  label: 'home',
  details: JSON.stringify({ iban: 'CH9300762011623852957', account: 123456789, more: { a: 1 } }),
};

let tables: RegistryForTest;
let admin: OperatorForTest;

before(async () => {
  tables = await openRegistryForTest();
  await useTeam(tables.pool);
  admin = await OperatorForTest.make(tables.pool);
});
after(() => tables.close());

describe('masked values sent back', () => {
  test('sending back the entire masked profile changes nothing', async () => {
    const user = await newPerson();
    await admin.mustAct(updateUserAct, { user, change: MASKED });
    assert.deepEqual(await readPersonal(tables.pool, vault, user), PERSON);
  });

  test('a new value is written, and masked values are kept', async () => {
    const user = await newPerson();
    const change = { ...MASKED, phoneNumber: '+41449999999', dob: '1991-01-01T00:00:00.000Z' };
    await admin.mustAct(updateUserAct, { user, change });
    const { dob, phoneNumber } = change;
    assert.deepEqual(await readPersonal(tables.pool, vault, user), { ...PERSON, phoneNumber, dob });
  });

  const stale: readonly JsonObject[] = [
    { phoneNumber: '•••99' },
    { nationality: 'C•••' },
    { idData: { number: '•••99' } },
    { address: { city: 'B•••' } },
  ];
  for (const change of stale) {
    test(`the mask of another value is rejected: ${JSON.stringify(change)}`, async () => {
      const user = await newPerson();
      assert.equal(await admin.act(updateUserAct, { user, change }), 'masked_value');
      assert.deepEqual(await readPersonal(tables.pool, vault, user), PERSON);
    });
  }

  test('an operator who sees a user unmasked in review can clear fields', async () => {
    const kyc = await OperatorForTest.make(tables.pool, 'kyc');
    const user = await newPerson();
    const change = { gender: false, dob: null };
    await kyc.mustAct(updateUserAct, { user, change: { gender: null, dob: null } });
    assert.deepEqual(await readPersonal(tables.pool, vault, user), PERSON, 'not in review');
    const idData = { ...PERSON.idData, status: 1 };
    await writePersonal(tables.pool, vault, user, { idData });
    await kyc.mustAct(updateUserAct, { user, change });
    const { dob, gender } = await readPersonal(tables.pool, vault, user);
    assert.deepEqual([gender, dob], [false, null]);
  });

  test('a hidden note sent back is kept', async () => {
    const user = await makeUser(tables.pool);
    await admin.mustAct(setNoteAct, { user, note: 'calls every day' });
    await admin.mustAct(setNoteAct, { user, note: '•••' });
    const { rows } = await tables.pool.query('select note from users where id = $1', [user]);
    assert.equal(rows[0].note, 'calls every day');
  });

  test('masked bank account values are kept, and a new account has none', async () => {
    const user = await newPerson();
    const fields = { type: 'bank', bank_name: 'Bank', iban: 'CH9300762011623852957', pin: '12' };
    const replace = (id: string, sent: Record<string, string>) =>
      admin.act(replaceBankAccountsAct, { user, accounts: [{ id, status: '', fields: sent }] });
    await replace('', fields);
    const [{ id }] = await listBankAccounts(tables.pool, vault, user);
    const masked = { ...fields, bank_name: 'New bank', iban: '•••57', pin: '•••' };
    await replace(id, masked);
    const [after] = await listBankAccounts(tables.pool, vault, user);
    assert.deepEqual(after.fields, { ...fields, bank_name: 'New bank' });
    assert.equal(await replace('', masked), 'masked_value');
  });

  test('masked payment detail values are kept, and a new detail has none', async () => {
    const user = await newPerson();
    const { id } = await added(user);
    const masked = {
      name: 'W•••',
      label: 'h•••',
      details: JSON.stringify({ iban: '•••57', account: '•••89', more: null, bank_name: 'Bank' }),
    };
    await admin.mustAct(changePaymentAct, payload(user, { ...masked, id, status: 'verified' }));
    const [after] = await listPaymentDetails(tables.pool, vault, user);
    assert.deepEqual([after.name, after.label, after.status], ['Wire', 'home', 'verified']);
    assert.deepEqual(after.details, { ...JSON.parse(DETAIL.details), bank_name: 'Bank' });
    assert.equal(await admin.act(addPaymentAct, payload(user, masked)), 'masked_value');
    const renamed = payload(user, { id, name: '', label: 'x•••', details: '' });
    assert.equal(await admin.act(changePaymentAct, renamed), 'masked_value');
  });
});

describe('payment details', () => {
  test('operators cannot change their own account or higher roles', async () => {
    const kyc = await OperatorForTest.make(tables.pool, 'kyc');
    const supervisor = await makeUser(tables.pool, { role: 'supervisor' });
    const refusals: readonly [user: UserId, refusal: string][] = [
      [kyc.user, 'act_on_own_account'],
      [supervisor, 'act_on_higher_role'],
      [admin.user, 'act_on_higher_role'],
      [999_999 as UserId, 'user_not_found'],
    ];
    for (const [user, refusal] of refusals) {
      assert.equal(await kyc.act(addPaymentAct, payload(user)), refusal);
      assert.equal(await kyc.act(changePaymentAct, payload(user, { id: 1 })), refusal);
      assert.equal(await kyc.act(removePaymentAct, { user, id: 1 }), refusal);
    }
  });

  test('sub-accounts have no payment details, and unknown ones are rejected', async () => {
    const sub = await makeUser(tables.pool);
    await tables.pool.query(`update users set kind = 'sub', parent_id = $2 where id = $1`, [
      sub,
      await makeUser(tables.pool),
    ]);
    assert.equal(await admin.act(addPaymentAct, payload(sub)), 'user_is_no_person');
    const user = await newPerson();
    const unknown = payload(user, { id: 999_999 });
    assert.equal(await admin.act(changePaymentAct, unknown), 'payment_detail_unknown');
    assert.equal(await admin.act(removePaymentAct, { user, id: 9 }), 'payment_detail_unknown');
  });
});

function payload(user: UserId, change: Partial<PaymentPayload> = {}): PaymentPayload {
  return { user, id: 0, ...DETAIL, isP2p: null, isFiatControl: true, status: '', ...change };
}

async function added(user: UserId): Promise<{ readonly id: number }> {
  const { executed } = await admin.mustAct(addPaymentAct, payload(user));
  return executed.result;
}

async function newPerson(): Promise<UserId> {
  const user = await makeUser(tables.pool);
  assert.ok(typeof (await writePersonal(tables.pool, vault, user, PERSON)) === 'object');
  return user;
}
