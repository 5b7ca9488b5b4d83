// Tests how operators name the network of a credit or a burn.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refused } from '../../../protocol/wire/index.ts';
import type { CoinEntry } from '../../listings/index.ts';
import { networkOf } from './credit-deposit.ts';

const usdt = { symbol: 'usdt', type: 'blockchain', networks: ['eth', 'trx'] } as const;
const btc = { symbol: 'btc', type: 'blockchain', networks: ['btc'] } as const;
const xrp = { symbol: 'xrp', type: 'blockchain', networks: [] } as const;
const eur = { symbol: 'eur', type: 'fiat', networks: [] } as const;

const NETWORKS: [coin: Partial<CoinEntry>, given: string | undefined, network: string | null][] = [
  [usdt, undefined, null],
  [usdt, ' ETH', 'eth'],
  [btc, undefined, 'btc'],
  [xrp, undefined, null],
  [xrp, 'XRP', null],
  [eur, undefined, null],
  [eur, 'SEPA', 'SEPA'],
];

for (const [coin, given, network] of NETWORKS) {
  test(`${coin.symbol} with the network ${given ?? 'not named'} has the network ${network}`, () => {
    assert.equal(networkOf(coin as CoinEntry, given), network);
  });
}

test('an unknown network is rejected', () => {
  const found = networkOf(usdt as unknown as CoinEntry, 'sol');
  assert.deepEqual(found, new Refused('network_invalid', { network: 'sol', currency: 'usdt' }));
});
