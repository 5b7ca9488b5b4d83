// Walks one side of a book, best price first, in ticks and lots: the value of a size, and the size
// that an amount affords. Exact whole numbers, without fees.

import { type Atoms, type Lots, quoteAtoms, type Ticks } from '../../../core/money/index.ts';

export interface BookLevel {
  readonly priceTicks: Ticks;
  readonly sizeLots: Lots;
}

export interface Walked {
  readonly sizeLots: Lots;
  readonly quoteAtoms: Atoms;
  /** The book is too thin for the request. */
  readonly isShort: boolean;
}

/** Returns the quote value of exactly this many lots. */
export function walkLots(levels: readonly BookLevel[], tickLotAtoms: Atoms, lots: Lots): Walked {
  let leftLots: number = lots;
  let total = 0n;
  for (const { priceTicks, sizeLots } of levels) {
    if (leftLots === 0) break;
    const taken = Math.min(leftLots, sizeLots) as Lots;
    total += quoteAtoms(tickLotAtoms, priceTicks, taken);
    leftLots -= taken;
  }
  const sizeLots = (lots - leftLots) as Lots;
  return { sizeLots, quoteAtoms: total as Atoms, isShort: leftLots > 0 };
}

/** Returns the maximum lots for at most this much quote. */
export function walkQuote(
  levels: readonly BookLevel[],
  tickLotAtoms: Atoms,
  amountAtoms: Atoms,
): Walked {
  let left: bigint = amountAtoms;
  let walkedLots = 0;
  for (const { priceTicks, sizeLots } of levels) {
    const lotCost = tickLotAtoms * BigInt(priceTicks);
    const affordable = left / lotCost;
    const taken = affordable < BigInt(sizeLots) ? affordable : BigInt(sizeLots);
    left -= lotCost * taken;
    walkedLots += Number(taken);
    if (taken < BigInt(sizeLots)) return ended(false);
  }
  // The entire book was taken and some quote is left, so a deeper book would give more.
  return ended(left > 0n);

  function ended(isShort: boolean): Walked {
    return {
      sizeLots: walkedLots as Lots,
      quoteAtoms: (amountAtoms - left) as Atoms,
      isShort,
    };
  }
}
