// The partition of a row, and which faults are transient.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { isPassingFault, SchemaFault } from '../postgres/faults.ts';
import { monthOf, orderPartition } from './partitions.ts';

test('an order belongs to the partition of its number', () => {
  const places = [0, 1, 99, 100, 199, 200].map((number) => orderPartition(number, 100));
  assert.deepEqual(places, [0, 0, 0, 1, 1, 2]);
});

test('a month begins at midnight UTC on its first day', () => {
  const [last, first] = ['2023-12-31T23:59:59.999Z', '2024-01-01T00:00:00Z'].map(Date.parse);
  assert.deepEqual([monthOf(last), monthOf(first)], [2023 * 12 + 11, 2024 * 12]);
});

function answered(code: string): Error {
  return Object.assign(new pg.DatabaseError('it said no', 0, 'error'), { code });
}

const faults: [name: string, fault: unknown, passes: boolean][] = [
  ['a connection refused', Object.assign(new Error('no'), { code: 'ECONNREFUSED' }), true],
  ['a connection lost', new Error('Connection terminated unexpectedly'), true],
  ['a server that stops', answered('57P01'), true],
  ['a statement that took too long', answered('57014'), true],
  ['a deadlock', answered('40P01'), true],
  ['a full disk', answered('53100'), true],
  ['a row that already exists', answered('23505'), false],
  ['a missing table', answered('42P01'), false],
  ['a schema from another release', new SchemaFault('newer'), false],
  ['a bug', new TypeError('undefined is not a function'), false],
];
for (const [name, fault, passes] of faults) {
  test(`${name} is ${passes ? '' : 'not '}transient`, () => {
    assert.equal(isPassingFault(fault), passes);
  });
}
