// Tests that users' meta follows the keys of the kit.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refused } from '../../../protocol/wire/index.ts';
import { changeMeta } from './user-meta.ts';

const KEYS = {
  nick: { type: 'string', required: false },
  age: { type: 'number' },
  vip: { type: 'boolean' },
  since: { type: 'date-time' },
  tax: { type: 'string', required: true },
};

const CASES: readonly [string, object, { given: object; overwrite?: boolean }, unknown][] = [
  ['a value is added', { tax: 'a' }, { given: { nick: 'b' } }, { tax: 'a', nick: 'b' }],
  ['a value is replaced', { nick: 'a' }, { given: { nick: 'b' } }, { nick: 'b' }],
  ['null deletes', { nick: 'a', age: 3 }, { given: { nick: null } }, { age: 3 }],
  [
    'every type',
    {},
    { given: { age: 1.5, vip: false, since: '2026-11-15T10:00:00Z' } },
    { age: 1.5, vip: false, since: '2026-11-15T10:00:00Z' },
  ],
  [
    'overwrite replaces all',
    { nick: 'a', age: 3 },
    { given: { tax: 'c' }, overwrite: true },
    { tax: 'c' },
  ],
  [
    'overwrite requires required keys',
    { tax: 'c' },
    { given: { nick: 'a' }, overwrite: true },
    'meta_key_required tax',
  ],
  [
    'a required key cannot be removed',
    { tax: 'a' },
    { given: { tax: null } },
    'meta_key_required tax',
  ],
  ['an unknown key', {}, { given: { role: 'admin' } }, 'meta_key_unknown role'],
  [
    'a key that every object has',
    {},
    { given: JSON.parse('{"__proto__": "x"}') },
    'meta_key_unknown __proto__',
  ],
  ['a string for a number', {}, { given: { age: '3' } }, 'meta_value_invalid age'],
  ['a number for a string', {}, { given: { nick: 3 } }, 'meta_value_invalid nick'],
  ['a number for a boolean', {}, { given: { vip: 1 } }, 'meta_value_invalid vip'],
  ['not a date', {}, { given: { since: 'yesterday' } }, 'meta_value_invalid since'],
  ['a string that cannot be stored', {}, { given: { nick: 'a\u0000' } }, 'meta_value_invalid nick'],
  ['half a surrogate pair', {}, { given: { nick: '\ud800' } }, 'meta_value_invalid nick'],
  ['an object', {}, { given: { nick: {} } }, 'meta_value_invalid nick'],
];

for (const [name, present, { given, overwrite = false }, expected] of CASES) {
  test(`meta: ${name}`, () => {
    const answer = changeMeta(KEYS, { ...present }, { given: given as never, overwrite });
    const outcome = answer instanceof Refused ? `${answer.key} ${answer.details.name}` : answer;
    assert.deepEqual(outcome, expected);
  });
}
