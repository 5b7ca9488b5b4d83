// Tests that masks sent back by operators keep the stored values.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refused } from '../../protocol/wire/index.ts';
import { maskBank, maskDocument, unmaskFields, unmaskText } from './masked-values.ts';
import { maskEnding, maskName } from './masks.ts';

const REFUSED = new Refused('masked_value');

test('a mask sent back keeps the value', () => {
  assert.equal(unmaskText('•••67', '+41441234567', maskEnding), '+41441234567');
  assert.equal(unmaskText('M. E.', 'Mara Example', maskName), 'Mara Example');
  assert.equal(unmaskText('Mara Other', 'Mara Example', maskName), 'Mara Other');
  assert.equal(unmaskText('', 'Mara Example', maskName), '');
});

test('a mask of another value or without a value is rejected', () => {
  assert.deepEqual(unmaskText('•••99', '+41441234567', maskEnding), REFUSED);
  assert.deepEqual(unmaskText('•••', '', maskEnding), REFUSED);
  assert.deepEqual(unmaskFields({ iban: '•••57' }, {}, maskBank), REFUSED);
});

test('numbers, lists and objects in a payment detail are masked and kept', () => {
  const detail = { account: 123456789, bank_name: 'Bank', more: { a: 1 }, tags: ['x'], on: true };
  const seen = { account: '•••89', bank_name: 'Bank', more: null, tags: null, on: true };
  assert.deepEqual(maskBank(detail), seen);
  assert.deepEqual(unmaskFields(seen, detail, maskBank), detail);
});

test('a document shows its type and its status', () => {
  const document = { type: 'passport', status: 3, number: 'X123456', issued_date: '2020-01-01' };
  const seen = { type: 'passport', status: 3, number: '•••56', issued_date: null };
  assert.deepEqual(maskDocument(document), seen);
  assert.deepEqual(unmaskFields(seen, document, maskDocument), document);
});
