// Each kind of change finds its place inside the symbol, regardless of layout.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Change, withFault } from './fault.ts';

const SOURCE = `const LIMIT = 5;

/** Takes at most \`LIMIT\`: never limit + 1. */
function take(count: number): number {
  if (count > LIMIT) return LIMIT;
  if (count < 0 /* never */ && !isDebt(count)) {
    refuse('debt', count,);
  }
  return count;
}

class Queue {
  #size = 0;
  get size(): number {
    return this.#size;
  }
  push(): void {
    this.#size = this.#size + 1;
    const query = \`update queue set
      size = size + 1\`;
    send(query);
  }
}

const pick = { first: (row: Row) => row.id > 0, last: 'none' };
`;

function changed(place: string, change: Change): string[] {
  const fault = { name: 'a fault', file: 'source.ts', in: place, ...change };
  const before = SOURCE.split('\n');
  const after = withFault(SOURCE, fault).split('\n');
  return after.filter((line) => !before.includes(line)).map((line) => line.trim());
}

test('tokens are replaced or removed inside the symbol only', () => {
  assert.deepEqual(changed('take', { replace: ['>', '>='] }), [
    'if (count >= LIMIT) return LIMIT;',
  ]);
  assert.deepEqual(changed('Queue.push', { remove: '#size + 1' }), ['this.#size = this.;']);
});

test('layout, quotation marks, comments and trailing commas do not count', () => {
  const change = { replace: ['0&&! isDebt( count )', '0'] } as const;
  assert.deepEqual(changed('take', change), ['if (count < 0) {']);
  const call = { replace: ['refuse("debt", count)', 'noop()'] } as const;
  assert.deepEqual(changed('take', call), ['noop();']);
  const sql = { replace: ['set size = size + 1', 'set size = size'] } as const;
  assert.deepEqual(changed('Queue.push', sql), ['const query = `update queue set size = size`;']);
});

test('the statement around a quote is dropped, with its condition', () => {
  const without = (drop: string) =>
    withFault(SOURCE, { name: 'a fault', file: 'source.ts', in: 'take', drop });
  assert.doesNotMatch(without('> LIMIT'), /return LIMIT/);
  assert.match(without('refuse'), /isDebt\(count\)\) \{\n {2}\}/);
});

test('a condition becomes true or false', () => {
  assert.deepEqual(changed('take', { never: 'isDebt' }), ['if (false) {']);
  assert.deepEqual(changed('take', { always: '>' }), ['if (true) return LIMIT;']);
});

test('variables, fields, properties and functions get another value', () => {
  assert.deepEqual(changed('LIMIT', { value: '6' }), ['const LIMIT = 6;']);
  assert.deepEqual(changed('Queue.#size', { value: '1' }), ['#size = 1;']);
  assert.deepEqual(changed('Queue.size', { returns: '0' }), ['return 0;']);
  const picks = changed('pick.first', { returns: 'true' });
  assert.deepEqual(picks, ["const pick = { first: (row: Row) => true, last: 'none' };"]);
});

test('a fault that fits no place or several places is an error', () => {
  assert.throws(
    () => changed('give', { value: '1' }),
    /has no 'give'.*it has .*LIMIT, take, Queue/,
  );
  assert.throws(() => changed('take', { remove: 'count' }), /fits 6 places of 'take'/);
  assert.throws(() => changed('take', { remove: 'size' }), /fits 0 places of 'take'/);
  assert.throws(() => changed('take', { remove: '' }), /fits 0 places/);
  assert.throws(() => changed('take', { returns: '1' }), /fits 2 places/);
});
