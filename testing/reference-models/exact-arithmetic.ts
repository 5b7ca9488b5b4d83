// The reference's own arithmetic, by the exact formulas of docs/trading-rules.md and nothing else.

export const ONE_MILLION = 1_000_000n;
export const LARGEST_AMOUNT = 2n ** 62n;

/** Both operands are at least 0 and the divisor is not 0. */
export function floorDivide(dividend: bigint, divisor: bigint): bigint {
  return dividend / divisor;
}

export function ceilDivide(dividend: bigint, divisor: bigint): bigint {
  return dividend % divisor === 0n ? dividend / divisor : dividend / divisor + 1n;
}

export function feeOf(receivedAtoms: bigint, ratePpm: number): bigint {
  return ceilDivide(receivedAtoms * BigInt(ratePpm), ONE_MILLION);
}

export function discountedRatePpm(ratePpm: number, discountPpm: number): number {
  return Number(ceilDivide(BigInt(ratePpm) * (ONE_MILLION - BigInt(discountPpm)), ONE_MILLION));
}

/** The highest price that is at most `ppm` above. Exact, so it may exceed the safe integers. */
export function raisedBy(priceTicks: number, ppm: number): bigint {
  return floorDivide(BigInt(priceTicks) * (ONE_MILLION + BigInt(ppm)), ONE_MILLION);
}

/** The lowest price that is at most `ppm` below. */
export function loweredBy(priceTicks: number, ppm: number): bigint {
  return ceilDivide(BigInt(priceTicks) * (ONE_MILLION - BigInt(ppm)), ONE_MILLION);
}

export function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

export function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

export function isWholeWithin(value: number, lowest: number, highest: number): boolean {
  return Number.isSafeInteger(value) && value >= lowest && value <= highest;
}
