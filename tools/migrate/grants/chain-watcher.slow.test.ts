// Tests that the chain watcher's database role can record a block and credit its deposits, and
// nothing beyond that.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { UserId } from '../../../core/money/index.ts';
import { makeUser } from '../../../features/auth/registry-for-test.ts';
import { openCustody, recordFinalBlock, replacePending } from '../../../features/custody/index.ts';
import { custodyFileForTest } from '../../../infra/custody-file/custody-file-for-test.ts';
import { migrate, openPool, type Pool, withConnection } from '../../../infra/postgres/index.ts';
import { readRegistryMigrations } from '../../../platform/database/index.ts';
import { readWaiting } from '../../../platform/outbox/index.ts';
import { startPostgresForTest } from '../../../testing/projections/postgres-for-test.ts';
import { applyGrants } from './apply-grants.ts';

const DENIED = { code: '42501' };
const FILE = custodyFileForTest();
const NETWORK = FILE.networks.get('eth')!;
const [, USDT] = FILE.coins;

let owner: Pool;
let watcher: Pool;
let user: UserId;
let stop: () => Promise<void> = async () => {};

before(async () => {
  const postgres = await startPostgresForTest({ after: (end) => void (stop = end) });
  await postgres.schema('projected');
  await migrate(await postgres.session('registry'), 'registry', readRegistryMigrations());
  const schemas = { projectionSchema: 'projected', registrySchema: 'registry' };
  await applyGrants(await postgres.session('registry'), { ...schemas, rolePrefix: 'tested' });
  const options = postgres.connection('registry');
  owner = openPool({ ...options, connectionsMax: 2 });
  const url = new URL(postgres.server.url);
  url.username = 'tested_chain_watcher';
  watcher = openPool({ ...options, url: url.href, connectionsMax: 2 });
  user = await makeUser(owner);
  await withConnection(owner, (connection) => openCustody(connection, FILE, 'eth'));
});
after(async () => {
  await watcher.end();
  await owner.end();
  await stop();
});

test('the role announces, drops and credits deposits, and signs its commands', async () => {
  const hash = Buffer.alloc(32, 1);
  const address = NETWORK.xpub.evmAddress(user);
  const incoming = { coin: USDT, output: '0', address, user, units: 5_000_000n };
  const [first, second] = ['a', 'b'].map((digit) => ({ ...incoming, txid: digit.repeat(64) }));
  const block = { height: 100, hash };
  await withConnection(watcher, async (connection) => {
    await replacePending(connection, NETWORK, [
      { ...first, block },
      { ...second, block },
    ]);
    await replacePending(connection, NETWORK, [{ ...first, block }]);
    const context = { file: FILE, network: NETWORK, stoppedAssets: new Set<number>() };
    const changed = [{ coin: USDT, address, outUnits: 1n, provenUnits: 5_000_000n }];
    const final = { ...block, parent: hash, incoming: [first], changed };
    assert.equal((await recordFinalBlock(connection, context, final)).kind, 'recorded');
  });
  const rows = await readWaiting(owner, 10);
  assert.deepEqual(
    rows.map(({ command, writer }) => [command.kind, writer]),
    [['CreditDeposit', 'watcher']],
  );
});

test('the role cannot complete a deposit, move its owner or touch a withdrawal', async () => {
  for (const statement of [
    "update deposit_requests set state = 'completed'",
    'update deposit_requests set user_id = 1',
    "update users set state = 'active'",
    "update withdrawal_requests set state = 'completed'",
    'update custody_addresses set user_id = 1',
    'delete from custody_deposits',
    "insert into outbox (channel, kind) values (12, 'MintAsset')",
  ]) {
    await assert.rejects(watcher.query(statement), DENIED, statement);
  }
});
