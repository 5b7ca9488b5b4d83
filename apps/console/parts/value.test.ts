// Values as lines, and two states side by side.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesOf, textOf } from './value.ts';

test('values become one line', () => {
  const table: [unknown, string][] = [
    [null, '–'],
    ['', '–'],
    [0, '0'],
    [false, 'false'],
    ['0.10', '0.10'],
    [[], '–'],
    [[1, 2], '1, 2'],
    [{ a: 1, b: { c: 'x' } }, 'a: 1 · b: c: x'],
    [{ a: null, b: 0, c: { d: '' } }, 'b: 0'],
    [{ a: null }, '–'],
    [{}, '–'],
  ];
  for (const [value, text] of table) assert.equal(textOf(value), text);
});

test('changed fields come first, and none is lost', () => {
  assert.deepEqual(changesOf({ name: 'a', fee: '0.1' }, { name: 'a', fee: '0.2', min: 1 }), [
    { field: 'fee', before: '0.1', after: '0.2', isChanged: true },
    { field: 'min', before: '–', after: '1', isChanged: true },
    { field: 'name', before: 'a', after: 'a', isChanged: false },
  ]);
  assert.deepEqual(changesOf(null, 'full'), [
    { field: 'value', before: '–', after: 'full', isChanged: true },
  ]);
});
