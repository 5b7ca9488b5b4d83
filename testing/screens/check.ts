// Interface of a screen check. A check throws on failure and can return figures for the report.

import type { Stage } from './stage.ts';

export type Figures = Readonly<Record<string, number>>;

/** smoke: part of `npm run test:all`; quick: runs within a minute; full: everything. */
export type Extent = 'smoke' | 'quick' | 'full';
const EXTENTS: readonly Extent[] = ['smoke', 'quick', 'full'];

/**
 * people: run one after another, because they act as the same users. views: read only, run next to
 * the others. alone: disturb or measure the exchange, so nothing else runs.
 */
export type Lane = 'people' | 'views' | 'alone';

export interface Check {
  readonly name: string;
  /** Minimum extent that includes this check. */
  readonly from: Extent;
  readonly lane: Lane;
  /** Runs on a stage without agents, because in a full run they would trade against its orders. */
  readonly needsQuietMarket?: true;
  /** Whether this is a user journey. Journeys are counted. */
  readonly isJourney?: true;
  run(stage: Stage, options: { readonly extent: Extent }): Promise<Figures | undefined>;
}

export function isDue({ from }: Pick<Check, 'from'>, extent: Extent): boolean {
  return EXTENTS.indexOf(from) <= EXTENTS.indexOf(extent);
}
