// Auctions worked by hand. Each row can be checked with a pencil: demand at a price is what buys at
// it or higher, supply is what sells at it or lower, and the smaller of the two trades.

import assert from 'node:assert/strict';
import test from 'node:test';
import { type AuctionLevel, auctionPrice } from './auction-price.ts';

interface Example {
  readonly name: string;
  /** `size@price`, best first. */
  readonly buys: string;
  readonly sells: string;
  readonly reference: number;
  /** `volume@price, imbalance`. */
  readonly result: string;
}

const EXAMPLES: readonly Example[] = [
  {
    name: 'one buy and one sell at the same price trade at it',
    buys: '5@100',
    sells: '5@100',
    reference: 90,
    result: '5@100, 0',
  },
  {
    // Demand and supply at 99: 10, 4; at 100: 10, 9; at 101: 6, 9; at 102: 2, 9.
    name: 'the price with the largest volume wins',
    buys: '2@102 4@101 4@100',
    sells: '4@99 5@100',
    reference: 102,
    result: '9@100, +1',
  },
  {
    // Volume 5 at every price from 98 to 101. Demand minus supply: 3 at 98 and 99, then 0.
    name: 'of equal volumes the smallest imbalance wins, against the reference',
    buys: '5@101 3@99',
    sells: '5@98',
    reference: 98,
    result: '5@100, 0',
  },
  {
    // Volume 5 and no imbalance from 98 to 101.
    name: 'of equal imbalances the price closest to the reference wins: the reference itself',
    buys: '5@101',
    sells: '5@98',
    reference: 99,
    result: '5@99, 0',
  },
  {
    name: 'a reference above the range gives its highest price',
    buys: '5@101',
    sells: '5@98',
    reference: 150,
    result: '5@101, 0',
  },
  {
    name: 'a reference below the range gives its lowest price',
    buys: '5@101',
    sells: '5@98',
    reference: 50,
    result: '5@98, 0',
  },
  {
    name: 'without a reference the lowest price of the range is taken',
    buys: '5@101',
    sells: '5@98',
    reference: 0,
    result: '5@98, 0',
  },
  {
    // Demand and supply at 98 and 99: 7, 5; at 100 and 101: 5, 5; at 102: 5, 7.
    name: 'between two surpluses lies the balance',
    buys: '5@102 2@99',
    sells: '5@98 2@102',
    reference: 102,
    result: '5@101, 0',
  },
  {
    // At 100: demand 6, supply 4. At 101: demand 4, supply 6. Both trade 4 and leave 2.
    name: 'a surplus to buy equals a surplus to sell: the reference decides',
    buys: '4@101 2@100',
    sells: '4@100 2@101',
    reference: 99,
    result: '4@100, +2',
  },
  {
    name: 'the last rule: without a reference the lower of two such prices is taken',
    buys: '4@101 2@100',
    sells: '4@100 2@101',
    reference: 0,
    result: '4@100, +2',
  },
  {
    name: 'a reference above two such prices gives the higher one',
    buys: '4@101 2@100',
    sells: '4@100 2@101',
    reference: 101,
    result: '4@101, -2',
  },
  {
    name: 'a price between the limits of the orders is possible',
    buys: '3@110',
    sells: '3@90',
    reference: 100,
    result: '3@100, 0',
  },
  {
    name: 'sizes beyond the safe integers are exact',
    buys: '9007199254740993@101 9007199254740993@100',
    sells: '18014398509481985@100',
    reference: 100,
    result: '18014398509481985@100, +1',
  },
  { name: 'sides that do not cross', buys: '5@99', sells: '5@100', reference: 100, result: 'none' },
  { name: 'an empty side', buys: '', sells: '5@100', reference: 100, result: 'none' },
];

for (const { buys, name, reference, result, sells } of EXAMPLES) {
  test(name, () => {
    const found = auctionPrice(levels(buys), levels(sells), reference);
    assert.equal(textOf(found), result);
  });
}

function levels(text: string): AuctionLevel[] {
  return text
    .split(' ')
    .filter((level) => level !== '')
    .map((level) => {
      const [size, price] = level.split('@');
      return { priceTicks: Number(price), totalLots: BigInt(size) };
    });
}

function textOf(found: ReturnType<typeof auctionPrice>): string {
  if (found === undefined) return 'none';
  const { imbalanceLots, priceTicks, volumeLots } = found;
  return `${volumeLots}@${priceTicks}, ${imbalanceLots > 0n ? '+' : ''}${imbalanceLots}`;
}
