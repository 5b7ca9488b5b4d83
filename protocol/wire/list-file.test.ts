// The file variant accepts the list's parameters, and is a file unless another format is given.

import assert from 'node:assert/strict';
import test from 'node:test';
import { depositRoutes } from '../../features/payments/api/index.ts';
import { coerceQuery } from '../coerce-query.ts';

const { getDepositsOfUsers: list, getDepositsOfUsersFile: file } = depositRoutes;

test('a file has the path of its list with /csv, its permission and its filters', () => {
  assert.equal(file.path, '/v2/admin/deposits/csv');
  assert.deepEqual(file.permission, list.permission);
  assert.deepEqual(Object.keys(file.query.properties), Object.keys(list.query.properties));
});

const formats: [raw: Record<string, string>, ofList: string | undefined, ofFile: string][] = [
  [{}, undefined, 'csv'],
  [{ format: 'csv' }, 'csv', 'csv'],
  [{ format: 'all' }, 'all', 'all'],
];
for (const [raw, ofList, ofFile] of formats) {
  test(`${JSON.stringify(raw)}: the list answers ${ofList}, the file ${ofFile}`, () => {
    const formatOf = (route: typeof list | typeof file) => {
      const read = coerceQuery(route.query, raw);
      return read.ok ? read.value.format : read.detail;
    };
    assert.deepEqual([formatOf(list), formatOf(file)], [ofList, ofFile]);
  });
}
