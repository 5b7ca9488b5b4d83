// A dropped refusal is found by its type, through inferred results, methods, lists and callbacks.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkDroppedRefusals } from './dropped-refusals.ts';

const RULES = `export class Refused<Key extends string = string> {
  constructor(readonly key: Key) {}
}
export type Changed = { readonly id: number } | Refused<'gone'>;
export declare function change(id: number): Promise<Changed>;
export declare function inTransaction<T>(action: () => Promise<T>): Promise<T>;
export const inferred = () => inTransaction(() => change(1));
export declare function lock(refused?: Refused): Promise<void>;
export class Rules {
  change = (): Refused<'gone'> | undefined => undefined;
}
`;

const DROPPED = [
  'await change(1);',
  'change(1);',
  'void change(1);',
  'await inferred();',
  'if (open) await change(1);',
  'open && (await change(1));',
  'rules.change();',
  'await inTransaction(() => change(1));',
  'await Promise.all([1, 2].map(change));',
];

const USED = [
  'const changed = await change(1);',
  'last = await change(1);',
  'last ??= await change(1);',
  'void (await change(1));',
  'await lock(new Refused("gone"));',
  'lock();',
];

const PREPARED = `import { Refused, change, inferred, inTransaction, lock } from './rules.ts';
import type { Rules } from './rules.ts';
declare const rules: Rules;
declare const open: boolean;
declare let last: unknown;
`;

function reported(statements: readonly string[]): string[] {
  const root = mkdtempSync(join(tmpdir(), 'rialto-tidy-'));
  try {
    mkdirSync(join(root, 'features'));
    const options = { strict: true, target: 'esnext', module: 'nodenext', types: [] };
    const compilerOptions = { ...options, allowImportingTsExtensions: true, noEmit: true };
    const config = { compilerOptions, include: ['**/*.ts'] };
    writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(root, 'tsconfig.json'), JSON.stringify(config));
    writeFileSync(join(root, 'features/rules.ts'), RULES);
    writeFileSync(join(root, 'features/caller.ts'), PREPARED + statements.join('\n'));
    writeFileSync(join(root, 'features/other.ts'), `${PREPARED}change(1);`);
    const first = PREPARED.split('\n').length;
    const isChecked = (path: string) => path === 'features/caller.ts';
    return checkDroppedRefusals(root, isChecked).map(({ line }) => statements[line - first]);
  } finally {
    rmSync(root, { recursive: true });
  }
}

test('dropped refusals: statements whose value can be a refusal are reported', () => {
  assert.deepEqual(reported(DROPPED), DROPPED);
});

test('dropped refusals: used results, and one dropped on purpose, are not reported', () => {
  assert.deepEqual(reported(USED), []);
});
