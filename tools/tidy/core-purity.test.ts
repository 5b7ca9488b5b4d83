// The rule reports everything that would make the core impure, and accepts similar harmless code.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkCorePurity } from './core-purity.ts';
import { sourceFile } from './source-file.ts';

const impure = [
  'const now = Date.now();',
  'const now = performance.now();',
  'const luck = Math.random();',
  'const id = crypto.randomUUID();',
  'const mode = process.env.MODE;',
  'const all = globalThis;',
  'console.log(1);',
  'fetch(url);',
  'setTimeout(f, 1);',
  'setInterval(f, 1);',
  'setImmediate(f);',
  'queueMicrotask(f);',
  'async function f() {}',
  'const x = await y;',
  'type T = Promise<void>;',
  'const weak = new WeakRef(x);',
  'new Intl.NumberFormat();',
  'x.toLocaleString();',
  'a.localeCompare(b);',
  'parseFloat(text);',
  'Number.parseFloat(text);',
  'Math.pow(2, 3);',
  'Math.sqrt(2);',
  'Math.round(x);',
  'Math.minimal(x);',
];

const fractions = ['const half = 0.5;', 'const half = .5;', 'const tiny = 1e-8;', 'x.toFixed(2);'];

const innocent = [
  '// Date.now() is only mentioned',
  "const text = 'Math.random()';",
  'const frameDate = frame.Date;',
  'const lower = Math.min(a, b);',
  'const range = rows[0].length;',
  'const big = 1_000_000n * 5n;',
  'const copy = { ...a, ...b };',
  'const cap = 2 ** 53;',
  'const version = x1.5;',
];

const inCore = (text: string, path = 'core/ledger/x.ts') =>
  checkCorePurity([sourceFile(path, text)]);

for (const text of [...impure, ...fractions]) {
  test(`core purity: catches ${text}`, () => {
    assert.equal(inCore(text).length, 1);
  });
}

for (const text of innocent) {
  test(`core purity: accepts ${text}`, () => {
    assert.deepEqual(inCore(text), []);
  });
}

test('core purity: fractions are reported only in packages that count money', () => {
  assert.deepEqual(inCore('const load = 0.75;', 'core/structures/table.ts'), []);
  assert.equal(inCore('const fee = 0.75;', 'core/engine/fee.ts').length, 1);
});

test('core purity: tests, benches and code outside the core are exempt', () => {
  for (const path of ['core/ledger/x.test.ts', 'core/ledger/x.bench.ts', 'infra/process/x.ts']) {
    assert.deepEqual(inCore('const now = Date.now();', path), []);
  }
});
