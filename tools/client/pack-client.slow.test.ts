// The packed client works where it is installed, and needs nothing but itself.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { FakeRest } from '../../testing/client/fake-rest.ts';
import { packClient } from './pack-client.ts';

const PROGRAM = `import { RialtoClient, RialtoStream } from '@rialto/client';
const client = new RialtoClient({ url: process.argv[2], key: 'k', secret: 's' });
const { btc_balance } = await client.getBalance();
console.log(btc_balance, typeof RialtoStream);
`;

test('the packed client runs as JavaScript and imports nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-client-test-'));
  const fake = await FakeRest.start();
  try {
    const home = join(folder, 'node_modules/@rialto/client');
    packClient(home);
    writeFileSync(join(folder, 'main.mjs'), PROGRAM);
    fake.answer({ text: '{"user_id":1,"btc_balance":0.10}' });
    const child = spawn(process.execPath, ['main.mjs', fake.url], { cwd: folder });
    let printed = '';
    child.stdout.on('data', (chunk) => (printed += chunk));
    child.stderr.on('data', (chunk) => (printed += chunk));
    await once(child, 'close');
    assert.equal(printed, '0.10 function\n');

    const files = globSync('**/*', { cwd: home });
    assert.ok(files.includes('index.d.ts') && files.includes('README.md'));
    assert.ok(!files.includes('tsconfig.json'));
    const scripts = files.filter((file) => file.endsWith('.js'));
    assert.ok(scripts.length > 15);
    const imported = scripts.flatMap((script) => {
      const text = readFileSync(join(home, script), 'utf8');
      return [...text.matchAll(/\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)].map(
        ([, name]) => name,
      );
    });
    assert.ok(imported.length > 25);
    for (const name of imported) assert.match(name, /^\.\/[\w.-]+\.js$/);
  } finally {
    await fake.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
