// Tests that market terms are rejected here exactly if the engine rejects them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { applyFrame, createExchange } from '../../../core/engine/index.ts';
import type { Command, Refusal } from '../../../core/messages/index.ts';
import type { AssetId, Atoms, Lots, Ticks, TimeMs } from '../../../core/money/index.ts';
import { type MarketDecimals, type MarketTerms, marketTerms, refuseTerms } from './market-terms.ts';

const BTC_USDT: MarketDecimals = {
  increment_size: '0.0001',
  increment_price: '0.01',
  max_size: '1000',
  max_price: '1000000',
  reference_price: '60000',
};
const SCALES = { base: 8, quote: 6 };

test('decimals become whole numbers of ticks and lots', () => {
  assert.deepEqual(marketTerms(BTC_USDT, SCALES), {
    ok: true,
    terms: {
      lotAtoms: 10_000n,
      tickMantissa: 1,
      tickScale: 2,
      // One lot at one tick is worth one atom.
      minPriceTicks: 2,
      maxPriceTicks: 100_000_000,
      minSizeLots: 1,
      maxSizeLots: 10_000_000,
      referenceTicks: 6_000_000,
    },
  });
  const coarse = marketTerms({ ...BTC_USDT, increment_price: '2.50', min_price: '2.5' }, SCALES);
  assert.ok(coarse.ok);
  assert.deepEqual([coarse.terms.tickMantissa, coarse.terms.tickScale], [25, 1]);
});

for (const [change, expected] of [
  [{ increment_size: '0.000000001' }, 'increment_size too_many_digits'],
  [{ increment_price: '-1' }, 'increment_price negative'],
  [{ min_size: '0.00015' }, 'min_size not_a_multiple'],
  [{ max_price: '1.005' }, 'max_price not_a_multiple'],
  [{ reference_price: 'x' }, 'reference_price not_a_number'],
  [{ increment_size: '0' }, 'lot_and_tick_must_be_positive'],
  [{ increment_price: '0.001' }, 'lot_times_tick_must_be_whole_quote_atoms'],
  [{ min_price: '0' }, 'price_range_must_be_valid'],
  [{ min_price: '0.01' }, 'smallest_fill_must_be_worth_two_atoms'],
  [{ min_size: '2000' }, 'size_range_must_be_valid'],
  [{ max_size: '100000000000' }, 'largest_order_must_fit_the_ledger'],
  [{ reference_price: '2000000' }, 'reference_price_out_of_range'],
] as const) {
  test(`${JSON.stringify(change)} is rejected: ${expected}`, () => {
    const result = marketTerms({ ...BTC_USDT, ...change }, SCALES);
    assert.ok(!result.ok);
    const found = 'refusal' in result ? result.refusal : `${result.field} ${result.problem}`;
    assert.equal(found, expected);
  });
}

test('the engine agrees about every market', () => {
  const whole = fc.oneof(
    fc.integer({ min: 0, max: 3 }),
    fc.integer({ min: 0, max: 10 ** 9 }),
    fc.constant(Number.MAX_SAFE_INTEGER),
  );
  const property = fc.property(
    fc.record({ base: fc.nat(18), quote: fc.nat(18) }),
    fc.record({
      lotAtoms: fc.oneof(
        fc.bigInt(1n, 3n),
        fc.nat(18).map((digits) => 10n ** BigInt(digits)),
      ),
      tickMantissa: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 1_000 })),
      tickScale: fc.nat(20),
      minPriceTicks: whole,
      maxPriceTicks: whole,
      minSizeLots: whole,
      maxSizeLots: whole,
      referenceTicks: whole,
    }),
    (scales, numbers) => {
      const terms = numbers as unknown as MarketTerms;
      assert.equal(refuseTerms(terms, scales), refusalOfEngine(terms, scales));
    },
  );
  fc.assert(property, { numRuns: 400 });
});

function refusalOfEngine(terms: MarketTerms, scales: { base: number; quote: number }): Refusal {
  const exchange = createExchange();
  const issuanceCapAtoms = 1n as Atoms;
  const commands = [
    { kind: 'ListAsset', symbol: 'base', scale: scales.base, issuanceCapAtoms },
    { kind: 'ListAsset', symbol: 'quote', scale: scales.quote, issuanceCapAtoms },
    {
      kind: 'ListMarket',
      base: 1 as AssetId,
      quote: 2 as AssetId,
      ...terms,
      minSizeLots: terms.minSizeLots as Lots,
      referenceTicks: terms.referenceTicks as Ticks,
      status: 'pre-launch',
    },
  ].map((command, index) => ({ ...command, source: 1, number: index + 1 }) as Command);
  const head = { sequence: 1, epoch: 1, timeMs: 1 as TimeMs, previousHash: new Uint8Array(32) };
  const event = applyFrame(exchange, { ...head, commands }).events.at(-1)!;
  return event.kind === 'CommandRefused' ? event.refusal : 'none';
}
