// Bank account fields follow the operator's definition, which is validated.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bankKinds, bankName } from './bank-fields.ts';

test('three default fields are requested without a definition', () => {
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

test("the operator's types and fields are requested, and anything else is ignored", () => {
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

test("an account's name consists of its texts, without those added by the exchange", () => {
  const bank = { id: 'ab', status: 3, type: 'sepa', message: 'no', iban: 'DE1', bic: '' };
  assert.equal(bankName(bank), 'DE1');
});
