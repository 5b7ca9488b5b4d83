// Tests the key file and the folder: both passphrases are needed, files are private, and a folder
// that was rebuilt from a copy signs nothing before the approvers agree.

import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { signedForTest } from '../../infra/custody-file/custody-file-for-test.ts';
import { openSeed, readPassphrases, sealSeed } from './key-file.ts';
import { createSignerFolder, openSignerFolder, rebuildSignerFolder } from './signer-folder.ts';
import { SEED_FOR_TEST, SignerStage, START_MS } from './signer-for-test.ts';

const PASSPHRASES = ['correct horse battery', 'staple of the other'] as const;

function newSigner() {
  const folder = join(mkdtempSync(join(tmpdir(), 'signer-folder-')), 'signer');
  return { folder, seed: SEED_FOR_TEST, passphrases: PASSPHRASES };
}

test('a seed opens with both passphrases, and with no other', () => {
  const sealed = sealSeed(SEED_FOR_TEST, PASSPHRASES);
  assert.deepEqual(new Uint8Array(openSeed(sealed, PASSPHRASES)), SEED_FOR_TEST);
  const [one, other] = PASSPHRASES;
  const wrong = [
    [other, one],
    [one, `${other} `],
    [one + other.slice(0, 1), other.slice(1)],
  ];
  for (const pair of wrong as unknown as (typeof PASSPHRASES)[]) {
    assert.throws(() => openSeed(sealed, pair), /wrong passphrases or a damaged file/);
  }
  const fields = JSON.parse(sealed);
  const changed = Buffer.from(fields.sealed, 'base64url');
  changed[3] ^= 1;
  const damaged = JSON.stringify({ ...fields, sealed: changed.toString('base64url') });
  assert.throws(() => openSeed(damaged, PASSPHRASES), /a damaged file/);
});

test('an unlock file has two different passphrases', () => {
  assert.deepEqual(readPassphrases(`${PASSPHRASES.join('\n')}\n`), PASSPHRASES);
  const [one] = PASSPHRASES;
  for (const text of ['', one, `${one}\n${one}\n`, `${one}\nshort\n`, `${one}\nb\nc\n`]) {
    assert.throws(() => readPassphrases(text), /expected two different passphrases/);
  }
});

test('a folder that other users can read is rejected', () => {
  const given = newSigner();
  const custodyFile = signedForTest(new SignerStage().document);
  createSignerFolder(given, { custodyFile, timeMs: START_MS });
  const { journal, state } = openSignerFolder(given.folder, PASSPHRASES);
  assert.deepEqual([journal.head.entry, state.policy.version], [1, 1]);
  chmodSync(given.folder, 0o755);
  assert.throws(() => openSignerFolder(given.folder, PASSPHRASES), /accessible to other users/);
  chmodSync(given.folder, 0o700);
  assert.throws(() => createSignerFolder(given, { custodyFile, timeMs: START_MS }), /EEXIST/);
});

test('a custody file for other words is rejected', () => {
  const custodyFile = signedForTest(new SignerStage().document);
  const given = { ...newSigner(), seed: new Uint8Array(64).fill(9) };
  assert.throws(
    () => createSignerFolder(given, { custodyFile, timeMs: START_MS }),
    /not for these words/,
  );
});

test('a folder rebuilt from the copy has every slot, and is stopped', () => {
  const stage = new SignerStage();
  for (const withdrawal of [1, 2]) stage.ask(stage.pay({ withdrawal }));
  const lines = readFileSync(stage.path, 'utf8').trimEnd().split('\n');
  const given = newSigner();
  rebuildSignerFolder(given, { lines, timeMs: START_MS });
  const { state } = openSignerFolder(given.folder, PASSPHRASES);
  assert.deepEqual([state.isStopped, state.payments.size], [true, 2]);
  writeFileSync(stage.path, readFileSync(join(given.folder, 'journal')));
  stage.restart();
  assert.equal(stage.outcome(stage.pay({ withdrawal: 3 })), 'signer_must_not_be_stopped');
  const file = signedForTest({ ...stage.document, version: 2 });
  assert.equal(stage.outcome({ kind: 'policy', file }), 'policy');
  assert.equal(stage.outcome(stage.pay({ withdrawal: 1 })), 'signed');
});

test('a copy with a changed line is not used', () => {
  const stage = new SignerStage();
  stage.ask(stage.pay({ withdrawal: 1 }));
  const lines = readFileSync(stage.path, 'utf8').trimEnd().split('\n');
  const forged = lines.map((line) => line.replace('"nonce":0', '"nonce":1'));
  assert.throws(() => rebuildSignerFolder(newSigner(), { lines: forged, timeMs: START_MS }), {
    name: 'JournalFault',
  });
});
