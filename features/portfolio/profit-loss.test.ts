// Tests profit and loss of small histories, worked out manually. One day is one letter: a, b, c.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AssetId } from '../../core/money/index.ts';
import { profitLoss } from './profit-loss.ts';
import { totalValue } from './total-value.ts';

const USD = 1 as AssetId;
const BTC = 2 as AssetId;
const DAY = { before: 0, a: 1, b: 2, c: 3 } as const;
type Day = keyof typeof DAY;

interface History {
  /** BTC and USD at the start, in units. */
  readonly opening: Partial<Record<'btc' | 'usd', number>>;
  /** Day, coin, closing balance, and the external part of the change. */
  readonly days: readonly [Day, 'btc' | 'usd', total: number, external: number][];
  /** Price of one BTC at the end of each day. */
  readonly prices: Partial<Record<Day, string>>;
  readonly total: string;
  readonly invested: string;
  readonly btc?: string;
}

const table: Record<string, History> = {
  'a doubling price': {
    opening: { btc: 2 },
    days: [],
    prices: { before: '100', c: '200' },
    total: '200.00',
    invested: '200.00',
    btc: '200.00',
  },
  'a deposit is not a profit': {
    opening: { btc: 1 },
    days: [['b', 'btc', 3, 2]],
    prices: { before: '100', b: '100', c: '100' },
    total: '0.00',
    invested: '300.00',
    btc: '0.00',
  },
  'a withdrawal is not a loss, and later prices do not affect it': {
    opening: { btc: 2 },
    days: [['a', 'btc', 0, -2]],
    prices: { before: '100', a: '110', c: '1' },
    total: '20.00',
    invested: '200.00',
    btc: '20.00',
  },
  'bought below the closing price: a trading profit, not a holding profit': {
    opening: { usd: 100 },
    days: [
      ['a', 'usd', 10, 0],
      ['a', 'btc', 1, 0],
    ],
    prices: { before: '95', a: '100', c: '100' },
    total: '10.00',
    invested: '100.00',
    btc: '0.00',
  },
  'a coin without a price does not count': {
    opening: { btc: 2, usd: 5 },
    days: [],
    prices: {},
    total: '0.00',
    invested: '5.00',
  },
  'nothing held and nothing lost': {
    opening: {},
    days: [],
    prices: {},
    total: '0.00',
    invested: '0.00',
  },
};

const text = (atoms: bigint) => (Number(atoms) / 100).toFixed(2);

for (const [name, history] of Object.entries(table)) {
  test(name, () => {
    const { btc = 0, usd = 0 } = history.opening;
    const found = profitLoss({
      opening: new Map([
        [BTC, BigInt(btc * 10)],
        [USD, BigInt(usd * 100)],
      ]),
      days: history.days.map(([day, coin, total, external]) => {
        const [asset, units] = coin === 'btc' ? [BTC, 10] : [USD, 100];
        return {
          asset,
          dayMs: DAY[day],
          totalAtoms: BigInt(total * units),
          externalAtoms: BigInt(external * units),
        };
      }),
      beforeMs: DAY.before,
      lastMs: DAY.c,
      scale: 2,
      scaleOf: (asset) => (asset === BTC ? 1 : 2),
      priceOf: (asset, dayMs) =>
        asset === USD
          ? '1'
          : Object.entries(history.prices).find(([day]) => DAY[day as Day] === dayMs)?.[1],
    });
    assert.equal(text(found.total.atoms), history.total);
    assert.equal(text(found.total.investedAtoms), history.invested);
    const ofBtc = found.assets.get(BTC);
    assert.equal(ofBtc && text(ofBtc.atoms), history.btc ?? (btc > 0 ? undefined : '0.00'));
    assert.deepEqual(found.withoutPrice, history.btc === undefined && btc > 0 ? [BTC] : []);
  });
}

test('a value is truncated once, not per amount', () => {
  const third = { atoms: 1n, scale: 0, price: '0.334' };
  assert.equal(totalValue([third, third, third], 0), 1n);
  assert.equal(totalValue([third], 0), 0n);
  assert.equal(totalValue([{ ...third, atoms: -4n }], 0), -1n);
  assert.equal(totalValue([], 4), 0n);
});
