// Own transfers of a block: payments to own addresses in listed coins, and units that left them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UserId } from '../../core/money/index.ts';
import type { FinalBlock, Transfer } from '../../infra/chain-evm/index.ts';
import {
  custodyFileForTest,
  TOKEN_FOR_TEST,
} from '../../infra/custody-file/custody-file-for-test.ts';
import { addressesIn, ownTransfers } from './own-transfers.ts';

const { coins } = custodyFileForTest();
const ALICE = `0x${'a1'.repeat(20)}`;
const BOB = `0x${'b0'.repeat(20)}`;
const STRANGER = `0x${'57'.repeat(20)}`;
const OWNERS = new Map(
  [ALICE, BOB].map((address, at) => [
    address.slice(2),
    { address: address.slice(2), user: (at + 1) as UserId },
  ]),
);

function blockOf(
  transfers: readonly Partial<Transfer>[],
  fees: FinalBlock['fees'] = [],
): FinalBlock {
  const hash = `0x${'11'.repeat(32)}`;
  const header = { height: 7, hash, parent: hash, stateRoot: hash, timeMs: 0 };
  return {
    ...header,
    hasTraces: true,
    fees,
    transfers: transfers.map((transfer, output) => ({
      transaction: hash,
      output,
      contract: undefined,
      from: STRANGER,
      to: STRANGER,
      units: 5n,
      ...transfer,
    })),
  };
}

function summary(block: FinalBlock) {
  const { incoming, touched } = ownTransfers(block, coins, OWNERS);
  return {
    incoming: incoming.map(({ coin, output, units, user }) => [user, coin.symbol, output, units]),
    touched: touched.map(({ address, coin, outUnits }) => [
      `0x${Buffer.from(address).toString('hex')}`,
      coin.symbol,
      outUnits,
    ]),
  };
}

test('payments in listed coins belong to the owner of the address', () => {
  const block = blockOf([
    { to: ALICE },
    { to: ALICE, contract: TOKEN_FOR_TEST, units: 9n },
    { to: BOB, contract: `0x${'ff'.repeat(20)}` },
    {},
  ]);
  assert.deepEqual(summary(block), {
    incoming: [
      [1, 'eth', '0', 5n],
      [1, 'usdt', '1', 9n],
    ],
    touched: [
      [ALICE, 'eth', 0n],
      [ALICE, 'usdt', 0n],
    ],
  });
});

test('units that leave an own address are added up with its network fees', () => {
  const block = blockOf(
    [{ from: ALICE }, { from: ALICE, to: BOB }, { from: ALICE, contract: TOKEN_FOR_TEST }],
    [
      { from: ALICE, units: 2n },
      { from: STRANGER, units: 3n },
    ],
  );
  assert.deepEqual(summary(block), {
    incoming: [[2, 'eth', '1', 5n]],
    touched: [
      [ALICE, 'eth', 12n],
      [BOB, 'eth', 0n],
      [ALICE, 'usdt', 5n],
    ],
  });
});

test('each address of a block is looked up once', () => {
  const block = blockOf([{ to: ALICE }, { to: ALICE }], [{ from: BOB, units: 1n }]);
  const texts = addressesIn(block).map((address) => `0x${Buffer.from(address).toString('hex')}`);
  assert.deepEqual(texts, [STRANGER, ALICE, BOB]);
});
