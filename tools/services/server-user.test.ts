// Access to folders, and a server's user.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { allowTraversal, mayTraverse, parsePasswd } from './server-user.ts';

const user = { uid: 7001, gid: 7002 };

test('a user is found by the full name', () => {
  const text =
    'root:x:0:0:root:/:/bin/sh\nxpostgres:x:1:1::/:\npostgres:x:105:113:P,,,:/var:/bin/sh\n';
  assert.deepEqual(parsePasswd(text, 'postgres'), { uid: 105, gid: 113 });
  assert.equal(parsePasswd(text, 'gres'), undefined);
});

test('the first of owner, group and others that applies decides', () => {
  const cases: [number, number, number, boolean][] = [
    [0o700, 7001, 0, true],
    [0o077, 7001, 7002, false],
    [0o710, 0, 7002, true],
    [0o701, 0, 7002, false],
    [0o701, 0, 0, true],
    [0o710, 0, 0, false],
  ];
  for (const [mode, uid, gid, expected] of cases) {
    assert.equal(
      mayTraverse({ mode, uid, gid }, user),
      expected,
      `${mode.toString(8)} ${uid} ${gid}`,
    );
  }
});

test('a temporary folder is opened for traversal only', (context) => {
  const temporary = mkdtempSync(join(tmpdir(), 'rialto-pass-'));
  context.after(() => rmSync(temporary, { recursive: true }));
  const folder = join(temporary, 'inner');
  mkdirSync(folder, { mode: 0o700 });
  allowTraversal(folder, user);
  assert.equal(statSync(temporary).mode & 0o777, 0o701);
  assert.equal(statSync(folder).mode & 0o777, 0o701);
});
