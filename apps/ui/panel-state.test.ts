// Errors and lists map to the right panel state.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stateOfError, stateOfList } from './panel-state.ts';

const ERRORS: readonly [error: unknown, kind: string][] = [
  [{ status: 400, code: 12, message: 'no' }, 'refused'],
  [{ status: 401, message: 'no' }, 'forbidden'],
  [{ status: 403, message: 'no' }, 'forbidden'],
  [{ status: 504, message: 'late', isOutcomeUnknown: true }, 'unknown'],
  [{ status: 0, message: 'no response', isOutcomeUnknown: true }, 'unknown'],
  [new Error('broken'), 'refused'],
  [undefined, 'refused'],
];

test('an error is refused, forbidden or outcome unknown', () => {
  for (const [error, kind] of ERRORS) assert.equal(stateOfError(error).kind, kind);
});

test('a list is refused, loading, empty or ready', () => {
  const kinds = [
    { error: new Error('no'), data: undefined },
    { error: null, data: undefined },
    { error: null, data: [] },
    { error: null, data: [1] },
  ].map((query) => stateOfList(query, 'nothing').kind);
  assert.deepEqual(kinds, ['refused', 'loading', 'empty', 'ready']);
});
