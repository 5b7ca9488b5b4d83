// Tests the checks of custody: coins that no deposit explains, credits without a final deposit, and
// coins that are not on the chain.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { UserId } from '../../core/money/index.ts';
import { type Pool, withConnection } from '../../infra/postgres/index.ts';
import { makeUser, openRegistryForTest, type RegistryForTest } from '../auth/registry-for-test.ts';
import { type CheckContext, type CoinSource, NodeAway } from './check.ts';
import { COINS } from './coins-check.ts';
import { CUSTODY } from './custody-check.ts';
import { HOLDINGS } from './holdings.ts';

let registry: RegistryForTest;
let pool: Pool;
let user: UserId;

before(async () => {
  registry = await openRegistryForTest();
  ({ pool } = registry);
  user = await makeUser(pool);
  await run(
    `insert into custody_networks
       (network, family, from_height, height, hash, tip_height, opened_after_deposit)
     values ('eth', 'evm', 1, 9, '', 9, 0)`,
  );
  await run(
    `insert into deposit_requests (kind, user_id, asset_id, currency, scale, amount_atoms, address,
       network, transaction_id, cause, state)
     values ('deposit', ${user}, 3, 'usdt', 6, 500, '0x5', 'eth', 'a', '/a/0', 'completed')`,
  );
  await run(
    `insert into custody_deposits (network, asset_id, cause, txid, output, address, user_id, units,
       atoms, dust_units, height, block_hash, state, deposit_request, finalized_at)
     select 'eth', 3, '/a/0', 'a', '0', 'x', ${user}, 507, 500, 7, 5, '', 'credited', id, now()
     from deposit_requests`,
  );
  await run(
    `insert into custody_spends (network, asset_id, address, units, height, block_hash)
     values ('eth', 3, 'x', 7, 6, '')`,
  );
  await run(
    `insert into custody_coins (network, asset_id, address, units, height)
     values ('eth', 3, 'x', 500, 6)`,
  );
});
after(() => registry.close());

async function run(statement: string): Promise<void> {
  await pool.query(statement);
}

async function differences(): Promise<string[]> {
  const engine = { assetOf: () => ({ scale: 6, symbol: 'usdt' }) };
  const walked = await withConnection(pool, (connection) =>
    CUSTODY.walk({ connection, engine } as unknown as CheckContext, undefined),
  );
  assert.ok(walked !== 'later');
  return walked.differences.map(
    ({ expected, found, object }) => `${object}: expected ${expected}, found ${found}`,
  );
}

const PLANTS: [name: string, plant: string, repair: string, found: string][] = [
  [
    'a missing coin',
    'update custody_coins set units = units - 1',
    'update custody_coins set units = units + 1',
    'coins on eth of asset 3: expected 500 units, found 499 units',
  ],
  [
    'a coin that no deposit explains',
    "insert into custody_coins values ('eth', 3, 'y', 1, 6)",
    "delete from custody_coins where address = 'y'",
    'coins on eth of asset 3: expected 500 units, found 501 units',
  ],
  [
    'a credit above its final deposits',
    'update deposit_requests set amount_atoms = 501',
    'update deposit_requests set amount_atoms = 500',
    'deposit 1 from eth: expected 500 atoms of final deposits, found 501 atoms',
  ],
  [
    'a credit of a deposit that is not final',
    "update custody_deposits set state = 'pending', finalized_at = null, units = 507",
    "update custody_deposits set state = 'credited', finalized_at = now()",
    'deposit 1 from eth: expected 0 atoms of final deposits, found 500 atoms',
  ],
];

test('an honest deposit, with dust and a spend, has no discrepancy', async () => {
  assert.deepEqual(await differences(), []);
});

for (const [name, plant, repair, found] of PLANTS) {
  test(`${name} is found`, async () => {
    await run(plant);
    assert.equal((await differences()).at(-1), found);
    await run(repair);
    assert.deepEqual(await differences(), []);
  });
}

test('a credit to a manual address, and one before the cutover, stay manual', async () => {
  await run('update deposit_requests set amount_atoms = 501');
  await run(
    `insert into manual_addresses (currency, network, address, has_memo)
     values ('usdt', 'eth', '0x5', false)`,
  );
  assert.deepEqual(await differences(), []);
  await run('delete from manual_addresses');
  await run('update custody_networks set opened_after_deposit = 1');
  assert.deepEqual(await differences(), []);
});

describe('coins on the chain', () => {
  let units: (bigint | undefined)[] = [];
  let asked: string[] = [];
  const source: CoinSource = {
    async unitsAt(network, blockHash, coins) {
      asked.push(`${network} ${Buffer.from(blockHash).toString('hex')}`);
      return coins.map((_, at) => units[at]);
    },
    atomsOf: (_network, _asset, units) => units / 10n,
  };
  const walk = (coins: CoinSource | undefined, from?: readonly string[]) => {
    const engine = { assetOf: () => ({ scale: 6, symbol: 'usdt' }) };
    const context = { engine, coins, rowsMax: 10 } as unknown as CheckContext;
    return withConnection(pool, (connection) => COINS.walk({ ...context, connection }, from));
  };

  test('each recorded coin is compared at the last recorded block, page after page', async () => {
    await run("update custody_networks set hash = '\\xab'");
    await run(
      `insert into custody_coins (network, asset_id, address, units, height)
       values ('eth', 3, 'y', 9, 6)`,
    );
    [units, asked] = [[500n], []];
    const first = await walk(source);
    assert.ok(first !== 'later');
    assert.deepEqual([first.differences, first.rows], [[], 1]);
    units = [8n];
    const second = await walk(source, first.next);
    assert.ok(second !== 'later');
    assert.deepEqual(second.differences, [
      {
        object: 'coins on eth address 0x79 of asset 3',
        asset: 'usdt',
        expected: '8 units on the chain',
        found: '9 units',
      },
    ]);
    const end = await walk(source, second.next);
    assert.ok(end !== 'later');
    assert.deepEqual([end.next, asked], [undefined, ['eth ab', 'eth ab']]);
  });

  test('an unlisted coin, and an exchange without custody, have no discrepancy', async () => {
    units = [undefined];
    const walked = await walk(source);
    assert.ok(walked !== 'later');
    assert.deepEqual(walked.differences, []);
    const off = await walk(undefined);
    assert.deepEqual(off, { frame: undefined, rows: 0, differences: [], next: undefined });
  });

  test('without an answer the same page is compared later', async () => {
    const away = { ...source, unitsAt: () => Promise.reject(new NodeAway('no block')) };
    assert.equal(await walk(away), 'later');
    await assert.rejects(
      walk({ ...source, unitsAt: () => Promise.reject(new TypeError('bug')) }),
      TypeError,
    );
  });

  test('coins on deposit addresses count as holdings', async () => {
    const operator = await makeUser(pool, { role: 'admin' });
    await run(
      `insert into declared_holdings (asset, amount, note, declared_by, declared_at)
       values ('usdt', 0.000100, '', ${operator}, now())`,
    );
    const check = async (owedAtoms: bigint) => {
      const account = { asset: 3, owner: 7, availableAtoms: owedAtoms, heldAtoms: 0n };
      const engine = {
        accounts: () => [account],
        assetOf: () => ({ scale: 6, symbol: 'usdt' }),
        frame: 1,
      };
      const walked = await withConnection(pool, (connection) =>
        HOLDINGS.walk({ connection, engine, coins: source } as unknown as CheckContext, undefined),
      );
      assert.ok(walked !== 'later');
      return walked.differences.map(({ expected, found }) => `${expected}, found ${found}`);
    };
    // 100 atoms are declared, and 509 units on deposit addresses are 50 atoms.
    assert.deepEqual(await check(150n), []);
    assert.deepEqual(await check(151n), [
      'at least 0.000151 usdt, found 0.0001 usdt and 0.00005 usdt in custody',
    ]);
  });
});
