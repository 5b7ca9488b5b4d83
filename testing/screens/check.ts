// A check of the screens: it throws if they are wrong, and may give figures for the report.

import type { Stage } from './stage.ts';

export type Figures = Readonly<Record<string, number>>;

export interface Check {
  readonly name: string;
  /** Also with `--quick`. */
  readonly isQuick: boolean;
  /** Agents trade in the full run, and would meet its orders. */
  readonly needsQuietMarket?: true;
  /** A journey of a person, which is counted. */
  readonly isJourney?: true;
  run(stage: Stage, options: { readonly isQuick: boolean }): Promise<Figures | undefined>;
}
