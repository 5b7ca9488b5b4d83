// Tests filters that would confirm what the masks hide.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { confirmsPerson, type UserFilter } from './user-list.ts';

const DAY = new Date('1990-02-03');
const PERSONAL: readonly UserFilter[] = [
  { name: 'ann' },
  { bornFrom: DAY },
  { bornTo: DAY },
  { document: 'X123456' },
  { gender: false },
  { nationality: 'CH' },
  { phone: '+41441234567' },
];
const PARTS: readonly UserFilter[] = [{ email: 'ann@ex' }, { username: 'an' }];
const NAMING: readonly UserFilter[] = [
  { user: 17 },
  { search: { text: 'ann@example.com' } },
  { from: DAY },
  { to: DAY },
];

for (const personal of [...PERSONAL, ...PARTS]) {
  for (const naming of [...NAMING, ...PARTS]) {
    if (personal === naming) continue;
    const names = [...Object.keys(personal), ...Object.keys(naming)].join(' and ');
    test(`abuse 49: ${names} combined would reveal masked values`, () => {
      assert.equal(confirmsPerson({ ...personal, ...naming }), true);
    });
  }
}

test('personal filters alone, and others without them, confirm no user', () => {
  for (const part of PARTS) assert.equal(confirmsPerson({ ...part, isActive: true }), false);
  assert.equal(confirmsPerson({}), false);
  assert.equal(confirmsPerson(Object.assign({}, ...PERSONAL)), false);
  assert.equal(confirmsPerson(Object.assign({}, ...NAMING)), false);
  assert.equal(confirmsPerson({ name: 'ann', verificationLevel: 1, isActive: true }), false);
});
