// Point in time of the ledger, and the selection of postings.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asOfOf, asOfQuery, finality, postingsQuery } from './as-of.ts';

test('a text means now, a frame or a time', () => {
  const table: [string | undefined, object][] = [
    [undefined, {}],
    ['', {}],
    ['81723', { as_of: '81723' }],
    ['2026-12-31T23:59:59.999Z', { as_of: '2026-12-31T23:59:59.999Z' }],
    ['2027-01-01', { as_of: '2027-01-01T00:00:00.000Z' }],
    ['yesterday', {}],
  ];
  for (const [text, query] of table) assert.deepEqual(asOfQuery(asOfOf(text)), query);
});

test('the current state is never final', () => {
  const position = { frame: 9, at: '2026-11-17T12:00:00.000Z', is_final: true };
  assert.equal(finality(position, { kind: 'now' }), 'moving');
  assert.equal(finality(position, { kind: 'frame', frame: 9 }), 'final');
  assert.equal(finality({ ...position, is_final: false }, { kind: 'frame', frame: 9 }), 'moving');
});

test('postings are selected by account, command or frame', () => {
  assert.deepEqual(postingsQuery('user', '17'), { user_id: 17 });
  assert.deepEqual(postingsQuery('command', '81723'), { command: 81_723 });
  assert.deepEqual(postingsQuery('frame', '5'), { frame: 5 });
  assert.deepEqual(postingsQuery('fees', ''), { account: 'fees' });
  assert.equal(postingsQuery('user', ''), undefined);
  assert.equal(postingsQuery('user', '1; drop'), undefined);
});
