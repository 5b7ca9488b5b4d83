// Values as lines of text, and two states side by side.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesOf, textOf } from './value.ts';

test('values become one line', () => {
  const table: [unknown, string][] = [
    [null, '–'],
    ['', '–'],
    [0, '0'],
    [false, 'False'],
    ['0.10', '0.10'],
    [[], '–'],
    [[1, 2], '1, 2'],
    [{ a: 1, b: { c: 'x' } }, 'A 1 · B C x'],
    [{ a: null, b: 0, c: { d: '' } }, 'B 0'],
    [{ a: null }, '–'],
    [{}, '–'],
    [{ kind: 'mint', currency: 'eur', user_id: 5 }, 'Kind Mint · Currency EUR · User ID 5'],
    [
      { reason: 'password_changed', symbol: 'btc-usdt' },
      'Reason Password changed · Symbol BTC/USDT',
    ],
    [{ name: 'my_bot@x.org', note: 'mint' }, 'Name my_bot@x.org · Note mint'],
  ];
  for (const [value, text] of table) assert.equal(textOf(value), text);
});

test('changed fields come first, and none is dropped', () => {
  assert.deepEqual(changesOf({ name: 'a', fee: '0.1' }, { name: 'a', fee: '0.2', min: 1 }), [
    { field: 'fee', label: 'Fee', before: '0.1', after: '0.2', isChanged: true },
    { field: 'min', label: 'Min', before: '–', after: '1', isChanged: true },
    { field: 'name', label: 'Name', before: 'a', after: 'a', isChanged: false },
  ]);
  assert.deepEqual(changesOf(null, 'full'), [
    { field: 'value', label: 'Value', before: '–', after: 'full', isChanged: true },
  ]);
});
