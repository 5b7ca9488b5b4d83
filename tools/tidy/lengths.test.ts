// Each limit is tested at its edge, and an exception must be both sufficient and necessary.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkLengths, checkLengthsWith } from './lengths.ts';
import { sourceFile } from './source-file.ts';

const complaint = (text: string, path = 'core/ledger/x.ts') =>
  checkLengths([sourceFile(path, text)])[0]?.message;

test('lengths: a line can have 100 columns and no more', () => {
  assert.equal(complaint('x'.repeat(100)), undefined);
  assert.match(complaint('x'.repeat(101)) ?? '', /101 columns/);
  assert.equal(complaint('µ'.repeat(100)), undefined);
});

test('lengths: generated files and rows of scenario tables can be wider', () => {
  assert.equal(complaint('x'.repeat(101), 'protocol/routes.generated.ts'), undefined);
  const row = `  | ${'x'.repeat(101)} |`;
  assert.equal(complaint(row, 'testing/scenarios/basic.scenario.ts'), undefined);
  assert.match(complaint('x'.repeat(101), 'testing/scenarios/basic.scenario.ts') ?? '', /101/);
});

test('lengths: a file can have 600 lines and no more', () => {
  assert.equal(complaint('x\n'.repeat(600)), undefined);
  assert.match(complaint('x\n'.repeat(601)) ?? '', /has 601 lines/);
});

test('lengths: a function can have 80 lines and no more', () => {
  const body = (lines: number) => `function f() {\n${'x();\n'.repeat(lines - 2)}}\n`;
  assert.equal(complaint(body(80)), undefined);
  assert.match(complaint(body(81)) ?? '', /f has 81 lines/);
});

test('lengths: test callbacks are exempt, other arrows are not', () => {
  const long = `test('x', () => {\n${'x();\n'.repeat(80)}});\n`;
  assert.equal(complaint(long, 'core/ledger/x.test.ts'), undefined);
  assert.match(complaint(long) ?? '', /82 lines/);
});

test('lengths: an exception must be large enough and still needed', () => {
  const path = 'core/ledger/x.ts';
  const long = sourceFile(path, 'x\n'.repeat(610));
  const short = sourceFile(path, 'x\n');
  const granted = [{ path, linesMax: 620, reason: 'a table that is read as one' }];
  assert.deepEqual(checkLengthsWith(granted, [long]), []);
  assert.equal(checkLengthsWith([{ ...granted[0], linesMax: 605 }], [long]).length, 1);
  assert.match(checkLengthsWith(granted, [short])[0]?.message ?? '', /no longer needs/);
});
