// Tests daily rewards against the closed formula, and what splitting a stake earns.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Atoms } from '../../core/money/index.ts';
import { dayWeight, PRICE_ONE, priceUnitsOf, rewardDivisor, settlementOf } from './rewards.ts';

interface Day {
  readonly apyMicro: bigint;
  readonly priceUnits: bigint;
}

/** Counts like the job, day after day. */
function dailyRewards(
  principal: bigint,
  days: readonly Day[],
  { stakeScale, rewardScale }: { stakeScale: number; rewardScale: number },
): bigint[] {
  const divisor = rewardDivisor(stakeScale);
  let numerator = 0n;
  return days.map((day) => {
    const before = numerator / divisor;
    numerator += principal * dayWeight({ ...day, rewardScale });
    return numerator / divisor - before;
  });
}

const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n);

const principals = fc.bigInt({ min: 1n, max: 10n ** 17n });
const scales = fc.integer({ min: 0, max: 18 });
const days = fc.array(
  fc.record({
    apyMicro: fc.bigInt({ min: 0n, max: 500_000_000n }),
    priceUnits: fc.bigInt({ min: 0n, max: 10n ** 24n }),
  }),
  { maxLength: 60 },
);

describe('rewards', () => {
  const EXAMPLES: [title: string, principal: bigint, apy: bigint, days: number, reward: bigint][] =
    [
      ['360 days at 5% are a twentieth', 1_000_000n, 5_000_000n, 360, 50_000n],
      ['36 days at 10% are a hundredth', 1_000_000n, 10_000_000n, 36, 10_000n],
      ['one day at 100% of 359 atoms is nothing yet', 359n, 100_000_000n, 1, 0n],
      ['one day at 100% of 360 atoms is one', 360n, 100_000_000n, 1, 1n],
      ['a rate of zero earns nothing', 10n ** 15n, 0n, 400, 0n],
      ['400 days at 3.65% of 1.23456789 btc', 123_456_789n, 3_650_000n, 400, 5_006_858n],
    ];
  for (const [title, principal, apyMicro, count, reward] of EXAMPLES) {
    test(title, () => {
      const all = Array.from({ length: count }, () => ({ apyMicro, priceUnits: PRICE_ONE }));
      const scale = { stakeScale: 8, rewardScale: 8 };
      assert.equal(sum(dailyRewards(principal, all, scale)), reward);
    });
  }

  test('another coin is paid at the price of the day', () => {
    // 2 btc at 36% for a day are 0.002 btc: 60 usdt at 30,000, then 80 at 40,000.
    const [apyMicro, scale] = [36_000_000n, { stakeScale: 8, rewardScale: 6 }];
    const prices = [priceUnitsOf('30000'), priceUnitsOf('40000')];
    const earned = dailyRewards(
      200_000_000n,
      prices.map((priceUnits) => ({ apyMicro, priceUnits })),
      scale,
    );
    assert.deepEqual(earned, [60_000_000n, 80_000_000n]);
  });

  test('the days add up to the closed formula, to the atom', () => {
    fc.assert(
      fc.property(principals, days, scales, scales, (principal, all, stakeScale, rewardScale) => {
        const paid = sum(dailyRewards(principal, all, { stakeScale, rewardScale }));
        // P × Σ(apy × price) × 10^reward ÷ (100 × 360 × 10^24 × 10^stake), divided once.
        const weighed = sum(all.map(({ apyMicro, priceUnits }) => apyMicro * priceUnits));
        const over = principal * weighed * 10n ** BigInt(rewardScale);
        const under = 36_000n * 10n ** 24n * 10n ** BigInt(stakeScale);
        assert.equal(paid, over / under);
      }),
    );
  });

  test('on every day, the paid amount is within one atom of the exact total', () => {
    fc.assert(
      fc.property(principals, days, (principal, all) => {
        const divisor = rewardDivisor(8);
        const earned = dailyRewards(principal, all, { stakeScale: 8, rewardScale: 8 });
        let [numerator, paid] = [0n, 0n];
        for (const [at, day] of all.entries()) {
          numerator += principal * dayWeight({ ...day, rewardScale: 8 });
          paid += earned[at];
          assert.ok(earned[at] >= 0n);
          assert.ok(paid * divisor <= numerator && numerator < (paid + 1n) * divisor);
        }
      }),
    );
  });

  test('abuse 55: splitting a stake into twelve never earns more', () => {
    const parts = fc.array(fc.bigInt({ min: 1n, max: 10n ** 12n }), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(parts, days, (split, all) => {
        const scale = { stakeScale: 8, rewardScale: 8 };
        const whole = sum(dailyRewards(sum(split), all, scale));
        const inParts = sum(split.map((part) => sum(dailyRewards(part, all, scale))));
        assert.ok(inParts <= whole && whole - inParts < BigInt(split.length));
      }),
    );
  });

  const SLASHES: [title: string, early: boolean, parts: [bigint, bigint, bigint, bigint]][] = [
    ['at the end nothing is slashed', false, [1_001n, 333n, 0n, 0n]],
    // 2.5% of 1,001 is 25.025, 50% of 333 is 166.5.
    ['an early end slashes, rounded down', true, [976n, 167n, 25n, 166n]],
  ];
  for (const [title, isEarly, expected] of SLASHES) {
    test(title, () => {
      const settled = settlementOf({
        principalAtoms: 1_001n as Atoms,
        rewardAtoms: 333n as Atoms,
        isEarly,
        principalSlashPpm: 25_000n,
        rewardSlashPpm: 500_000n,
      });
      assert.deepEqual(Object.values(settled), expected);
    });
  }

  test('a settlement pays out exactly what was staked and earned', () => {
    const amounts = fc.bigInt({ min: 0n, max: 10n ** 18n });
    const slashes = fc.bigInt({ min: 0n, max: 1_000_000n });
    fc.assert(
      fc.property(amounts, amounts, slashes, slashes, fc.boolean(), (p, r, ps, rs, isEarly) => {
        const settled = settlementOf({
          principalAtoms: p as Atoms,
          rewardAtoms: r as Atoms,
          isEarly,
          principalSlashPpm: ps,
          rewardSlashPpm: rs,
        });
        assert.equal(settled.principalAtoms + settled.slashedPrincipalAtoms, p);
        assert.equal(settled.rewardAtoms + settled.slashedRewardAtoms, r);
        assert.ok(Object.values(settled).every((atoms) => atoms >= 0n));
      }),
    );
  });

  test('a price keeps 18 decimals, and a value that is not a decimal is rejected', () => {
    assert.equal(priceUnitsOf('1'), PRICE_ONE);
    assert.equal(priceUnitsOf('0.0000000000000000019'), 1n);
    assert.throws(() => priceUnitsOf('-1'), RangeError);
    assert.throws(() => priceUnitsOf('1e3'), RangeError);
  });
});
