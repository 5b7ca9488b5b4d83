// The scanner under every rule: blanked parts, kept parts, and difficult cases.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripSource } from './strip-source.ts';

const cases: { name: string; source: string; code: string }[] = [
  { name: 'line comment', source: 'a; // Date\nb', code: 'a;        \nb' },
  { name: 'block comment', source: 'a /* x\ny */ b', code: 'a     \n     b' },
  { name: 'string', source: "x = 'it\\'s' + y", code: "x = '     ' + y" },
  { name: 'comment marks inside a string', source: "u = 'http://x'; z", code: "u = '        '; z" },
  { name: 'template', source: 'x = `a${b}c` + d', code: 'x = ` ${b} ` + d' },
  {
    name: 'nested template',
    source: '`a${f({ k: `b${c}` })}d`;e',
    code: '` ${f({ k: ` ${c}` })} `;e',
  },
  { name: 'regex with a quote', source: "r = /['/]/g; x", code: 'r = /    /g; x' },
  { name: 'regex after return', source: 'return /a"b/.test(x)', code: 'return /   /.test(x)' },
  { name: 'division is not a regex', source: 'a / b / c', code: 'a / b / c' },
  { name: 'division after a bracket', source: "(a) / 2 + 'x' / 3", code: "(a) / 2 + ' ' / 3" },
];

for (const { name, source, code } of cases) {
  test(`strip source: ${name}`, () => {
    assert.equal(stripSource(source).code, code);
  });
}

test('comments are kept at their offsets, and everything else is blanked', () => {
  const source = "a('// no'); // yes\n/* also */ b";
  const { comments } = stripSource(source);
  assert.equal(comments.length, source.length);
  assert.equal(comments.indexOf('// yes'), source.indexOf('// yes'));
  assert.equal(comments.replace(/\s+/g, ' ').trim(), '// yes /* also */');
});

test('unterminated literals end with the text', () => {
  for (const source of ["'abc\\", '`abc${', '/* abc', 'x = /abc', '"abc\nnext']) {
    const { code, comments } = stripSource(source);
    assert.equal(code.length, source.length);
    assert.equal(comments.length, source.length);
  }
});
