// Tests that a bank account has the fields of its type or, without types, any short texts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refused } from '../../../protocol/wire/index.ts';
import { bankFields, type PaymentTypes } from './bank-fields.ts';

const TYPES: PaymentTypes = {
  bank: {
    data: [
      { key: 'bank_name', required: true },
      { key: 'account_number', required: true },
      { key: 'branch', required: false },
    ],
  },
  broken: null,
};
const full = { type: 'bank', bank_name: 'First', account_number: '1' };

const table: [what: string, given: Record<string, string>, types: PaymentTypes, found: unknown][] =
  [
    ['all fields of the type', full, TYPES, full],
    ['an optional field', { ...full, branch: 'x' }, TYPES, { ...full, branch: 'x' }],
    ['spaces around a value', { ...full, bank_name: '  First ' }, TYPES, full],
    [
      'a missing field',
      { type: 'bank', bank_name: 'First' },
      TYPES,
      'bank_field_missing account_number',
    ],
    [
      'an empty field',
      { ...full, account_number: ' ' },
      TYPES,
      'bank_field_missing account_number',
    ],
    ['a field that no type has', { ...full, iban: 'x' }, TYPES, 'bank_field_unknown iban'],
    ['an unknown type', { ...full, type: 'card' }, TYPES, 'bank_type_unknown card'],
    ['no type', { bank_name: 'First', account_number: '1' }, TYPES, 'bank_type_unknown '],
    [
      'a name that every object has',
      { ...full, type: 'constructor' },
      TYPES,
      'bank_type_unknown constructor',
    ],
    ['a type without fields', { type: 'broken', iban: 'x' }, TYPES, 'bank_field_unknown iban'],
    ['no types', { iban: 'x' }, {}, { iban: 'x' }],
    [
      'an IBAN',
      { iban: 'de89 3704 0044 0532 0130 00' },
      {},
      { iban: 'de89 3704 0044 0532 0130 00' },
    ],
    ['an IBAN of zeros', { iban: 'DE00 0000 0000 0000 0000 00' }, {}, 'bank_field_invalid iban'],
    [
      'an IBAN with two digits swapped',
      { account_number: 'DE89370400440532013600' },
      {},
      'bank_field_invalid account_number',
    ],
    [
      'the same, in a field of a type',
      { ...full, account_number: 'GB82WEST12345698765423' },
      TYPES,
      'bank_field_invalid account_number',
    ],
    ['no types, and a type', { type: 'sepa', iban: 'x' }, {}, { type: 'sepa', iban: 'x' }],
    ['no types, a strange name', { 'I B': 'x' }, {}, 'bank_field_unknown I B'],
    ['nothing', {}, {}, 'bank_field_missing account_number'],
    [
      'fields set by the exchange',
      { iban: 'x', id: 'y', status: '3', message: 'z', verified: 'true' },
      {},
      { iban: 'x' },
    ],
    ['a field named like an outcome', { refusal: 'x', kind: 'y' }, {}, { refusal: 'x', kind: 'y' }],
    [
      'too many fields',
      Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`f${at}`, 'x'])),
      {},
      'bank_field_unknown f20',
    ],
  ];

for (const [what, given, types, found] of table) {
  test(`${what}: ${typeof found === 'string' ? found : 'accepted'}`, () => {
    const checked = bankFields(given, types);
    const isRefused = checked instanceof Refused;
    assert.deepEqual(isRefused ? `${checked.key} ${checked.details.name}` : checked, found);
  });
}
