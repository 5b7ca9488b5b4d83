// Queries are converted to the types in their schema, or rejected with the texts that clients
// expect.

import assert from 'node:assert/strict';
import test from 'node:test';
import { coerceQuery, type RawQuery } from './coerce-query.ts';
import { routes } from './routes.ts';
import { BooleanIn, DecimalIn, FormatIn, listIn, Type } from './wire/index.ts';

const schema = Type.Object({
  symbol: Type.String(),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50, clamped: true }),
  id: Type.Optional(Type.Integer({ minimum: 1 })),
  open: Type.Optional(BooleanIn),
  amount: Type.Optional(DecimalIn),
  format: FormatIn,
  assets: Type.Optional(listIn(Type.String(), { itemsMax: 3 })),
  numbers: Type.Optional(listIn(Type.Integer(), { itemsMax: 3 })),
});

const taken: [sentence: string, raw: RawQuery, more: object][] = [
  ['a missing value has its default or is absent', {}, {}],
  ['an empty value is omitted', { limit: '', open: '' }, {}],
  ['a number within its limits is unchanged', { limit: '7' }, { limit: 7 }],
  ['a clamped number above the maximum is the maximum', { limit: '1000' }, { limit: 100 }],
  ['a clamped number below the minimum is the minimum', { limit: '-5' }, { limit: 1 }],
  ['other numbers out of range are left to the validation', { id: '0' }, { id: 0 }],
  ['minus zero is zero', { id: '-0' }, { id: 0 }],
  ['booleans can have any case', { open: 'True' }, { open: true }],
  ['booleans can be false', { open: 'FALSE' }, { open: false }],
  ['a decimal stays a text', { amount: '0.10' }, { amount: '0.10' }],
  ['a list is separated by commas', { assets: 'btc,eth' }, { assets: ['btc', 'eth'] }],
  ['empty list entries are ignored', { assets: ',btc,,' }, { assets: ['btc'] }],
  ['list entries have types', { numbers: '1,2' }, { numbers: [1, 2] }],
  [
    'the name of a list can be repeated',
    { assets: ['btc', 'eth,usdt'] },
    { assets: ['btc', 'eth', 'usdt'] },
  ],
  ['a list can have brackets', { 'assets[]': ['btc', 'eth'] }, { assets: ['btc', 'eth'] }],
  ['brackets with one entry are a list', { 'assets[]': 'btc' }, { assets: ['btc'] }],
  ['an unknown format of a list is ignored', { format: 'pdf' }, {}],
  ['a known format of a list counts', { format: 'all' }, { format: 'all' }],
  ['unknown keys are ignored', { 'opts.id': '3', foo: ['1', '2'] }, {}],
];

for (const [sentence, raw, more] of taken) {
  test(sentence, () => {
    const read = coerceQuery(schema, { symbol: 'btc-usdt', ...raw });
    assert.deepEqual(read, { ok: true, value: { symbol: 'btc-usdt', limit: 50, ...more } });
  });
}

test('a prefix names the same parameters, and the plain name wins', () => {
  const raw = { 'opts.symbol': 'btc-usdt', 'opts.limit': '7', 'opts.id': '3', id: '4' };
  assert.deepEqual(coerceQuery(schema, raw, 'opts.'), {
    ok: true,
    value: { symbol: 'btc-usdt', limit: 7, id: 4 },
  });
  const invalid = coerceQuery(schema, { ...raw, 'opts.open': 'maybe' }, 'opts.');
  assert.deepEqual(invalid, { ok: false, detail: 'Parameter (open) is not a valid boolean' });
});

const refused: [raw: RawQuery, detail: string][] = [
  [{ symbol: undefined }, 'Parameter (symbol) is required'],
  [{ symbol: '' }, 'Parameter (symbol) is required'],
  [{ limit: 'abc' }, 'Parameter (limit) is not a valid integer'],
  [{ limit: '1.5' }, 'Parameter (limit) is not a valid integer'],
  [{ limit: '1e3' }, 'Parameter (limit) is not a valid integer'],
  [{ limit: ' 1' }, 'Parameter (limit) is not a valid integer'],
  [{ limit: '+1' }, 'Parameter (limit) is not a valid integer'],
  [{ limit: '99999999999999999999' }, 'Parameter (limit) is not a valid integer'],
  [{ limit: ['1', '2'] }, 'Parameter (limit) must not be given more than once'],
  [{ limit: ['1', '1'] }, 'Parameter (limit) must not be given more than once'],
  [{ open: '1' }, 'Parameter (open) is not a valid boolean'],
  [{ open: 'yes' }, 'Parameter (open) is not a valid boolean'],
  [{ numbers: '1,x' }, 'Parameter (numbers) is not a valid integer'],
];

for (const [raw, detail] of refused) {
  test(`${JSON.stringify(raw)} is rejected: ${detail}`, () => {
    assert.deepEqual(coerceQuery(schema, { symbol: 'btc-usdt', ...raw }), { ok: false, detail });
  });
}

test('a prototype key is not a query key', () => {
  const raw = JSON.parse('{"symbol":"x","__proto__":{"limit":"7"}}') as RawQuery;
  const read = coerceQuery(schema, raw);
  assert.deepEqual(read, { ok: true, value: { symbol: 'x', limit: 50 } });
  const inherited = coerceQuery(schema, Object.create({ symbol: 'x' }) as RawQuery);
  assert.equal(inherited.ok, false);
});

test('API lists have pages of 50, at most 100', () => {
  const read = coerceQuery(routes.getOrders.query, { limit: '500', open: 'true' });
  assert.deepEqual(read, { ok: true, value: { limit: 100, page: 1, open: true } });
});
