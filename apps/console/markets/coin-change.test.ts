// Changes of assets: the request has only the changed fields, and the approvals match the exchange.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ListedCoin } from '../../../client/index.ts';
import { approvalsFor, type CoinEdit, coinChange, editOf, invalidFields } from './coin-change.ts';

const FEE = { value: '5', symbol: 'usdt', active: true, type: 'static', min: null, max: null };
const COIN = {
  symbol: 'usdt',
  fullname: 'Tether',
  allow_deposit: false,
  allow_withdrawal: true,
  is_public: true,
  min: '10',
  max: '1000',
  withdrawal_fee: '1',
  withdrawal_fees: { eth: FEE },
  network: 'eth,trx',
  estimated_price: '1',
  issuance_cap: '1000000',
} as unknown as ListedCoin;

const edited = (change: Partial<CoinEdit>) => coinChange(COIN, { ...editOf(COIN), ...change });

test('only changed fields are sent', () => {
  assert.equal(edited({}), undefined);
  assert.equal(edited({ min: '10.0' }), undefined, 'the same amount');
  assert.deepEqual(edited({ allowDeposit: true }), { code: 'usdt', allow_deposit: true });
  assert.deepEqual(edited({ estimatedPrice: '' }), { code: 'usdt', estimated_price: null });
  assert.deepEqual(edited({ min: '20', withdrawalFee: '2' }), {
    code: 'usdt',
    min: '20',
    withdrawal_fee: '2',
  });
});

test('a network fee is sent with those of the other networks', () => {
  assert.deepEqual(edited({ networkFees: { eth: '5', trx: '1.5' } }), {
    code: 'usdt',
    withdrawal_fees: { eth: FEE, trx: { ...FEE, value: '1.5' } },
  });
  assert.deepEqual(edited({ networkFees: { eth: '', trx: '' } }), {
    code: 'usdt',
    withdrawal_fees: null,
  });
});

test('invalid fields are named', () => {
  const invalid = (change: Partial<CoinEdit>) => invalidFields({ ...editOf(COIN), ...change });
  assert.deepEqual(invalid({}), []);
  assert.deepEqual(invalid({ fullname: ' ' }), ['fullname']);
  assert.deepEqual(invalid({ min: '2000' }), ['max']);
  assert.deepEqual(invalid({ estimatedPrice: '0' }), ['estimatedPrice']);
  assert.deepEqual(invalid({ issuanceCap: '' }), ['issuanceCap']);
});

test('approvals follow what the change opens', () => {
  const table: [Partial<CoinEdit>, number][] = [
    [{ fullname: 'Tether USD' }, 0],
    [{ allowWithdrawal: false }, 0],
    [{ allowDeposit: true }, 1],
    [{ withdrawalFee: '2' }, 1],
    [{ issuanceCap: '10000000' }, 1],
    [{ issuanceCap: '10000001' }, 2],
    [{ estimatedPrice: '2' }, 1],
    [{ estimatedPrice: '2.01' }, 2],
    [{ estimatedPrice: '0.49' }, 2],
  ];
  for (const [change, approvals] of table) {
    const body = edited(change);
    assert.ok(body !== undefined);
    assert.equal(approvalsFor(COIN, body), approvals, JSON.stringify(change));
  }
});
