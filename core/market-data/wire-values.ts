// Numbers as JSON on the wire: plain decimals from integers, never through a float. Publisher and
// gateways write a market's numbers only with these functions.

import {
  type Atoms,
  decimalFromAtoms,
  decimalFromLots,
  decimalFromTicks,
  type LotSize,
  type Lots,
  type Ppm,
  type TickSize,
  type Ticks,
} from '../money/index.ts';

// Orders repeat prices and sizes when they are placed, filled and closed, and so do their
// neighbors in the book, so texts are cached per market.
const TEXTS_KEPT = 4_096;
const texts = new WeakMap<TickSize | LotSize, Map<number, string>>();
const rates = new Map<number, string>();

export function priceText({ tick }: { readonly tick: TickSize }, priceTicks: Ticks): string {
  const known = textsOf(tick);
  return known.get(priceTicks) ?? keep(known, priceTicks, decimalFromTicks(priceTicks, tick));
}

export function sizeText({ lot }: { readonly lot: LotSize }, sizeLots: Lots): string {
  const known = textsOf(lot);
  return known.get(sizeLots) ?? keep(known, sizeLots, decimalFromLots(sizeLots, lot));
}

/** A total of lots, which can exceed the safe integers. */
export function volumeText({ lot }: { readonly lot: LotSize }, lots: bigint): string {
  return decimalFromAtoms((lots * lot.atoms) as Atoms, lot.scale);
}

// A rate of 1,000,000 ppm is 100%: four decimal places.
const PERCENT_DIGITS = 4;

/** Fee rates are in percent on the wire. */
export function percentText(rate: Ppm): string {
  const text = rates.get(rate);
  return text ?? keep(rates, rate, decimalFromAtoms(BigInt(rate) as Atoms, PERCENT_DIGITS));
}

// An average lies between ticks: this many more digits, truncated.
const AVERAGE_DIGITS = 8;

/** The average price of lots for quote atoms; 0 without lots. */
export function averageText(
  { tick, tickLotAtoms }: { readonly tick: TickSize; readonly tickLotAtoms: Atoms },
  filled: { readonly lots: Lots; readonly quoteAtoms: bigint },
): string {
  if (filled.lots === 0) return '0';
  const atomsOfTick = tickLotAtoms * BigInt(filled.lots);
  const ticks = filled.quoteAtoms / atomsOfTick;
  // Most orders are filled at one price.
  if (ticks * atomsOfTick === filled.quoteAtoms) return priceText({ tick }, Number(ticks) as Ticks);
  const above = filled.quoteAtoms * BigInt(tick.mantissa) * 10n ** BigInt(AVERAGE_DIGITS);
  const average = above / atomsOfTick;
  return decimalFromAtoms(average as Atoms, tick.scale + AVERAGE_DIGITS);
}

export function secondsOf(timeMs: number): number {
  return Math.floor(timeMs / 1_000);
}

function textsOf(unit: TickSize | LotSize): Map<number, string> {
  let known = texts.get(unit);
  if (known === undefined) {
    known = new Map();
    texts.set(unit, known);
  }
  return known;
}

function keep(known: Map<number, string>, count: number, text: string): string {
  if (known.size >= TEXTS_KEPT) known.clear();
  known.set(count, text);
  return text;
}
