// Tests that withdrawal limits are exact, however many decimals an operator wrote. The fee of a
// fiat coin is that of the network `fiat`, else the one under its own name, else the coin's.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refused } from '../../../protocol/wire/index.ts';
import type { CatalogueNow, CoinEntry } from '../../listings/index.ts';
import {
  canPay,
  quoteWithdrawal,
  requireAmount,
  type WithdrawalQuote,
} from './withdrawal-quote.ts';

interface Bounds {
  readonly min?: string;
  readonly max?: string;
  readonly step?: string;
}

/** For a coin with two decimals. */
function quoteWith({ max = '0', min = '0', step = '0.01' }: Bounds): WithdrawalQuote {
  const coin = { symbol: 'eur', asset: { scale: 2 }, incrementUnit: step } as CoinEntry;
  return { coin, min, max } as WithdrawalQuote;
}

const table: [amount: number | string, bounds: Bounds, outcome: bigint | string][] = [
  ['1.5', {}, 150n],
  [3, {}, 300n],
  ['0', {}, 'amount_must_be_positive'],
  ['-1', {}, 'amount_must_be_positive'],
  ['0.001', {}, 'amount_invalid'],
  ['1', { min: '1' }, 100n],
  ['0.99', { min: '1' }, 'amount_below_minimum'],
  ['1', { max: '1' }, 100n],
  ['1.01', { max: '1' }, 'amount_above_maximum'],
  // Finer than the coin's scale, but the limit must still apply.
  ['1', { min: '1.001' }, 'amount_below_minimum'],
  ['1.01', { min: '1.001' }, 101n],
  ['1.01', { max: '1.001' }, 'amount_above_maximum'],
  ['1', { max: '1.001' }, 100n],
  ['1', { max: '0.001' }, 'amount_above_maximum'],
  ['1', { min: `1${'0'.repeat(30)}` }, 'amount_below_minimum'],
  ['1', { max: `1${'0'.repeat(30)}` }, 100n],
  ['1.5', { step: '0.5' }, 150n],
  ['1.4', { step: '0.5' }, 'amount_not_a_multiple'],
  ['1', { step: '0.005' }, 100n],
  ['1', { step: '0.003' }, 'amount_not_a_multiple'],
];

for (const [amount, bounds, outcome] of table) {
  test(`${amount} within ${JSON.stringify(bounds)}: ${outcome}`, () => {
    const found = requireAmount(amount, quoteWith(bounds));
    assert.equal(found instanceof Refused ? found.key : found, outcome);
  });
}

const EURO = { asset: 1, symbol: 'eur', scale: 2 };
const now = { assetsBySymbol: new Map([['eur', EURO]]) } as unknown as CatalogueNow;

/** Fees by network or coin name, or null if the coin has none. */
function euro(fees: Readonly<Record<string, string>> | null): CoinEntry {
  const own = ([name, value]: [string, string]) => [name, { value, symbol: 'eur', active: true }];
  const withdrawalFees = fees && new Map(Object.entries(fees).map(own) as []);
  const described = { type: 'fiat', networks: [], withdrawalFee: '1', min: '10', max: '0' };
  return { ...described, symbol: 'eur', asset: EURO, withdrawalFees } as unknown as CoinEntry;
}

const fiat: [fees: Parameters<typeof euro>[0], fee: bigint][] = [
  [null, 100n],
  [{ other: '2' }, 100n],
  [{ eur: '3' }, 300n],
  [{ fiat: '4', eur: '3' }, 400n],
];

for (const [fees, fee] of fiat) {
  test(`the fee of a fiat coin with the fees ${JSON.stringify(fees)}: ${fee}`, () => {
    for (const network of [undefined, 'fiat']) {
      const quote = quoteWithdrawal(now, { coin: euro(fees), network });
      assert.ok(!(quote instanceof Refused));
      assert.deepEqual([quote.network, quote.feeAtoms], ['fiat', fee]);
    }
  });
}

test('a network name in upper case is the same network', () => {
  const quote = quoteWithdrawal(now, { coin: euro(null), network: 'FIAT' });
  assert.equal(quote instanceof Refused ? quote.key : quote.network, 'fiat');
});

test('a fiat coin has no other network', () => {
  const quote = quoteWithdrawal(now, { coin: euro(null), network: 'eth' });
  assert.equal(quote instanceof Refused && quote.key, 'network_invalid');
});

test('an address is checked for the network, or for the coin if it has none', () => {
  const coin = { symbol: 'btc' } as CoinEntry;
  const bitcoin = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
  const ether = '0xde0b295669a9fd93d5f28d9ec85e40f4cb697bae';
  const pays = (network: string | null, address: string) =>
    canPay({ coin, network } as WithdrawalQuote, address);
  assert.deepEqual(
    [pays('btc', bitcoin), pays(null, bitcoin), pays('eth', bitcoin)],
    [true, true, false],
  );
  assert.deepEqual([pays('eth', ether), pays(null, ether)], [true, false]);
  assert.equal(pays('btc', 'not-an-address'), false);
});
