// A dropped refusal is found by function name, through aliases, doors and callbacks.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkDroppedRefusals } from './dropped-refusals.ts';
import { sourceFile } from './source-file.ts';

const RULES = `import { Refused } from '../../protocol/wire/index.ts';

export type Changed =
  | { readonly kind: 'changed'; readonly id: number }
  | Refused<'gone'>;

export async function change(connection: Connection): Promise<Changed> {
  return new Refused('gone');
}

export function inferred(connection: Connection) {
  return inTransaction(connection, () => change(connection));
}

export async function lock(refused: Refused): Promise<void> {
  await inTransaction(connection, () => lock(refused));
}
`;

function linesOf(code: string): number[] {
  return checkDroppedRefusals([
    sourceFile('features/payments/rules.ts', RULES),
    sourceFile(
      'features/staking/stakes.ts',
      `import { change, inferred, lock } from '../payments/index.ts';\n\n${code}\n`,
    ),
  ]).map(({ line, path }) => {
    assert.equal(path, 'features/staking/stakes.ts');
    return line - 2;
  });
}

test('dropped refusals: a call used as a statement is reported', () => {
  const dropped = [
    'await change(one);',
    'change(one);',
    'void change(one);',
    'await inferred(one);',
    'if (isOpen(one)) await change(one);',
    'else await change(one);',
    'await withConnection(pool, (one) => change(one));',
    'await inTransaction(one, async () => {\n  return change(one);\n});',
    "await inTransaction(one, () => new Refused('gone'));",
  ];
  for (const code of dropped) assert.deepEqual(linesOf(`;\n${code}`), [2], code);
});

test('dropped refusals: a used result, and one dropped on purpose, are not reported', () => {
  const used = [
    'const changed = await change(one);',
    'const changed =\n  await change(one);',
    'changed = isOpen ? undefined : change(one);',
    'return change(one);',
    'run(() =>\n  change(one),\n);',
    'void (await change(one));',
    'await lock(one);',
    'await withConnection(pool, (one) => lock(one));',
  ];
  for (const code of used) assert.deepEqual(linesOf(`;\n${code}`), [], code);
});

test('dropped refusals: another function with the same name is not reported', () => {
  const other = sourceFile('features/staking/a.ts', 'function change() {}\n\nchange();\n');
  const rules = sourceFile('features/payments/rules.ts', RULES);
  assert.deepEqual(checkDroppedRefusals([rules, other]), []);
});
