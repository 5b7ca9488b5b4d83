// Folder and S3 store behave alike: complete files, listings, and names of damaged files.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  bytesOf,
  collect,
  folderForTest,
  ID,
  KEY,
  OTHER_KEY,
  PART_BYTES,
  s3StoreForTest,
  storeBackup,
} from './backup-for-test.ts';
import type { BackupStore } from './backup-store.ts';
import { FolderStore } from './folder-store.ts';
import { chosenBackup, listBackups, readManifest, verifyFiles } from './manifest.ts';
import { openStore } from './open-store.ts';
import { pruneBackups } from './prune-backups.ts';

const STORES: Record<string, (t: TestContext) => Promise<BackupStore>> = {
  folder: async (t) => new FolderStore(join(folderForTest(t), 'new')),
  s3: (t) => s3StoreForTest(t),
};

async function change(store: BackupStore, name: string, to: (bytes: Buffer) => Uint8Array) {
  const bytes = await collect(store.read(name));
  await store.write(name, bytesOf(to(bytes)));
}

for (const [kind, openOne] of Object.entries(STORES)) {
  test(`${kind}: files are written, listed, read, replaced and removed`, async (t) => {
    const store = await openOne(t);
    assert.deepEqual(await store.list(''), []);
    const large = randomBytes(2 * PART_BYTES + 3);
    await store.write('segments/a', bytesOf('one', 'two'));
    await store.write('segments/large', bytesOf(large));
    await store.write('other/b', bytesOf(''));
    const listed = await store.list('segments/');
    assert.deepEqual(
      listed.map(({ bytes, name }) => [name, bytes]),
      [
        ['segments/a', 6],
        ['segments/large', large.length],
      ],
    );
    assert.equal((await collect(store.read('segments/a'))).toString(), 'onetwo');
    assert.ok((await collect(store.read('segments/large'))).equals(large));
    await store.write('segments/a', bytesOf('three'));
    assert.equal((await collect(store.read('segments/a'))).toString(), 'three');
    await store.remove('segments/a');
    await assert.rejects(collect(store.read('segments/a')), /segments\/a: missing\./);
  });

  test(`${kind}: a file whose source fails does not exist`, async (t) => {
    const store = await openOne(t);
    async function* failing() {
      yield randomBytes(PART_BYTES + 1);
      throw new Error('the source failed');
    }
    await assert.rejects(store.write('segments/a', failing()), /the source failed/);
    assert.deepEqual(await store.list(''), []);
  });

  test(`${kind}: every damaged or missing file is named`, async (t) => {
    const store = await openOne(t);
    const tables = {
      users: Buffer.from('1\tada\n'),
      coins: randomBytes(100),
      pairs: Buffer.from('x'),
    };
    const manifest = await storeBackup(store, { ...tables, roles: Buffer.from('sound') });
    const faults = () => verifyFiles(store, KEY, manifest, () => {});
    assert.deepEqual(await faults(), []);
    const nameOf = (table: string) => `backups/${ID}/registry/${table}`;
    await change(store, nameOf('users'), (bytes) => {
      bytes[70] ^= 1;
      return bytes;
    });
    await change(store, nameOf('coins'), (bytes) => bytes.subarray(0, bytes.length - 5));
    await store.remove(nameOf('pairs'));
    assert.deepEqual(
      (await faults()).map(({ file, finding }) => [file, finding]),
      [
        [nameOf('users'), 'chunk 1 is damaged or cut'],
        [nameOf('coins'), 'chunk 1 is damaged or cut'],
        [nameOf('pairs'), 'missing'],
      ],
    );
  });

  test(`${kind}: a file from another backup under the same name is detected`, async (t) => {
    const store = await openOne(t);
    const manifest = await storeBackup(store, { users: Buffer.from('new') });
    await storeBackup(store, { users: Buffer.from('old') });
    const faults = await verifyFiles(store, KEY, manifest, () => {});
    assert.match(faults[0].message, /another SHA-256 than in the manifest/);
  });
}

test('the newest backup is chosen, and a wrong key and an empty store are reported', async (t) => {
  const store = new FolderStore(folderForTest(t));
  await assert.rejects(chosenBackup(store, KEY, undefined), /has no backup/);
  await storeBackup(store, {}, '20261116T031000000Z');
  await storeBackup(store, {});
  assert.deepEqual(await listBackups(store), [ID, '20261116T031000000Z']);
  assert.equal((await chosenBackup(store, KEY, undefined)).id, ID);
  await assert.rejects(readManifest(store, OTHER_KEY, ID), /manifest: sealed with another key/);
  await assert.rejects(chosenBackup(store, KEY, '20200101T000000000Z'), /manifest: missing/);
});

test('pruning keeps the newest backups and every file that they need', async (t) => {
  const store = new FolderStore(folderForTest(t));
  for (const day of ['14', '15', '16', '17']) {
    await storeBackup(store, { users: Buffer.from(day) }, `202611${day}T031000000Z`);
  }
  await store.write('segments/one', bytesOf('never removed'));
  assert.deepEqual(await pruneBackups(store, KEY, 2), [
    '20261115T031000000Z',
    '20261114T031000000Z',
  ]);
  const left = (await store.list('')).map(({ name }) => name);
  assert.deepEqual(left, [
    'backups/20261116T031000000Z/manifest',
    'backups/20261116T031000000Z/registry/users',
    'backups/20261117T031000000Z/manifest',
    'backups/20261117T031000000Z/registry/users',
    'segments/one',
  ]);
});

test('an S3 store that does not accept the key is reported', async (t) => {
  const store = await s3StoreForTest(t, 'wrong');
  await assert.rejects(store.list(''), /s3:\/\/backups\/exchange\/one answers 403 \(\w+\)/);
});

test('an S3 location needs its file', () => {
  assert.throws(() => openStore('s3://bucket/x', undefined), /requires --s3-file/);
});
