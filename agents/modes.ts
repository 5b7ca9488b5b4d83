// The modes of a market: their changes to the fair value and to the agents. A flash crash is stated
// as a fall; it ends itself when the fall is reached or after its time.

import type { Regime } from './fair-value/fair-value.ts';

export const MODES = ['normal', 'calm', 'wild', 'trending', 'flash-crash', 'cancelling'] as const;
export type Mode = (typeof MODES)[number];

export interface Crash {
  readonly symbol: string;
  readonly beginsMs: number;
  /** The part of the price that is lost, when the seller stops. */
  readonly fall: number;
}

/** The changes of a mode to the fair value. */
export function pathOf(mode: Mode): { regime?: Regime; drift?: number } {
  if (mode === 'calm') return { regime: 'calm' };
  if (mode === 'wild') return { regime: 'wild' };
  if (mode === 'trending') return { regime: 'normal', drift: 0.02 };
  return {};
}

const SELLS_FOR_MS = 60_000;
const RECOVERS_FOR_MS = 60_000;
/** The market of a crash, when it begins after the start, and how deep it is. */
const CRASH_SYMBOL = 'btc-usdt';
const CRASH_AFTER_MS = 120_000;
const CRASH_FALL = 0.03;

/** The conditions of a mode for agents at a moment. */
export class Conditions {
  readonly mode: Mode;
  readonly crash: Crash | undefined;
  #soldOut = false;

  constructor(mode: Mode, startMs: number, crashAfterMs = CRASH_AFTER_MS) {
    this.mode = mode;
    const beginsMs = startMs + crashAfterMs;
    this.crash =
      mode === 'flash-crash' ? { symbol: CRASH_SYMBOL, beginsMs, fall: CRASH_FALL } : undefined;
  }

  get toleranceFactor(): number {
    return this.mode === 'cancelling' ? 0.1 : 1;
  }

  get makerSpeed(): number {
    return this.mode === 'cancelling' ? 20 : 1;
  }

  /** The seller sells. */
  isSelling(symbol: string, nowMs: number): boolean {
    return !this.#soldOut && this.#isWithin(symbol, nowMs, SELLS_FOR_MS);
  }

  /** Fast makers are away, and others trust the market more than their model. */
  isPanic(symbol: string, nowMs: number): boolean {
    return this.#isWithin(symbol, nowMs, SELLS_FOR_MS + RECOVERS_FOR_MS);
  }

  endSale(): void {
    this.#soldOut = true;
  }

  #isWithin(symbol: string, nowMs: number, lengthMs: number): boolean {
    const { crash } = this;
    if (crash === undefined || crash.symbol !== symbol) return false;
    return nowMs >= crash.beginsMs && nowMs < crash.beginsMs + lengthMs;
  }
}
