// Tests deposits from blocks in a real registry: each is credited once, to the owner of its
// address, only when it is final; a block that does not fit stops its network.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { UserId } from '../../../core/money/index.ts';
import { custodyFileForTest } from '../../../infra/custody-file/custody-file-for-test.ts';
import { inTransaction, type Pool, withConnection } from '../../../infra/postgres/index.ts';
import { readWaiting } from '../../../platform/outbox/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { settleRows } from '../../../testing/outbox/settle-rows.ts';
import {
  makeUser,
  openRegistryForTest,
  type RegistryForTest,
} from '../../auth/registry-for-test.ts';
import { createDepositAddress } from '../../payments/addresses/deposit-addresses.ts';
import { manualAddresses } from '../../payments/addresses/manual-addresses.ts';
import {
  custodyAddresses,
  evmAddressText,
  findAddressOwners,
} from '../addresses/address-owners.ts';
import { openCustody } from '../open-custody.ts';
import {
  type ChangedCoin,
  creditHeld,
  type FinalBlock,
  type IncomingTransfer,
  readCursor,
  recordFinalBlock,
} from './final-block.ts';
import { replacePending } from './pending-deposits.ts';

const FILE = custodyFileForTest();
const [ETH, USDT] = FILE.coins;
const NETWORK = FILE.networks.get('eth')!;
const CONTEXT = { file: FILE, network: NETWORK, stoppedAssets: new Set<number>() };
const ISSUER = custodyAddresses(FILE, manualAddresses);
const WANTED = { currency: 'usdt', network: 'eth' };

let registry: RegistryForTest;
let pool: Pool;
let user: UserId;
let height: number;
let transactions = 0;
let commands = 0;

function hashOf(at: number): Uint8Array {
  return Buffer.from(at.toString(16).padStart(64, '0'), 'hex');
}

function pay(units: bigint, change: Partial<IncomingTransfer> = {}): IncomingTransfer {
  const txid = `${++transactions}`.padStart(64, '0');
  const address = NETWORK.xpub.evmAddress(user);
  return { coin: USDT, txid, output: '0', address, user, units, ...change };
}

function blockOf(incoming: readonly IncomingTransfer[], change: Partial<FinalBlock> = {}) {
  height += 1;
  const block = { height, hash: hashOf(height), parent: hashOf(height - 1) };
  return { ...block, incoming, changed: incoming.map(touched), ...change };
}

function touched({ address, coin }: IncomingTransfer): ChangedCoin {
  return { address, coin, outUnits: 0n, provenUnits: undefined };
}

function record(block: FinalBlock, context = CONTEXT) {
  return withConnection(pool, (connection) => recordFinalBlock(connection, context, block));
}

async function mustRecord(incoming: readonly IncomingTransfer[], context = CONTEXT): Promise<void> {
  assert.equal((await record(blockOf(incoming), context)).kind, 'recorded');
}

function announce(transfers: readonly IncomingTransfer[]) {
  const block = { height: height + 1, hash: hashOf(height + 1) };
  const pending = transfers.map((transfer) => ({ ...transfer, block }));
  return withConnection(pool, (connection) => replacePending(connection, NETWORK, pending));
}

async function statesOf(): Promise<string[]> {
  const { rows } = await pool.query(
    `select d.state, r.state as request, r.amount_atoms from custody_deposits d
     left join deposit_requests r on r.id = d.deposit_request order by d.id`,
  );
  return rows.map((row) =>
    row.request === null ? row.state : `${row.state}: ${row.request} ${row.amount_atoms}`,
  );
}

/** Settles every pending command as the engine would. Returns the credited atoms. */
async function settleAll(refusal: 'none' | 'issuance_cap_exceeded' = 'none'): Promise<bigint[]> {
  const rows = await readWaiting(pool, 1_000);
  const state = refusal === 'none' ? 'accepted' : 'refused';
  const settled = rows.map((row) => {
    const at = { channel: row.channel, sequence: row.sequence, frame: 9, command: ++commands };
    return { row, outcome: { ...at, state, refusal } as const };
  });
  await withConnection(pool, (connection) => settleRows(connection, settled));
  return rows.map(({ command }) => ('amountAtoms' in command ? command.amountAtoms : 0n));
}

/** SHA of the registry's money: credited amounts must equal the coins. */
async function coinsOf(coin = USDT): Promise<bigint> {
  const { rows } = await pool.query(
    'select coalesce(sum(units), 0) as units from custody_coins where asset_id = $1',
    [coin.asset],
  );
  return BigInt(rows[0].units);
}

describe('deposits from blocks', () => {
  before(async () => {
    registry = await openRegistryForTest();
    ({ pool } = registry);
  });
  after(() => registry.close());
  beforeEach(async () => {
    await settleAll();
    await pool.query(`truncate custody_networks cascade`);
    await withConnection(pool, (connection) => openCustody(connection, FILE, 'eth'));
    height = 99;
    user = await makeUser(pool);
  });

  test('a final deposit is credited once, and its block cannot be recorded twice', async () => {
    const block = blockOf([pay(5_000_000n)]);
    assert.deepEqual(await record(block), { kind: 'recorded', deposits: 1 });
    assert.deepEqual(await record(block), { kind: 'out_of_order', height: 100 });
    assert.deepEqual(await settleAll(), [5_000_000n]);
    assert.deepEqual(await statesOf(), ['credited: completed 5000000']);
    assert.equal(await coinsOf(), 5_000_000n);
  });

  test('concurrent records of one block credit it once', async () => {
    const block = blockOf([pay(5_000_000n), pay(7_000_000n)]);
    const results = await Promise.all(Array.from({ length: 6 }, () => record(block)));
    assert.equal(results.filter(({ kind }) => kind === 'recorded').length, 1);
    assert.deepEqual(await settleAll(), [5_000_000n, 7_000_000n]);
    assert.equal(await coinsOf(), 12_000_000n);
  });

  test('a deposit is announced, dropped, announced again and credited once', async () => {
    const transfer = pay(5_000_000n);
    assert.deepEqual(await announce([transfer]), { announced: 1, dropped: 0 });
    assert.deepEqual(await statesOf(), ['pending: pending 5000000']);
    assert.deepEqual(await announce([transfer]), { announced: 1, dropped: 0 });
    assert.deepEqual(await announce([]), { announced: 0, dropped: 1 });
    assert.deepEqual(await statesOf(), ['dropped: canceled 5000000']);
    assert.deepEqual(await announce([transfer]), { announced: 1, dropped: 0 });
    assert.deepEqual(await readWaiting(pool, 10), []);
    await mustRecord([transfer]);
    assert.deepEqual(await announce([transfer]), { announced: 0, dropped: 0 });
    assert.deepEqual(await settleAll(), [5_000_000n]);
    assert.deepEqual(await statesOf(), ['credited: completed 5000000']);
  });

  test('small deposits are credited together with the one that reaches the minimum', async () => {
    await mustRecord([pay(400_000n), pay(500_000n)]);
    assert.deepEqual(await statesOf(), ['small', 'small']);
    assert.deepEqual(await settleAll(), []);
    await mustRecord([pay(100_000n)]);
    assert.deepEqual(await settleAll(), [1_000_000n]);
    assert.deepEqual(await statesOf(), Array(3).fill('credited: completed 1000000'));
    await mustRecord([pay(300_000n)]);
    assert.deepEqual((await statesOf()).at(-1), 'small', 'small deposits count once');
  });

  test('a large deposit, and more than the credits of an hour, are reviewed', async () => {
    const announced = pay(5_000_000_000n);
    await announce([announced]);
    await mustRecord([announced]);
    assert.deepEqual(await statesOf(), ['in_review: in_review 5000000000']);
    for (let count = 0; count < 5; count++) await mustRecord([pay(4_900_000_000n)]);
    assert.deepEqual((await statesOf()).slice(-2), [
      'credited: crediting 4900000000',
      'in_review: in_review 4900000000',
    ]);
    assert.equal((await settleAll()).length, 4);
  });

  test('deposits are held while operators stop them, and credited afterwards', async () => {
    const stopped = { ...CONTEXT, stoppedAssets: new Set<number>([USDT.asset]) };
    await mustRecord([pay(5_000_000n)], stopped);
    await withConnection(pool, (connection) => creditHeld(connection, stopped));
    assert.deepEqual(await statesOf(), ['held']);
    assert.equal(await withConnection(pool, (connection) => creditHeld(connection, CONTEXT)), 1);
    assert.equal(await withConnection(pool, (connection) => creditHeld(connection, CONTEXT)), 0);
    assert.deepEqual(await settleAll(), [5_000_000n]);
  });

  test('a deposit for an erased user is unattributed', async () => {
    const transfer = pay(5_000_000n);
    await announce([transfer]);
    await pool.query("update users set state = 'erased' where id = $1", [user]);
    await mustRecord([transfer]);
    assert.deepEqual(await statesOf(), ['unattributed: canceled 5000000']);
    assert.deepEqual(await settleAll(), []);
    assert.equal(await coinsOf(), 5_000_000n);
  });

  test('a transaction that was credited manually is not credited again', async () => {
    const transfer = pay(5_000_000n);
    const other = await makeUser(pool);
    await pool.query(
      `insert into deposit_requests (kind, user_id, asset_id, currency, scale, amount_atoms,
         address, network, transaction_id, cause, state)
       values ('deposit', $1, $2, 'usdt', 6, 5000000, '', 'eth', $3, $4, 'completed')`,
      [other, USDT.asset, transfer.txid, `/${transfer.txid}/0`],
    );
    await mustRecord([transfer]);
    assert.deepEqual(await statesOf(), ['unattributed']);
    assert.deepEqual(await settleAll(), []);
  });

  test('two payments of one transaction are two deposits', async () => {
    const first = pay(5_000_000n);
    const second = { ...first, output: '3', units: 6_000_000n };
    const native = { ...first, coin: ETH, units: 10n ** 18n + 1n };
    await mustRecord([first, second, native]);
    assert.deepEqual(await settleAll(), [5_000_000n, 6_000_000n, 100_000_000n]);
    assert.equal(await coinsOf(ETH), 10n ** 18n + 1n);
    const { rows } = await pool.query('select sum(dust_units)::text as dust from custody_deposits');
    assert.equal(rows[0].dust, '1');
  });

  test('a block that does not follow the recorded one halts the network', async () => {
    await mustRecord([]);
    const wrong = blockOf([pay(5_000_000n)], { parent: hashOf(77) });
    const halted = await record(wrong);
    assert.equal(halted.kind, 'halted');
    const again = await record({ ...wrong, parent: hashOf(100) });
    assert.deepEqual(again, halted, 'a halted network stays halted');
    const cursor = await readCursor(pool, 'eth');
    assert.match(
      cursor?.haltedReason ?? '',
      /final block 101 follows 0x0+4d, not the recorded 0x0+64$/,
    );
    assert.deepEqual(await statesOf(), []);
  });

  test('missing coins halt the network, and nothing of the block is recorded', async () => {
    await mustRecord([pay(5_000_000n)]);
    await settleAll();
    const transfer = pay(6_000_000n);
    const changed = [{ ...touched(transfer), outUnits: 1_000_000n, provenUnits: 9_999_999n }];
    const result = await record(blockOf([transfer], { changed }));
    assert.equal(result.kind, 'halted');
    assert.match(
      result.kind === 'halted' ? result.reason : '',
      /expected 10000000 units, proven 9999999/,
    );
    assert.deepEqual(await settleAll(), []);
    assert.equal(await coinsOf(), 5_000_000n);
  });

  test('coins that no transfer explains are unattributed, and spends are recorded', async () => {
    const transfer = pay(6_000_000n);
    const changed = [{ ...touched(transfer), outUnits: 1_000_000n, provenUnits: 5_000_007n }];
    assert.equal((await record(blockOf([transfer], { changed }))).kind, 'recorded');
    assert.deepEqual((await statesOf()).sort(), ['credited: crediting 6000000', 'unattributed']);
    const { rows } = await pool.query('select units::text as units from custody_spends');
    assert.deepEqual(rows, [{ units: '1000000' }]);
    assert.equal(await coinsOf(), 5_000_007n);
  });

  test('an address is issued by the user ID, and a swapped row is noticed', async () => {
    const issue = (one: UserId, issuer = ISSUER) =>
      withConnection(pool, (connection) =>
        inTransaction(connection, () =>
          createDepositAddress(connection, issuer, { ...WANTED, user: one }),
        ),
      );
    const withoutFile = custodyAddresses(undefined, manualAddresses);
    const none = await issue(user, withoutFile);
    assert.ok(none instanceof Refused && none.key === 'deposit_address_unavailable');
    const address = await issue(user);
    assert.equal(address, evmAddressText('eth', NETWORK.xpub.evmAddress(user)));
    assert.equal(await issue(user), address);
    const find = () => findAddressOwners(pool, NETWORK, [NETWORK.xpub.evmAddress(user)]);
    assert.deepEqual(
      [...(await find()).owners.values()].map((owner) => owner.user),
      [user],
    );
    const thief = await makeUser(pool);
    await pool.query('update custody_addresses set user_id = $2 where user_id = $1', [user, thief]);
    const found = await find();
    assert.deepEqual([found.owners.size, found.forged.map((owner) => owner.user)], [0, [thief]]);
    await pool.query('update wallets set user_id = $2 where user_id = $1', [user, thief]);
    await assert.rejects(issue(thief), /is not derived from the user/);
  });

  test('the cutover retires manual addresses, once, and reads from its first block', async () => {
    await pool.query('truncate custody_networks cascade');
    await pool.query(
      "insert into wallets (user_id, currency, network, address) values ($1, 'usdt', 'eth', 'old')",
      [user],
    );
    const open = () => withConnection(pool, (connection) => openCustody(connection, FILE, 'eth'));
    const opened = await open();
    assert.deepEqual([opened?.fromHeight, (opened?.retiredAddresses ?? 0) >= 1], [100, true]);
    assert.equal(await open(), undefined);
    const { rows } = await pool.query('select is_valid from wallets where user_id = $1', [user]);
    assert.deepEqual(rows, [{ is_valid: false }]);
    const early = blockOf([], { height: 99 });
    assert.equal((await record(early)).kind, 'out_of_order');
    height = 99;
    await mustRecord([pay(5_000_000n)]);
  });
});
