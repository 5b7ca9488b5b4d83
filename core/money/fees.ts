// Fees: the only rounding in trading. A fee comes out of the amount a side receives and is rounded
// up to a whole atom, so no fraction of an atom is ever lost or left over.

import type { Atoms, Ppm } from './units.ts';
import { ONE_MILLION_PPM } from './units.ts';

/**
 * ceil(received × ppm ÷ 1,000,000) for 0 ≤ received ≤ ATOMS_MAX and 0 ≤ ppm ≤ 1,000,000.
 * Split at a million so every step fits 64 bits and V8 computes on machine words.
 */
export function feeAtoms(receivedAtoms: Atoms, ppm: Ppm): Atoms {
  const rate = BigInt.asIntN(64, BigInt(ppm));
  const received = BigInt.asIntN(64, receivedAtoms);
  const millions = BigInt.asIntN(64, received / 1_000_000n);
  const rest = BigInt.asIntN(64, received % 1_000_000n);
  const feeOfMillions = BigInt.asIntN(64, millions * rate);
  const restTimesRate = BigInt.asIntN(64, rest * rate);
  const feeOfRest = BigInt.asIntN(64, BigInt.asIntN(64, restTimesRate + 999_999n) / 1_000_000n);
  return BigInt.asIntN(64, feeOfMillions + feeOfRest) as Atoms;
}

/** ceil(rate × (1,000,000 − discount) ÷ 1,000,000), both 0 to 1,000,000: exact in a double. */
export function discountedPpm(rate: Ppm, discount: Ppm): Ppm {
  if (discount === 0) return rate;
  return Math.ceil((rate * (ONE_MILLION_PPM - discount)) / ONE_MILLION_PPM) as Ppm;
}
