// Tests deposit addresses on a real server: each user gets one address that no other user gets,
// even when users request them at the same time.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { UserId } from '../../../core/money/index.ts';
import { inTransaction, withConnection } from '../../../infra/postgres/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { listWallets } from '../../accounts/index.ts';
import {
  makeUser,
  openRegistryForTest,
  type RegistryForTest,
} from '../../auth/registry-for-test.ts';
import { createDepositAddress } from './deposit-addresses.ts';
import {
  addManualAddress,
  listManualAddresses,
  manualAddresses,
  removeManualAddress,
} from './manual-addresses.ts';
import { memoOf } from './memo.ts';

const XRP = 'rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY';
const ETH = [
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
];

let tables: RegistryForTest;

function create(user: UserId, currency: string, network: string) {
  const wanted = { user, currency, network };
  return withConnection(tables.pool, (one) =>
    inTransaction(one, () => createDepositAddress(one, manualAddresses, wanted)),
  );
}

function configure(currency: string, network: string, address: string, hasMemo = false) {
  const given = { currency, network, address, hasMemo };
  return withConnection(tables.pool, (one) =>
    inTransaction(one, () => addManualAddress(one, given)),
  );
}

describe('deposit addresses', () => {
  before(async () => {
    tables = await openRegistryForTest();
  });
  after(() => tables.close());

  test('all users share an address with a tag, and each has a memo', async () => {
    assert.equal(await configure('xrp', 'xrp', XRP, true), 'added');
    const [one, other] = [await makeUser(tables.pool), await makeUser(tables.pool)];
    for (const user of [one, other, one]) {
      const address = `${XRP}:${memoOf(user)}`;
      assert.deepEqual(await create(user, 'xrp', 'xrp'), address);
    }
    const [wallet, ...more] = await listWallets(tables.pool, one);
    assert.deepEqual([wallet.address, wallet.isValid, more], [`${XRP}:${memoOf(one)}`, true, []]);
  });

  test('a shared address is replaced; users keep their existing one', async () => {
    const before = await makeUser(tables.pool);
    const next = 'rN7n7otQDd6FczFgLdSqtcsAUxDkw6fzRH';
    const had = await create(before, 'xrp', 'xrp');
    assert.equal(await configure('xrp', 'xrp', next, true), 'added');
    assert.deepEqual(await create(before, 'xrp', 'xrp'), had);
    const later = await makeUser(tables.pool);
    const address = `${next}:${memoOf(later)}`;
    assert.deepEqual(await create(later, 'xrp', 'xrp'), address);
  });

  test('an address without a memo goes to one user; of ten users, two get one', async () => {
    for (const address of ETH.slice(0, 2)) {
      assert.equal(await configure('usdt', 'eth', address), 'added');
    }
    const users = await Promise.all(Array.from({ length: 10 }, () => makeUser(tables.pool)));
    const got = await Promise.all(users.map((user) => create(user, 'usdt', 'eth')));
    const addresses = got.flatMap((one) => (one instanceof Refused ? [] : [one]));
    assert.deepEqual(addresses.toSorted(), ETH.slice(0, 2).toSorted());
    const rest = got.flatMap((one) => (one instanceof Refused ? [one.key] : []));
    assert.deepEqual(rest, Array(8).fill('deposit_address_unavailable'));
  });

  test('ten concurrent requests by one user return one address', async () => {
    assert.equal(await configure('usdt', 'eth', ETH[2]), 'added');
    const user = await makeUser(tables.pool);
    const got = await Promise.all(Array.from({ length: 10 }, () => create(user, 'usdt', 'eth')));
    assert.deepEqual(got, Array(10).fill(ETH[2]));
    const rows = (await listManualAddresses(tables.pool, { limit: 100 })).filter(
      ({ assignedTo }) => assignedTo === user,
    );
    assert.equal(rows.length, 1);
  });

  test('a sub-account gets no address', async () => {
    const [parent, user] = [await makeUser(tables.pool), await makeUser(tables.pool)];
    await tables.pool.query(`update users set kind = 'sub', parent_id = $2 where id = $1`, [
      user,
      parent,
    ]);
    const refused = new Refused('sub_account_has_no_address');
    assert.deepEqual(await create(user, 'xrp', 'xrp'), refused);
  });

  test('a removed address is never assigned or configured again', async () => {
    const address = '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb';
    assert.equal(await configure('eth', 'eth', address), 'added');
    const [{ id }] = await listManualAddresses(tables.pool, { limit: 1 });
    assert.equal(await removeManualAddress(tables.pool, id), true);
    assert.equal(await removeManualAddress(tables.pool, id), false);
    const user = await makeUser(tables.pool);
    assert.ok((await create(user, 'eth', 'eth')) instanceof Refused);
    const again = await configure('eth', 'eth', address);
    assert.deepEqual(again, new Refused('address_configured'));
  });

  const table: [what: string, given: Parameters<typeof configure>, found: string][] = [
    ['a mistyped address', ['eth', 'eth', `${ETH[0].slice(0, -1)}D`], 'address_not_valid'],
    ['an address of another network', ['eth', 'eth', XRP], 'address_not_valid'],
    ['an address with a tag', ['xrp', 'xrp', `${XRP}:7`, true], 'address_not_valid'],
    ['a memo on a network without memos', ['eth', 'eth', ETH[0], true], 'network_has_no_memo'],
    ['an address of another coin', ['eth', 'eth', ETH[0]], 'address_configured'],
  ];
  for (const [what, given, found] of table) {
    test(`${what} is rejected: ${found}`, async () => {
      assert.deepEqual(await configure(...given), new Refused(found));
    });
  }
});
