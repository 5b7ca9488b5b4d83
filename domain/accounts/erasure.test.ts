// No table is forgotten by an erasure: for every table that names a user, this list says what
// happens to the rows. A new table fails the test until somebody decides.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const GOLDEN = join(import.meta.dirname, '../migrations/golden/schema.sql');
const ERASURE = join(import.meta.dirname, 'erasure.ts');
const PERSONAL = join(import.meta.dirname, 'personal-data.ts');

/**
 * deleted: the rows go. cut: they stay without personal values. kept: records of money. destroyed:
 * the row says that the key is gone.
 */
const FATES: Record<string, 'deleted' | 'cut' | 'kept' | 'destroyed'> = {
  api_keys: 'cut',
  codes: 'deleted',
  deposit_requests: 'kept',
  devices: 'deleted',
  invitations: 'cut',
  logins: 'cut',
  mail_outbox: 'deleted',
  passkeys: 'deleted',
  passwords: 'deleted',
  personal_data: 'deleted',
  personal_keys: 'destroyed',
  recovery_codes: 'deleted',
  sessions: 'cut',
  totp_secrets: 'deleted',
  users: 'cut',
  wallets: 'kept',
  withdrawal_requests: 'kept',
};

test('every table that names a user has a decision about its rows', () => {
  const tables = readFileSync(GOLDEN, 'utf8').matchAll(/create table (\w+) \(\n(.*?)\n\)/gs);
  const named = [...tables].filter(([, name, columns]) => {
    const isPartition = name.startsWith('logins_');
    return !isPartition && /^ {2}user_id |REFERENCES users\(id\)/m.test(columns);
  });
  assert.deepEqual(named.map(([, name]) => name).toSorted(), Object.keys(FATES));
});

test('the code does what the list says', () => {
  const code = readFileSync(ERASURE, 'utf8') + readFileSync(PERSONAL, 'utf8');
  for (const [table, fate] of Object.entries(FATES)) {
    const isDeleted = code.includes(`'${table}',`) || code.includes(`delete from ${table} `);
    const isCut = code.includes(`update ${table} set`);
    assert.deepEqual([isDeleted, isCut], [fate === 'deleted', fate === 'cut'], table);
  }
});
