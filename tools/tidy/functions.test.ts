// Functions are found with their names and full bodies, whatever their signatures contain.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFunctions } from './functions.ts';

const spans = (code: string) =>
  findFunctions(code).map(({ name, start, end }) => [name, code.slice(start, end + 1).trim()]);

const whole = [
  ['plain', 'function plain() { if (a) { b(); } }'],
  ['typed', 'function typed(a: { b: number }, c = {}): { d: number } { return c; }'],
  ['generic', 'function generic<T extends object>(a: T): Map<string, T> { return a; }'],
  ['union', 'function union(): { a: 1 } | { b: 2 } { return x; }'],
  ['called', 'function called(): () => { a: 1 } { return x; }'],
  ['each', 'function* each() { yield 1; }'],
];

for (const [name, source] of whole) {
  test(`functions: ${source}`, () => {
    assert.deepEqual(spans(source)[0], [name, source]);
  });
}

test('functions: methods are found, calls and statements are not', () => {
  const code = 'class A {\n  run(): void {\n    if (a) {\n      go(b);\n    }\n  }\n}\n';
  assert.deepEqual(spans(code), [['run', 'run(): void {\n    if (a) {\n      go(b);\n    }\n  }']]);
});

test('functions: arrows with a body are found, overloads without one are not', () => {
  assert.deepEqual(spans('const f = (a: number) => { return a; };')[0]?.[0], 'f');
  assert.deepEqual(spans('go(() => { x(); });')[0]?.[0], 'arrow function');
  assert.deepEqual(spans('function only(a: number): void;\n'), []);
});
