// Tests that the chain watcher's database role can record a block and credit its deposits, and
// nothing beyond that.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Atoms, UserId } from '../../../core/money/index.ts';
import { makeUser } from '../../../features/auth/registry-for-test.ts';
import {
  evmAddressText,
  openCustody,
  recordFinalBlock,
  replacePending,
} from '../../../features/custody/index.ts';
import { moveChainDeposit } from '../../../features/payments/index.ts';
import { custodyFileForTest } from '../../../infra/custody-file/custody-file-for-test.ts';
import type { CustodyFile } from '../../../infra/custody-file/index.ts';
import { migrate, openPool, type Pool, withConnection } from '../../../infra/postgres/index.ts';
import { readRegistryMigrations } from '../../../platform/database/index.ts';
import { readWaiting } from '../../../platform/outbox/index.ts';
import { checkRows } from '../../../services/outbox-dispatcher/authorization/check-rows.ts';
import { startPostgresForTest } from '../../../testing/projections/postgres-for-test.ts';
import { applyGrants } from './apply-grants.ts';

const DENIED = { code: '42501' };
const FILE = custodyFileForTest();
const NETWORK = FILE.networks.get('eth')!;
const [, USDT] = FILE.coins;

let owner: Pool;
let watcher: Pool;
let dispatcher: Pool;
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
  const openAs = (username: string) => {
    const { href } = Object.assign(new URL(postgres.server.url), { username });
    return openPool({ ...options, url: href, connectionsMax: 2 });
  };
  watcher = openAs('tested_chain_watcher');
  dispatcher = openAs('tested_outbox_dispatcher');
  user = await makeUser(owner);
  await withConnection(owner, (connection) => openCustody(connection, FILE, 'eth'));
});
after(async () => {
  await watcher.end();
  await dispatcher.end();
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

/** Invents a final deposit and its credit, as anyone with the watcher's login can. */
async function invent(atoms: number, change: { readonly address?: string } = {}): Promise<void> {
  inventions += 1;
  const txid = `${inventions}`.padStart(64, '7');
  const address = NETWORK.xpub.evmAddress(user);
  await withConnection(watcher, async (connection) => {
    const request = await moveChainDeposit(
      connection,
      {
        user,
        asset: { id: USDT.asset, currency: 'usdt', scale: 6 },
        amountAtoms: BigInt(atoms) as Atoms,
        network: 'eth',
        address: change.address ?? evmAddressText('eth', address),
        transactionId: txid,
        output: '0',
      },
      'credit',
    );
    await connection.query(
      `insert into custody_deposits (network, asset_id, cause, txid, output, address, user_id,
         units, atoms, dust_units, height, block_hash, state, deposit_request, finalized_at)
       values ('eth', $1, $2, $2, '0', $3, $4, $5, $5, 0, 1, '', 'credited', $6, now())`,
      [USDT.asset, txid, Buffer.from(address), user, atoms, request],
    );
  });
}
let inventions = 0;

/** Returns the credits that the dispatcher sends, then what it does with the others. */
async function dispatched(custody: CustodyFile | undefined): Promise<string[]> {
  const rows = await readWaiting(dispatcher, 100);
  const notes: string[] = [];
  const sent = await withConnection(dispatcher, (connection) =>
    checkRows(
      connection,
      rows.filter(({ isVoided }) => !isVoided),
      {
        projectionSchema: 'projected',
        isDemo: false,
        custody,
        onVoided: ({ reason }) => notes.push(`voided: ${reason}`),
        onReviewsRaised: () => assert.fail(),
        onCreditReviewed: (_, reason) => notes.push(`review: ${reason}`),
      },
    ),
  );
  const credits = sent.flatMap(({ command }) =>
    command.kind === 'CreditDeposit' ? [`credit ${command.amountAtoms}`] : [],
  );
  // As after the engine's outcome: these rows are not read again.
  await owner.query("update outbox set state = 'accepted', frame = 1, settled_at = now()");
  return [...credits, ...notes];
}

test('a stolen login credits at most the limit of an hour, in the signed file', async () => {
  await owner.query('delete from outbox');
  // 5,000 usdt in one deposit are reviewed, and more than 20,000 usdt in an hour.
  const usdt = 1_000_000;
  for (const amount of [4_999, 4_999, 5_000, 4_999, 4_999, 4, 1]) await invent(amount * usdt);
  assert.deepEqual(await dispatched(FILE), [
    ...Array(4).fill('credit 4999000000'),
    'credit 4000000',
    'review: large',
    'review: hour_exceeded',
  ]);
  const { rows } = await owner.query(
    `select state, count(*)::int as count from deposit_requests where transaction_id like '7%'
     group by state order by state`,
  );
  assert.deepEqual(rows, [
    { state: 'crediting', count: 5 },
    { state: 'in_review', count: 2 },
  ]);
  await invent(usdt);
  assert.deepEqual(await dispatched(FILE), ['review: hour_exceeded']);
  await owner.query("update custody_credits set at = at - interval '61 minutes'");
  await invent(usdt);
  assert.deepEqual(await dispatched(FILE), ['credit 1000000']);
});

test('a credit to a foreign address is voided; without custody, credits are reviewed', async () => {
  await invent(7, { address: evmAddressText('eth', Buffer.alloc(20, 9)) });
  assert.deepEqual(await dispatched(FILE), ['voided: address_not_derived']);
  await invent(7);
  assert.deepEqual(await dispatched(undefined), ['review: custody_off']);
  await invent(7);
  assert.deepEqual(await dispatched({ ...FILE, coins: [] }), ['review: coin_not_listed']);
});

test('the role cannot read or change what the dispatcher counts', async () => {
  for (const statement of ['select from custody_credits', 'delete from custody_credits']) {
    await assert.rejects(watcher.query(statement), DENIED, statement);
  }
});
