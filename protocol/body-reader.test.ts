// Body parsing keeps decimals as written and rejects ambiguous bodies.

import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { BODY_CHARACTERS_MAX, BODY_DEPTH_MAX, readBody } from './body-reader.ts';

const numbers: [source: string, value: number | string][] = [
  ['0', 0],
  ['-1', -1],
  ['12', 12],
  ['9007199254740991', 9_007_199_254_740_991],
  ['9007199254740992', '9007199254740992'],
  ['-0', '-0'],
  ['1.0', '1.0'],
  ['0.1', '0.1'],
  ['0.30000000000000004', '0.30000000000000004'],
  ['1e3', '1e3'],
  ['1E-8', '1E-8'],
  ['123456789012345678901234567890.123456789', '123456789012345678901234567890.123456789'],
  ['1e400', '1e400'],
];

for (const [source, value] of numbers) {
  test(`${source} is read as ${typeof value === 'number' ? 'a number' : 'its text'}`, () => {
    assert.deepEqual(readBody(`{"size": ${source}, "list":[${source}]}`), {
      ok: true,
      value: { size: value, list: [value] },
    });
  });
}

test('all values except numbers are parsed unchanged', () => {
  const value = { text: '1.5', flag: true, none: null, empty: {}, list: [], deep: [{ a: 'b,{"' }] };
  assert.deepEqual(readBody(JSON.stringify(value, null, 2)), { ok: true, value });
});

const refusals: [text: string, detail: string][] = [
  ['', 'it cannot be parsed'],
  ['{"a":1', 'it cannot be parsed'],
  ['{"a":01}', 'it cannot be parsed'],
  ['{"a":NaN}', 'it cannot be parsed'],
  ['{"a":1}{"b":2}', 'it cannot be parsed'],
  // Numbers kept as text must not be accepted where only text is allowed.
  ['{1.5:2}', 'it cannot be parsed'],
  ['{"a":1,-0 \n:2}', 'it cannot be parsed'],
  ['{"a":1.5.5}', 'it cannot be parsed'],
  ['{"a":1.}', 'it cannot be parsed'],
  ['{"a":+1.5}', 'it cannot be parsed'],
  ['{"a":1.5"b"}', 'it cannot be parsed'],
  ['{"a":"', 'it cannot be parsed'],
  ['{"a":"\\', 'it cannot be parsed'],
  ['{"size":1,"size":2}', 'it has the same key twice'],
  ['{"size":1,"size":1}', 'it has the same key twice'],
  ['{"size":1,"\\u0073ize":2}', 'it has the same key twice'],
  ['{"a":{"b":1,"b":[]}}', 'it has the same key twice'],
  ['{"a":{"x":1,"y":2},"a":3}', 'it has the same key twice'],
  ['{"a":[{"b":1},{"b":2,"b":3}]}', 'it has the same key twice'],
  ['{"__proto__":{"isAdmin":true}}', 'it has a key __proto__'],
  ['{"meta":{"\\u005f_proto__":1}}', 'it has a key __proto__'],
];

for (const [text, detail] of refusals) {
  test(`${text === '' ? 'nothing' : text} is rejected: ${detail}`, () => {
    assert.deepEqual(readBody(text), { ok: false, detail });
  });
}

test('a body can be as deep as the limit and not one level deeper', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  assert.equal(readBody(nested(BODY_DEPTH_MAX)).ok, true);
  assert.deepEqual(readBody(nested(BODY_DEPTH_MAX + 1)), {
    ok: false,
    detail: 'it is nested too deeply',
  });
  assert.equal(readBody('{"a":'.repeat(40_000)).ok, false);
});

test('a body can be as long as the limit and not one character longer', () => {
  const long = (length: number) => `"${'a'.repeat(length - 2)}"`;
  assert.equal(readBody(long(BODY_CHARACTERS_MAX)).ok, true);
  assert.deepEqual(readBody(long(BODY_CHARACTERS_MAX + 1)), {
    ok: false,
    detail: 'it is too long',
  });
});

test('for any value: serialized JSON parses to the same value, with fractions as texts', () => {
  const keys = fc.string().filter((key) => key !== '__proto__');
  const values = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      fc.string(),
      fc.boolean(),
      fc.constant(null),
      fc.integer(),
      fc.array(tie('any'), { maxLength: 4 }),
      fc.dictionary(keys, tie('any'), { maxKeys: 4 }),
    ),
  })).any;
  fc.assert(
    fc.property(values, fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      const read = readBody(text);
      assert.equal(read.ok, true);
      assert.equal(JSON.stringify(read.ok && read.value), JSON.stringify(value));
    }),
  );
});

test('for any text: it is accepted only if JSON.parse accepts it', () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
      const read = readBody(text);
      let parses = true;
      try {
        JSON.parse(text);
      } catch {
        parses = false;
      }
      if (read.ok) assert.equal(parses, true);
      else if (read.detail === 'it cannot be parsed') assert.equal(parses, false);
    }),
  );
});

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;
// TypeScript's library types lack the third parameter of a reviver.
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown;

/** Slow and obvious: the parser itself reports the source of each number. */
function readByParser(text: string): { value: unknown } | undefined {
  try {
    const value = parse(text, (_key, entry, { source }) => {
      if (typeof entry !== 'number' || source === undefined) return entry;
      const isWhole = /^-?\d+$/.test(source) && source !== '-0';
      return isWhole && Number.isSafeInteger(entry) ? entry : source;
    });
    return { value };
  } catch {
    return undefined;
  }
}

test('for any tokens: numbers become the source text that the parser reports', () => {
  const words = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    ' ',
    '\n',
    '"a"',
    '"b":',
    '"1.5"',
    '"\\"',
    '"',
    'true',
    'e',
    '1',
    '-1',
    '-0',
    '0.50',
    '01',
    '1e5',
    '1E-7',
    '-',
    '.',
    '+',
    '9007199254740993',
    '\u00a0',
  );
  const rows = fc.oneof(
    fc.array(words, { maxLength: 12 }).map((list) => list.join('')),
    fc.array(words, { maxLength: 6 }).map((list) => `{"a":[${list.join('')}],"b":-2.50}`),
    fc.tuple(words, words).map(([key, value]) => `{${key}:${value}}`),
  );
  let good = 0;
  fc.assert(
    fc.property(rows, (text) => {
      const read = readBody(text);
      const expected = readByParser(text);
      if (read.ok) {
        good += 1;
        assert.deepEqual(read.value, expected?.value);
      } else {
        assert.equal(expected === undefined, read.detail === 'it cannot be parsed', text);
      }
    }),
    { numRuns: 5_000 },
  );
  assert.ok(good > 100, `${good} of them are JSON`);
});
