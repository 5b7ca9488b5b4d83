// Notionals: the value of a size in base or quote atoms. The rules of listing make them whole
// numbers, so nothing here rounds.

import { wordFromSafe } from './machine-words.ts';
import type { Atoms, Lots, Ticks } from './units.ts';

/**
 * Quote atoms of `lots` at `ticks`. Exact while the product is at most ATOMS_MAX, which listing
 * guarantees for every price and size within a market's bounds: check those first.
 */
export function quoteAtoms(tickLotAtoms: Atoms, ticks: Ticks, lots: Lots): Atoms {
  const perLot = BigInt.asIntN(64, tickLotAtoms * wordFromSafe(ticks));
  return BigInt.asIntN(64, perLot * wordFromSafe(lots)) as Atoms;
}

/** Base atoms of `lots`, with the same limit and guarantee. */
export function baseAtoms(lotAtoms: Atoms, lots: Lots): Atoms {
  return BigInt.asIntN(64, lotAtoms * wordFromSafe(lots)) as Atoms;
}
