// Tests the ceremony: its draft can be signed by its approvers, and its files hold no coin's key.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readCustodyFile } from '../../features/custody/index.ts';
import { holdCeremony, xpubOf } from './ceremony.ts';
import { signFile } from './sign-file.ts';

const ABANDON = `${'abandon '.repeat(11)}about`;

function newFolder(): string {
  return join(mkdtempSync(join(tmpdir(), 'ceremony-')), 'custody');
}

test('two of two approvers sign the draft, and one alone is not enough', async () => {
  const folder = newFolder();
  const { words } = holdCeremony({ folder, exchange: 'demo', approvers: 2, xpub: undefined });
  assert.equal(words?.split(' ').length, 24);
  const [draft, out] = [join(folder, 'custody-draft.json'), join(folder, 'custody.json')];
  const signBy = (at: number, file: string) =>
    signFile({ file, key: join(folder, `approver-${at}.pem`), out });
  assert.deepEqual(signBy(1, draft), { approver: 'approver-1', signatures: 1, quorum: 2 });
  await assert.rejects(readCustodyFile(out), /expected signatures of 2 approvers, received 1/);
  assert.deepEqual(signBy(2, out), { approver: 'approver-2', signatures: 2, quorum: 2 });
  const file = await readCustodyFile(out);
  assert.equal(file.networks.get('eth')?.xpub.text, xpubOf(words ?? ''));
});

test('the words are in no file, and private keys are readable by their owner only', () => {
  const folder = newFolder();
  const { files, words } = holdCeremony({
    folder,
    exchange: 'demo',
    approvers: 1,
    xpub: undefined,
  });
  const [first, second] = (words ?? '').split(' ');
  for (const file of files) assert.ok(!readFileSync(file, 'utf8').includes(`${first} ${second}`));
  assert.equal(statSync(files[0]).mode & 0o777, 0o600);
});

test('a hardware wallet replaces the words, and its private key is rejected', () => {
  const xpub = xpubOf(ABANDON);
  const request = { exchange: 'demo', approvers: 1 };
  const held = holdCeremony({ ...request, folder: newFolder(), xpub });
  assert.deepEqual([held.words, held.xpub], [undefined, xpub]);
  const given = { ...request, folder: newFolder(), xpub: `xprv${xpub.slice(4)}` };
  assert.throws(() => holdCeremony(given), /never a private key/);
});

test('a key that is not an approver cannot sign, and a wrong draft is not signed', () => {
  const [own, other] = [newFolder(), newFolder()];
  for (const folder of [own, other]) {
    holdCeremony({ folder, exchange: 'demo', approvers: 1, xpub: xpubOf(ABANDON) });
  }
  const draft = join(own, 'custody-draft.json');
  const out = join(own, 'custody.json');
  const foreign = { file: draft, key: join(other, 'approver-1.pem'), out };
  assert.throws(() => signFile(foreign), /is not the key of an approver/);
  const document = { ...JSON.parse(readFileSync(draft, 'utf8')), quorum: 5 };
  writeFileSync(draft, JSON.stringify(document));
  const key = join(own, 'approver-1.pem');
  assert.throws(() => signFile({ file: draft, key, out }), /quorum: expected a number from 1 to 1/);
});
