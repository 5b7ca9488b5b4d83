// Keys and files of identities: what is accepted, what is refused with which text, and that a
// signature proves exactly one key and one text.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { ConfigFault } from '../process/index.ts';
import { drawKey, isSignature, openIdentity, readPublicKeys, signWith } from './identity-key.ts';

const NONE = { identityKeyFile: undefined, tlsCaFile: undefined };

function fileWith(context: TestContext, content: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-identity-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'one');
  writeFileSync(file, content);
  return file;
}

function problemOf(act: () => unknown): string {
  try {
    act();
  } catch (fault) {
    assert.ok(fault instanceof ConfigFault);
    return fault.message;
  }
  return assert.fail('it was accepted');
}

test('a signature proves one key and one text', () => {
  const [one, other] = [drawKey(), drawKey()];
  const signature = signWith(Buffer.from(one.seed), 'a text');
  assert.equal(isSignature('a text', signature, one.publicKey), true);
  assert.equal(isSignature('another text', signature, one.publicKey), false);
  assert.equal(isSignature('a text', signature, other.publicKey), false);
  for (const wrong of ['', 'AAAA', 'x'.repeat(500)]) {
    assert.equal(isSignature('a text', wrong, one.publicKey), false);
  }
  assert.equal(isSignature('a text', signature, 'no key'), false);
});

test('production needs a key; development can claim its identity', () => {
  const problem = problemOf(() => openIdentity('publisher', { ...NONE, mode: 'production' }));
  assert.match(problem, /RIALTO_IDENTITY_KEY_FILE is not set \(expected in production\)/);
  const claimed = openIdentity('publisher', { ...NONE, mode: 'development' });
  assert.deepEqual([claimed.name, claimed.seed], ['publisher', undefined]);
});

test('production sends nothing unencrypted to NATS on another machine', (context) => {
  const identityKeyFile = fileWith(context, `${drawKey().seed}\n`);
  const open = (natsUrls: readonly string[], mode: 'production' | 'development') =>
    openIdentity('publisher', { identityKeyFile, tlsCaFile: undefined, mode, natsUrls });
  const problem = problemOf(() => open(['nats://127.0.0.1:4222', 'nats://n2:4222'], 'production'));
  assert.match(problem, /RIALTO_TLS_CA_FILE is not set, but NATS runs on another machine \(n2\)/);
  assert.equal(open(['127.0.0.1:4222', 'nats://[::1]:4222'], 'production').name, 'publisher');
  assert.equal(open(['nats://n2:4222'], 'development').name, 'publisher');
});

test('a missing file, or one that is not a seed, is named', (context) => {
  const open = (identityKeyFile: string) =>
    openIdentity('publisher', { identityKeyFile, tlsCaFile: undefined, mode: 'production' });
  assert.match(
    problemOf(() => open('/missing/seed')),
    /names \/missing\/seed, .*ENOENT/,
  );
  const { publicKey } = drawKey();
  assert.match(
    problemOf(() => open(fileWith(context, publicKey))),
    /is not an nkey seed/,
  );
});

test('public keys are lines of identity and key; an identity can have two', (context) => {
  const [one, two] = [drawKey().publicKey, drawKey().publicKey];
  const text = `# keys\n\nmonitor ${one}\nmonitor ${two}\n`;
  assert.deepEqual([...readPublicKeys(fileWith(context, text))], [['monitor', [one, two]]]);
  const { seed } = drawKey();
  for (const line of [`stranger ${one}`, `monitor ${one} x`, 'monitor', `monitor ${seed}`]) {
    assert.match(
      problemOf(() => readPublicKeys(fileWith(context, line))),
      /has a wrong line/,
    );
  }
});
