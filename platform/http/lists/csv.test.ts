// Files of comma separated values: digits, quotes, and texts that must not become formulas.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { csvCells, csvLine, csvNames } from './csv.ts';

const cells: [what: string, json: string, cell: string][] = [
  ['small numbers keep their digits', '0.00000001', '0.00000001'],
  ['so do large ones', '12345678901234567890.5', '12345678901234567890.5'],
  ['a negative number is one', '-5', '-5'],
  ['null is nothing', 'null', ''],
  ['booleans', 'true', 'true'],
  ['a comma needs quotes', '"a,b"', '"a,b"'],
  ['quotes are doubled', '"say \\"hi\\""', '"say ""hi"""'],
  ['a line break needs quotes', '"a\\nb"', '"a\nb"'],
  ['nested values are JSON with all digits', '{"maker":0.0000001}', '"{""maker"":0.0000001}"'],
  ['a formula is made a text', '"=HYPERLINK(1)"', "'=HYPERLINK(1)"],
  ['also with another sign', '"+1+cmd"', "'+1+cmd"],
  ['also an at', '"@SUM(A1)"', "'@SUM(A1)"],
  ['also behind a tab', '"\\t=1"', "'\t=1"],
  ['a text that is a number stays one', '"-12.5"', '-12.5'],
  ['a formula with a comma has both', '"=A1,B1"', '"\'=A1,B1"'],
];

for (const [what, json, cell] of cells) {
  test(`a cell: ${what}`, () => {
    assert.equal(csvLine(csvCells(`{"x":${json}}`, ['x'])), `${cell}\r\n`);
  });
}

test('a file has the names of its first row in order, then optional names', () => {
  const first = '{"side":"buy","size":1.50,"fee_coin":"btc"}';
  assert.deepEqual(csvNames(first), ['side', 'size', 'fee_coin']);
  assert.deepEqual(csvCells(first, csvNames(first)), ['buy', '1.50', 'btc']);
  assert.deepEqual(csvNames(first, ['size', 'note']), ['side', 'size', 'fee_coin', 'note']);
});

test('a value is in its column, whatever other names its row has or lacks', () => {
  const names = csvNames('{"id":1,"method":"market","status":"filled"}', ['close_reason']);
  const cells = csvCells('{"id":2,"status":"canceled","close_reason":"x"}', names);
  assert.deepEqual(names, ['id', 'method', 'status', 'close_reason']);
  assert.deepEqual(cells, ['2', '', 'canceled', 'x']);
  assert.deepEqual(csvCells('{}', ['constructor', 'id']), ['', '']);
});

test('a row is split the way JSON.parse reads it', () => {
  const row = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 6 });
  fc.assert(
    fc.property(row, (made) => {
      const json = JSON.stringify(made);
      const names = Object.keys(JSON.parse(json));
      const safe = (text: string) =>
        /^[=+\-@\t\r]/.test(text) && !/^-?\d+(?:\.\d+)?$/.test(text) ? `'${text}` : text;
      const expected = names.map((name) => {
        const value = made[name];
        if (value === null) return '';
        return safe(typeof value === 'string' ? value : JSON.stringify(value));
      });
      assert.deepEqual(csvNames(json).toSorted(), names.toSorted());
      assert.deepEqual(csvCells(json, names), expected);
    }),
  );
});
