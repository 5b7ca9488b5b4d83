// Bank account fields follow the operator's definition, which is validated.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bankKinds, bankName, exchangeBanks, operatorPages, supportLink } from './bank-fields.ts';

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

test("the exchange's accounts for a currency come from the kit; other data is ignored", () => {
  const line = (label: string, value: string) => ({ key: 'k', label, value });
  const onramp = {
    eur: {
      bank: { type: 'manual', data: [line('IBAN', 'DE02'), [line('BIC', 'X')], { key: 'no' }, 7] },
      broker: { type: 'plugin', data: 'name' },
    },
  };
  assert.deepEqual(exchangeBanks(onramp, 'eur'), [
    {
      name: 'bank',
      lines: [
        { label: 'IBAN', value: 'DE02' },
        { label: 'BIC', value: 'X' },
      ],
    },
  ]);
  assert.deepEqual(exchangeBanks(onramp, 'usd'), []);
  assert.deepEqual(exchangeBanks({ eur: null }, 'eur'), []);
});

test('a support link is a page or an email address, never a script', () => {
  assert.equal(supportLink({ helpdesk: 'https://help.example' }), 'https://help.example');
  assert.equal(supportLink({ contact: 'mailto:a@b.example' }), 'mailto:a@b.example');
  assert.equal(supportLink({ helpdesk: 'javascript:alert(1)' }), undefined);
  assert.equal(supportLink({}), undefined);
});

test("the operator's pages are linked in order, without other schemes", () => {
  const links = {
    privacy: 'https://exchange.example/privacy',
    terms: 'javascript:alert(1)',
    contact: 'mailto:a@b.example',
  };
  assert.deepEqual(operatorPages(links), [
    { page: 'support', link: 'mailto:a@b.example' },
    { page: 'privacy', link: 'https://exchange.example/privacy' },
  ]);
  assert.deepEqual(operatorPages({}), []);
});
