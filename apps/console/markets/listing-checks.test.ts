// Checks of the listing wizard, with one wrong value at a time.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  areAllOk,
  bandOf,
  type CheckName,
  type CoinDraft,
  checkCoin,
  checkPair,
  coinBody,
  firstUnlisted,
  type PairDraft,
  pairBody,
} from './listing-checks.ts';

const KNOWN = [
  { symbol: 'btc', decimals: 8 },
  { symbol: 'usdt', decimals: 6 },
];

/** Names of listed markets. */
const LISTED = ['eth-btc'];

const COIN: CoinDraft = {
  symbol: 'sol',
  fullname: 'Solana',
  type: 'blockchain',
  network: 'sol',
  decimals: '9',
  issuanceCap: '1000000',
  estimatedPrice: '150',
  min: '0.1',
  max: '1000',
  withdrawalFee: '0.01',
};

const PAIR: PairDraft = {
  base: 'btc',
  quote: 'usdt',
  incrementSize: '0.0001',
  incrementPrice: '0.01',
  minSize: '0.0001',
  maxSize: '1000',
  minPrice: '0.02',
  maxPrice: '1000000',
  estimatedPrice: '60000',
  band: '10',
  slippage: '5',
  makerFee: '0.1',
  takerFee: '0.2',
};

function failed(lines: readonly { check: CheckName; isOk: boolean }[]): string {
  return lines.flatMap(({ check, isOk }) => (isOk ? [] : [check])).join(' ');
}

describe('an asset', () => {
  const table: [string, Partial<CoinDraft>][] = [
    ['', {}],
    ['symbol', { symbol: 'S-OL' }],
    ['new', { symbol: 'btc' }],
    ['name', { fullname: ' ' }],
    ['decimals cap minMax', { decimals: '19' }],
    ['cap', { issuanceCap: '0' }],
    ['cap', { issuanceCap: '1.0000000001' }],
    ['price', { estimatedPrice: '' }],
    ['minMax', { min: '2000' }],
    ['minMax', { min: '0.0000000001' }],
  ];
  for (const [expected, change] of table) {
    test(`${JSON.stringify(change)} fails: ${expected || 'nothing'}`, () => {
      const lines = checkCoin({ ...COIN, ...change }, KNOWN);
      assert.equal(failed(lines), expected);
      assert.equal(areAllOk(lines), expected === '');
    });
  }
});

describe('a market', () => {
  const table: [string, Partial<PairDraft>][] = [
    ['', {}],
    ['coins steps twoAtoms fits', { base: 'doge' }],
    ['coins', { quote: 'btc' }],
    ['steps wholeAtoms twoAtoms sizes', { incrementSize: '0' }],
    ['steps wholeAtoms twoAtoms sizes', { incrementSize: '0.000000001', minSize: '0.0000000005' }],
    ['wholeAtoms', { incrementPrice: '0.001' }],
    ['twoAtoms', { minPrice: '0.01' }],
    ['twoAtoms', { incrementSize: '0.00000001', incrementPrice: '100', minPrice: '200' }],
    ['fits', { maxPrice: '4611686018.43' }],
    ['fits', { maxSize: '46116860184.2739', maxPrice: '1', estimatedPrice: '1' }],
    ['sizes', { minSize: '0.00015' }],
    ['sizes', { minSize: '1000' }],
    ['prices', { maxPrice: '0.025', estimatedPrice: '0.02' }],
    ['price', { estimatedPrice: '2000000' }],
    ['price notional', { estimatedPrice: '' }],
    ['band', { band: '101' }],
    ['fees', { takerFee: '-0.1' }],
    ['fees', { makerFee: '11' }],
  ];
  for (const [expected, change] of table) {
    test(`${JSON.stringify(change)} fails: ${expected || 'nothing'}`, () => {
      assert.equal(failed(checkPair({ ...PAIR, ...change }, KNOWN, LISTED)), expected);
    });
  }

  test('the lot times the tick is shown exactly', () => {
    const line = checkPair(PAIR, KNOWN, LISTED).find(({ check }) => check === 'wholeAtoms');
    assert.equal(line?.value, '0.0001 × 0.01 = 0.000001');
  });
});

test('request bodies have API names, and amounts as text', () => {
  assert.equal(pairBody(PAIR).name, 'btc-usdt');
  assert.equal(pairBody(PAIR).increment_size, '0.0001');
  assert.equal(coinBody(COIN).network, 'sol');
  assert.equal('network' in coinBody({ ...COIN, network: '' }), false);
  assert.equal(coinBody({ ...COIN, withdrawalFee: '' }).withdrawal_fee, '0');
});

test('the band is centered on the reference price', () => {
  assert.deepEqual(bandOf('60000', '10'), { low: '54000.00', high: '66000.00' });
  assert.equal(bandOf('', '10'), undefined);
  assert.equal(bandOf('60000', 'x'), undefined);
});

test('a listed market is refused, and the first proposal is a market that is not listed', () => {
  assert.equal(failed(checkPair(PAIR, KNOWN, ['btc-usdt'])), 'newPair');
  const symbols = ['btc', 'eth', 'usdt'];
  assert.deepEqual(firstUnlisted(symbols, []), { base: 'btc', quote: 'usdt' });
  assert.deepEqual(firstUnlisted(symbols, ['btc-usdt']), { base: 'eth', quote: 'usdt' });
  const all = ['btc-usdt', 'eth-usdt'];
  assert.deepEqual(firstUnlisted(symbols, all), { base: 'eth', quote: 'btc' });
});
