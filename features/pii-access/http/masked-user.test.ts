// Tests a masked user: nothing personal is left, and everything else is unchanged.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Power } from '../../approvals/index.ts';
import { POWERS } from '../../approvals/powers.ts';
import { maskedUser, PERSONAL_FIELDS } from './masked-user.ts';

const USER = {
  id: 17,
  email: 'mara@domain.com',
  username: 'mara',
  full_name: 'Mara Example',
  phone_number: '+41 44 123 45 67',
  dob: '1990-02-03T00:00:00.000Z',
  gender: true,
  nationality: 'CH',
  address: { city: 'Basel', address: 'Rheinweg 7', country: 'CH', postal_code: '4001' },
  id_data: { type: 'passport', number: 'X123456', status: 1, issued_date: '2020-01-01' },
  bank_account: [
    { id: '0123456789abcdef', type: 'bank', status: 3, bank_name: 'Bank', account_number: '99887' },
  ],
  note: 'calls every day',
  meta: { source: 'friend', visits: 3, more: { a: 1 }, none: '' },
  verification_level: 2,
};
const MASKED = {
  id: 17,
  email: 'm•••@d•••.com',
  username: 'm•••',
  full_name: 'M. E.',
  phone_number: '•••67',
  dob: null,
  gender: null,
  nationality: '•••',
  address: { city: '•••', address: '•••', country: 'CH', postal_code: '•••' },
  id_data: { type: 'passport', number: '•••56', status: 1, issued_date: null },
  bank_account: [
    { id: '0123456789abcdef', type: 'bank', status: 3, bank_name: 'Bank', account_number: '•••87' },
  ],
  note: '•••',
  meta: { source: '•••', visits: '•••', more: null, none: '' },
  verification_level: 2,
};
const EVERY_POWER: ReadonlySet<Power> = new Set(POWERS);
const NONE: ReadonlySet<Power> = new Set();

test('personal fields are masked, even for a role with every permission', () => {
  assert.deepEqual(maskedUser(USER, NONE), MASKED);
  assert.deepEqual(maskedUser(USER, EVERY_POWER), MASKED);
});

test('a user pending review is unmasked for a role that sees personal data', () => {
  assert.deepEqual(maskedUser(USER, new Set<Power>(['pii.unmasked']), { isInReview: true }), USER);
  assert.deepEqual(maskedUser(USER, NONE, { isInReview: true }), MASKED);
});

test('a reveal opens only the named fields', () => {
  const revealed = new Set(['full_name']);
  const expected = { ...MASKED, full_name: 'Mara Example' };
  assert.deepEqual(maskedUser(USER, NONE, { revealed }), expected);
});

test('every personal field is in the case above', () => {
  assert.deepEqual(
    PERSONAL_FIELDS.toSorted(),
    PERSONAL_FIELDS.filter((name) => name in USER).toSorted(),
  );
});
