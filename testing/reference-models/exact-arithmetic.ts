// The reference's own arithmetic: only the exact formulas from docs/trading-rules.md.

export const ONE_MILLION = 1_000_000n;
export const LARGEST_AMOUNT = 2n ** 62n;

/** Requires operands of at least 0 and a divisor that is not 0. */
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

/** Returns the highest price at most `ppm` above. Exact, so it can exceed the safe integers. */
export function raisedBy(priceTicks: number, ppm: number): bigint {
  return floorDivide(BigInt(priceTicks) * (ONE_MILLION + BigInt(ppm)), ONE_MILLION);
}

/** Returns the lowest price at most `ppm` below. */
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
