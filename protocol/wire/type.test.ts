// The schemas are identical to typebox's, in the same order.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type as Typebox } from 'typebox';
import { noteOf, sample } from './field-note.ts';
import { Type } from './type.ts';

type Builder = typeof Type;

const samples: Readonly<Record<string, (type: Builder) => unknown>> = {
  Array: (type) => type.Array(type.String(), { maxItems: 3 }),
  Boolean: (type) => type.Boolean({ description: 'b' }),
  Integer: (type) => type.Integer({ minimum: 1 }),
  Literal: (type) => [type.Literal('a', { title: 'A' }), type.Literal(7), type.Literal(true)],
  Null: (type) => type.Null(),
  Object: (type) => [
    type.Object({}),
    type.Object({ one: type.String(), two: type.Null() }, { additionalProperties: false }),
  ],
  Optional: (type) => [
    type.Object({ one: type.Optional(type.String({ maxLength: 2 })), two: type.Integer() }),
    type.Object({ one: type.Optional(type.String()) }),
    // A copy with another description is required again.
    type.Object({ one: { ...type.Optional(type.String()), description: 'copied' } }),
  ],
  Partial: (type) =>
    type.Partial(type.Object({ one: type.String(), two: type.Object({ three: type.Null() }) }), {
      title: 'Part',
    }),
  String: (type) => type.String({ pattern: '^a' }),
  Tuple: (type) => type.Tuple([type.String(), type.Integer()], { description: 'pair' }),
  Union: (type) => type.Union([type.Null(), type.String()], { description: 'text or null' }),
  Unknown: (type) => [type.Unknown(), type.Unknown({ description: 'anything' })],
  Unsafe: (type) => [
    type.Unsafe<number | null>({ type: ['integer', 'null'] }),
    type.Object({ one: type.Unsafe<string>(type.Optional(type.String())) }),
  ],
};

test('every function has a sample', () => {
  assert.deepEqual(Object.keys(samples).sort(), Object.keys(Type).sort());
});

for (const [name, make] of Object.entries(samples)) {
  test(`Type.${name} builds what typebox builds`, () => {
    assert.equal(JSON.stringify(make(Type)), JSON.stringify(make(Typebox)));
  });
}

test('an optional field keeps its note, and its original schema stays required', () => {
  const schema = sample(Type.String(), 'a');
  const optional = Type.Optional(schema);
  assert.deepEqual(noteOf(optional), { examples: ['a'] });
  assert.deepEqual(Type.Object({ optional, schema }).required, ['schema']);
});
