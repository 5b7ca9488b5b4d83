// The list of sealed columns is complete, compared with the golden schema.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { SEALED_COLUMNS } from './sealed-columns.ts';

const GOLDEN = join(import.meta.dirname, '../../../platform/database/migrations/golden/schema.sql');

test('every table of the golden schema with a kek_id is rewrapped by a rotation', () => {
  const tables = readFileSync(GOLDEN, 'utf8').matchAll(/create table (\w+) \(\n(.*?)\n\)/gs);
  const sealed = [...tables].filter(
    ([, name, columns]) => name !== 'key_encryption_keys' && /^ {2}kek_id /m.test(columns),
  );
  assert.ok(sealed.length > 0);
  assert.deepEqual(
    SEALED_COLUMNS.map(({ table }) => table).toSorted(),
    sealed.map(([, name]) => name).toSorted(),
  );
  for (const [, name, columns] of sealed) {
    const { column, key, reads } = SEALED_COLUMNS.find(({ table }) => table === name)!;
    const names = key.map((part) => part.name);
    for (const wanted of [column, ...names, ...reads]) {
      assert.match(columns, new RegExp(`^  ${wanted} `, 'm'), `${name}.${wanted}`);
    }
    assert.ok(columns.includes(`PRIMARY KEY (${names.join(', ')})`), `${name}: its primary key`);
    const bytes = [...columns.matchAll(/^ {2}(sealed\w*) bytea/gm)].map(([, found]) => found);
    assert.deepEqual(bytes, [column], `${name}: one sealed column for one kek_id`);
  }
});
