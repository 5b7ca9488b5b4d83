// Plain names and targets: words for names without a label, and symbols as on screens.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isName, plainName, targetText } from './plain-name.ts';

test('a name without a label is written as words', () => {
  for (const [name, words] of [
    ['user_id', 'User ID'],
    ['is_pending', 'Pending'],
    ['isKnown', 'Known'],
    ['feeRate', 'Fee rate'],
    ['fullname', 'Fullname'],
  ]) {
    assert.equal(plainName(name), words);
  }
});

test('only values with an underscore are treated as names', () => {
  assert.equal(isName('password_changed'), true);
  assert.equal(isName('factor_2_removed'), true);
  for (const text of ['password', 'ann_b@example.com', 'A_b', '0x_1', 'two words']) {
    assert.equal(isName(text), false, text);
  }
});

test('a target has a label, and its symbols are written as on screens', () => {
  const labels: Readonly<Record<string, string>> = {
    everything: 'all',
    'stake pool': 'Staking pool',
  };
  const nameOf = (_area: string, name: string) => labels[name] ?? plainName(name);
  for (const [target, text] of [
    ['user 17', 'User 17'],
    ['deposits rlt', 'Deposits · RLT'],
    ['market btc-usdt', 'Market · BTC/USDT'],
    ['withdrawals of everything', 'Withdrawals · all'],
    ['stake pool 3', 'Staking pool 3'],
    ['account 17 btc', 'Account 17 BTC'],
    ['list orders', 'List orders'],
    ['banner', 'Banner'],
    ['projector-a', 'projector-a'],
    ['', ''],
  ]) {
    assert.equal(targetText(target, nameOf), text);
  }
});
