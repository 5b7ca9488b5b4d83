// How a process learns its keys, on a real server: the first start records the key, a wrong file
// stops the start, and a running process follows a rotation without a restart.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { migrate, openPool, type Pool } from '../../infra/postgres/index.ts';
import { FakeClock } from '../../infra/process/clock-for-test.ts';
import { createLogger } from '../../infra/process/index.ts';
import {
  type PostgresForTest,
  startPostgresForTest,
} from '../../testing/projections/postgres-for-test.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import { readRegistryMigrations } from '../database/index.ts';
import { addKeyToFile, KeyFileFault } from './key-file.ts';
import { KEK_POLL_MS, openVault, readKeks } from './open-vault.ts';
import { fingerprintOf, SealFault } from './vault.ts';

const KEY = Buffer.alloc(32, 1);
const OTHER = Buffer.alloc(32, 2);

let postgres: PostgresForTest;
/** With one connection: its queries are answered in order. */
let registry: Pool;
let folder: string;
let file: string;
let stop: () => Promise<void> = async () => {};
let schemas = 0;
let clock: FakeClock;

describe("a process's vault", () => {
  before(async () => {
    postgres = await startPostgresForTest({ after: (end) => void (stop = end) });
    folder = mkdtempSync(join(tmpdir(), 'rialto-vault-'));
    file = join(folder, 'keys');
  });
  after(async () => {
    rmSync(folder, { recursive: true });
    await stop();
  });
  beforeEach(async () => {
    const schema = `registry_${schemas++}`;
    await migrate(await postgres.session(schema), schema, readRegistryMigrations());
    registry = openPool({ ...postgres.connection(schema), connectionsMax: 1 });
    writeFileSync(file, KEY.toString('base64'));
    clock = new FakeClock();
  });
  afterEach(() => registry.end());

  test('one of two concurrent starts records the key as active', async () => {
    await Promise.all([open(), open()]);
    const [kek, ...more] = await readKeks(registry);
    assert.deepEqual([kek.id, kek.state, kek.fingerprint], [1, 'active', fingerprintOf(KEY)]);
    assert.deepEqual(more, []);
  });

  test('a wrong or incomplete file aborts the start before anything is sealed', async () => {
    await open();
    writeFileSync(file, OTHER.toString('base64'));
    await assert.rejects(open(), wrongFile(/another key than that of the registry/));
    writeFileSync(file, `2 ${OTHER.toString('base64')}`);
    await assert.rejects(open(), wrongFile(/has no key 1, which the registry seals with/));
  });

  test('a new key is read when it is added and seals when it is activated', async () => {
    const { vault } = await open();
    addKeyToFile(source(), 2);
    assert.equal((await open()).vault.activeId, 1);
    const added = (await open()).vault.fingerprint(2)!;
    await record(2, added, 'added');
    await poll();
    assert.deepEqual([vault.activeId, vault.macs('x', 'y').length], [1, 2]);
    await activate(2);
    await poll();
    await waitUntil({
      what: 'the vault seals with key 2',
      timeoutMs: 5_000,
      question: () => vault.activeId === 2,
    });
  });

  test('a value under an unknown key causes the file to be read again immediately', async () => {
    const { vault } = await open();
    addKeyToFile(source(), 2);
    const other = (await open()).vault;
    other.activate(2);
    assert.equal(vault.open('row', other.seal('row', 'value')).toString(), 'value');
    const unknown = { ...other.seal('row', 'value'), kekId: 3 };
    assert.throws(() => vault.open('row', unknown), SealFault);
    rmSync(file);
    assert.throws(() => vault.open('row', unknown), SealFault);
  });

  test('a running process keeps its key if the active one is missing or wrong', async () => {
    const { vault } = await open();
    await record(2, fingerprintOf(OTHER), 'added');
    await activate(2);
    await poll();
    assert.equal(vault.activeId, 1);
    addKeyToFile(source(), 2);
    await poll();
    await poll();
    assert.equal(vault.activeId, 1);
    assert.equal(vault.open('row', vault.seal('row', 'value')).toString(), 'value');
  });
});

function open() {
  const config = { accessKeyFile: file, accessKey: undefined, mode: 'production' } as const;
  const log = createLogger({ service: 'test', instance: 'test', level: 'silent' });
  return openVault({ config, registry, clock, log });
}

function source() {
  return { accessKeyFile: file, accessKey: undefined, isDevelopment: false };
}

/** The vault has read the table when the answer of a later query arrives. */
async function poll(): Promise<void> {
  clock.advance(KEK_POLL_MS);
  await registry.query('select');
}

async function record(id: number, fingerprint: string, state: string): Promise<void> {
  await registry.query(
    'insert into key_encryption_keys (kek_id, fingerprint, state) values ($1, $2, $3)',
    [id, fingerprint, state],
  );
}

async function activate(id: number): Promise<void> {
  await registry.query(`update key_encryption_keys set state = 'retiring' where state = 'active'`);
  await registry.query(`update key_encryption_keys set state = 'active' where kek_id = $1`, [id]);
}

function wrongFile(message: RegExp) {
  return (fault: Error) => fault instanceof KeyFileFault && message.test(fault.message);
}
