// Ids decode to their numbers and sort like them; every other text is rejected.

import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import type { OrderNumber } from '../money/index.ts';
import { orderIdText, parseOrderId } from './order-ids.ts';

const anyNumber = fc.maxSafeNat().map((number) => Math.max(1, number));

test('an ID has the documented layout', () => {
  assert.equal(orderIdText(1 as OrderNumber), '00000000-0000-8101-8000-000000000000');
  assert.equal(orderIdText(0x123456 as OrderNumber), '00000000-1234-8156-8000-000000000000');
  const largest = Number.MAX_SAFE_INTEGER as OrderNumber;
  assert.equal(orderIdText(largest), '1fffffff-ffff-81ff-8000-000000000000');
});

test('an id decodes to its number, and another kind to none', () => {
  fc.assert(
    fc.property(anyNumber, (number) => {
      const order = orderIdText(number as OrderNumber);
      assert.equal(parseOrderId(order), number);
      assert.equal(parseOrderId(`${order.slice(0, 15)}2${order.slice(16)}`), undefined);
    }),
  );
});

test('ids sort like their numbers', () => {
  fc.assert(
    fc.property(anyNumber, anyNumber, (a, b) => {
      const [idA, idB] = [orderIdText(a as OrderNumber), orderIdText(b as OrderNumber)];
      assert.equal(idA < idB, a < b);
    }),
  );
});

test('any other text is rejected', () => {
  const refused = [
    '',
    '1',
    '00000000-0000-8100-8000-000000000000',
    '20000000-0000-8100-8000-000000000000',
    'ffffffff-ffff-81ff-8000-000000000000',
    '00000000-0000-8101-8000-000000000001',
    '00000000-0000-8101-9000-000000000000',
    '00000000-0000-4101-8000-000000000000',
    '00000000-0000-8301-8000-000000000000',
    '0000000A-0000-8101-8000-000000000000',
    '00000000-0000-8101-8000-000000000000\n',
    ' 00000000-0000-8101-8000-000000000000',
    '00000000000081018000000000000000',
  ];
  for (const text of refused) assert.equal(parseOrderId(text), undefined, text);
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.uuid()), (text) => {
      const order = parseOrderId(text);
      assert.ok(order === undefined || orderIdText(order) === text);
    }),
  );
});
