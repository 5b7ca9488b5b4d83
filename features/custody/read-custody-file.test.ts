// Tests that a network without addresses of its family is rejected.

import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { documentForTest, signedForTest } from '../../infra/custody-file/custody-file-for-test.ts';
import { readCustodyFile } from './read-custody-file.ts';

test('a network without EVM addresses is rejected, and the error names the file', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'custody-file-')), 'custody.json');
  const document = documentForTest();
  writeFileSync(path, signedForTest(document));
  assert.equal((await readCustodyFile(path)).networks.size, 1);
  document.networks.btc = document.networks.eth;
  writeFileSync(path, signedForTest(document));
  await assert.rejects(
    readCustodyFile(path),
    /custody file .*custody\.json: .*no EVM addresses in the network btc/,
  );
});
