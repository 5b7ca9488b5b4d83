// Programs in the signing guide print the signatures that the guide promises. Build machines might
// not have Go, so the Go program is only read.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';

const guide = readFileSync(join(import.meta.dirname, '../../docs/api/signing.md'), 'utf8');
const SECRET = '3b1f0c6a9d2e4f58a7c1b0d9e8f7a6b5c4d3e2f1a0b9c8d7e6';
const EXPIRES = '1767607200';

/** Created with `openssl dgst -sha256 -hmac`, not by our own code. */
const SIGNATURES = [
  '31337dc94cf0244b024e480c7cbb09254123e5eed723d58a850e6300e174f44c',
  '51fae1696aee16b7747410cad4debfbce254d4bc0dec4b3034ee9087b41ce952',
  'ca3b9d9d72670c71bc128a32c0382bf015ef4fd73e6def7d93d4eb61c0bbbfff',
];

interface Program {
  readonly language: string;
  readonly command: string;
  readonly fileName: string;
  /** Programs required on the machine. */
  readonly needs: string;
}

const programs: readonly Program[] = [
  { language: 'typescript', command: process.execPath, fileName: 'a.ts', needs: process.execPath },
  { language: 'python', command: 'python3', fileName: 'a.py', needs: 'python3' },
  { language: 'sh', command: 'sh', fileName: 'a.sh', needs: 'openssl' },
];

const present = programs.filter(({ needs }) => isInstalled(needs));

function isInstalled(command: string): boolean {
  return spawnSync(command, ['--version']).error === undefined;
}

/** Returns the language's first block that contains the secret. */
function blockOf(language: string): string {
  const blocks = [...guide.matchAll(/^```(\w+)\n(.*?)^```$/gms)];
  const found = blocks.find(([, name, code]) => name === language && code.includes(SECRET));
  assert.ok(found !== undefined, language);
  return found[2];
}

for (const { command, fileName, language } of present) {
  test(`the program in ${language} prints the three signatures`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'rialto-signing-'));
    try {
      const path = join(folder, fileName);
      writeFileSync(path, blockOf(language));
      const { status, stderr, stdout } = spawnSync(command, [path], { encoding: 'utf8' });
      assert.equal(status, 0, stderr);
      assert.deepEqual(stdout.trim().split('\n'), SIGNATURES);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}

test('the program in Go signs the same three texts', () => {
  const code = blockOf('go');
  for (const part of ['"/v2/user/balance"', '"/v2/orders?symbol=btc-usdt&open=true"', EXPIRES]) {
    assert.ok(code.includes(part), part);
  }
});

test('the table of the guide has the texts and signatures', () => {
  const rows = [
    ...guide.matchAll(/^\| (GET|POST) \| `([^`]+)` \|(?: `([^`]+)`)? \| `(\w+)` \|$/gm),
  ];
  const signatures = rows.map(([, method, path, body = '', signature]) => {
    const text = method + path + EXPIRES + body;
    assert.equal(createHmac('sha256', SECRET).update(text).digest('hex'), signature);
    return signature;
  });
  assert.deepEqual(signatures, SIGNATURES);
});
