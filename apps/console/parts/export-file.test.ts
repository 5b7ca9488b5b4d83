// Exported files: their rows and hash, and requests pending approval.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countRows, exportOutcome, sha256Of } from './export-file.ts';

test('rows are counted without the header and without quoted line breaks', () => {
  const table: [string, number][] = [
    ['', 0],
    ['id\n', 0],
    ['id\n1\n', 1],
    ['id\n1\n2', 2],
    ['id\r\n1\r\n2\r\n', 2],
    ['id,note\n1,"a\nb"\n2,c\n', 2],
    ['id,note\n1,"say ""hi""\n"\n', 1],
  ];
  for (const [csv, rows] of table) assert.equal(countRows(csv), rows, JSON.stringify(csv));
});

test('a request pending approval is not a file', () => {
  const waiting = '{"message":"Pending approval","approval_id":9,"status":false,"waiting":true}';
  assert.deepEqual(exportOutcome(waiting), { kind: 'pending', approvalId: 9 });
  assert.deepEqual(exportOutcome('id\n1\n'), { kind: 'file', rows: 1 });
});

test('the hash matches sha256sum', async () => {
  const expected = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  assert.equal(await sha256Of(new TextEncoder().encode('abc')), expected);
});
