// `wallet` messages have all the user's balances, digit by digit.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CompleteWallet } from './complete-wallet.ts';

const message = (members: string, time = 1) =>
  `{"topic":"wallet","action":"partial","user_id":7,"data":{${members}"updated_at":"…"}` +
  `,"time":${time}}`;

const BTC = '"btc_balance":2.50,"btc_available":9007199254740993,';
const ETH = '"eth_balance":0,"eth_available":0,';
const USDT = '"usdt_balance":5,"usdt_available":0,';

function after(first: string): CompleteWallet {
  const wallet = new CompleteWallet();
  wallet.reset(message(first));
  return wallet;
}

test('a change of one coin is sent with all other balances', () => {
  const wallet = after(BTC + ETH + USDT);
  const changed = '"usdt_balance":4,"usdt_available":1,';
  assert.equal(wallet.complete(message(changed, 2)), message(BTC + changed, 2));
});

test('a coin is sent once more when its balance becomes zero', () => {
  const wallet = after(BTC + USDT);
  const gone = '"btc_balance":0,"btc_available":0,';
  assert.equal(wallet.complete(message(gone)), message(USDT + gone));
  assert.equal(wallet.complete(message(USDT)), message(USDT));
});

test('a new first message replaces all balances', () => {
  const wallet = after(BTC);
  wallet.reset(message(USDT));
  const eth = '"eth_balance":1,"eth_available":1,';
  assert.equal(wallet.complete(message(eth)), message(USDT + eth));
});

test('a user without a balance gets the changed coin alone', () => {
  assert.equal(after('').complete(message(BTC)), message(BTC));
});
