// A check of the screens: it throws if they are wrong, and may give figures for the report.

import type { Stage } from './stage.ts';

export type Figures = Readonly<Record<string, number>>;

/** smoke: a part of `npm run test:all`; quick: fits into a minute; full: everything. */
export type Extent = 'smoke' | 'quick' | 'full';
const EXTENTS: readonly Extent[] = ['smoke', 'quick', 'full'];

/**
 * people: one after the other, because they act as the same people. views: only look, beside the
 * others. alone: they disturb or measure, so nothing else runs.
 */
export type Lane = 'people' | 'views' | 'alone';

export interface Check {
  readonly name: string;
  /** The smallest extent that it is a part of. */
  readonly from: Extent;
  readonly lane: Lane;
  /** Agents trade in the full run, and would meet its orders: it gets a stage without them. */
  readonly needsQuietMarket?: true;
  /** A journey of a person, which is counted. */
  readonly isJourney?: true;
  run(stage: Stage, options: { readonly extent: Extent }): Promise<Figures | undefined>;
}

export function isDue({ from }: Pick<Check, 'from'>, extent: Extent): boolean {
  return EXTENTS.indexOf(from) <= EXTENTS.indexOf(extent);
}
