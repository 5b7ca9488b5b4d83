// The client's generated files match the protocol.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { clientFiles } from './client-files.ts';
import { formatted } from './formatted.ts';
import { comment, merged, SchemaText, shapeOf } from './schema-text.ts';

const root = join(import.meta.dirname, '../..');

for (const [path, text] of clientFiles()) {
  test(`${path} is up to date`, () => {
    const stored = readFileSync(join(root, path), 'utf8');
    assert.equal(stored, formatted(path, text), 'run `npm run fix`');
  });
}

test('a schema becomes a type, generic only where it has decimals', () => {
  const texts = new SchemaText('answered');
  const inner = {
    type: 'object',
    title: 'Inner',
    required: ['size'],
    properties: { size: { type: 'number' }, resolution: { enum: ['D', 'W'] } },
  };
  const outer = {
    type: 'object',
    title: 'Outer',
    required: ['rows', 'level', 'fees'],
    properties: {
      rows: { type: 'array', items: inner },
      level: { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 },
      fees: { type: 'object', additionalProperties: { type: ['number', 'null'] } },
      plain: { type: 'object', title: 'Plain', properties: { resolution: { enum: ['D'] } } },
    },
  };
  assert.equal(texts.typeOf(outer), 'Outer<@decimal>');
  assert.deepEqual(texts.declarations, [
    "export interface Inner<D = string> {\nsize: D;\nresolution?: 'D' | 'W';\n}\n",
    'export interface Outer<D = string> {\nrows: Inner<D>[];\nlevel: [D, D];\n' +
      'fees: Record<string, D | null>;\nplain?: Plain;\n}\n',
    "export interface Plain {\nresolution?: 'D';\n}\n",
  ]);
  assert.deepEqual(shapeOf(outer), {
    rows: { '[]': { size: 1 } },
    level: { '[]': 1 },
    fees: { '*': 1 },
  });
});

test('a request field with a default is optional', () => {
  const texts = new SchemaText('sent');
  texts.declare('Query', {
    type: 'object',
    required: ['limit', 'ids'],
    properties: {
      limit: { type: 'integer', default: 50, description: 'How many.' },
      ids: { type: 'array', items: { type: 'string' }, description: 'Parted by commas.' },
    },
  });
  assert.deepEqual(texts.declarations, [
    'export interface Query {\n/** How many. */\nlimit?: number;\nids: string[];\n}\n',
  ]);
});

test('shapes of a union are merged, and contradictions are rejected', () => {
  assert.deepEqual(merged({ a: 1 }, { a: 1, b: { '[]': 1 } }), { a: 1, b: { '[]': 1 } });
  assert.throws(() => merged(1, { a: 1 }), /a decimal cannot be an object/);
});

test('a long comment is broken into lines', () => {
  const lines = comment('word '.repeat(40).trim()).split('\n');
  assert.equal(lines[0], '/**');
  assert.ok(lines.every((line) => line.length <= 98));
});
