// Fields of bank accounts follow the operator's definition, read with care.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bankKinds, bankName } from './bank-fields.ts';

test('without a definition three usual fields are asked for', () => {
  const [{ fields, type }] = bankKinds({});
  assert.equal(type, '');
  assert.deepEqual(
    fields.map(({ isRequired, key }) => [key, isRequired]),
    [
      ['bank_name', true],
      ['account_name', true],
      ['account_number', true],
    ],
  );
});

test("the operator's kinds and fields are asked for; anything else is left out", () => {
  const data = [
    { key: 'iban', label: 'IBAN', required: true },
    { key: 'bic' },
    { label: 'x' },
    null,
  ];
  assert.deepEqual(bankKinds({ sepa: { data }, odd: 1 }), [
    {
      type: 'sepa',
      fields: [
        { key: 'iban', label: 'IBAN', isRequired: true },
        { key: 'bic', label: 'bic', isRequired: false },
      ],
    },
    { type: 'odd', fields: [] },
  ]);
});

test('an account is named by its texts, without those of the exchange', () => {
  const bank = { id: 'ab', status: 3, type: 'sepa', message: 'no', iban: 'DE1', bic: '' };
  assert.equal(bankName(bank), 'DE1');
});
