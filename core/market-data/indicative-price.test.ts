// The indicative price is the one that the engine then uncrosses at, over a flow of auctions.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drive } from '../../testing/flows/index.ts';
import { makeEngine } from '../../testing/properties/tested-exchange.ts';
import { indicativePrice } from './indicative-price.ts';
import { MarketData } from './market-data.ts';

test('just before every uncrossing, the indicative price is its price', () => {
  let uncrossed = 0;
  let volumeLots = 0n;
  for (const seed of [1, 2, 3]) {
    const data = new MarketData();
    const { apply } = makeEngine();
    for (const { seen } of drive({ flow: 'auctions', seed, commands: 4_000, apply })) {
      for (const event of seen.events) {
        if (event.kind === 'AuctionPriceSet') {
          const found = indicativePrice(data.orders, data.market(event.market));
          assert.equal(found?.priceTicks, event.priceTicks, `seed ${seed}, frame ${seen.sequence}`);
          volumeLots += found.volumeLots;
          uncrossed += 1;
        }
        data.apply(event, seen.timeMs);
      }
    }
  }
  assert.ok(uncrossed > 100 && volumeLots > 1_000n, `${uncrossed} ${volumeLots}`);
});
