// Messages between the drill and its client process.

import type { FrameWanted } from './frame-arrivals.ts';

/** Passed as the first argument, as JSON. */
export interface ClientPlan {
  readonly urls: readonly string[];
  readonly exchange: string;
  readonly clients: number;
  readonly seed: number;
  /** Rates of all clients in total, at full and at slow pace. */
  readonly commandsPerSecond: number;
  readonly slowCommandsPerSecond: number;
  readonly pendingMaxPerClient: number;
  /** Folder of the records, one file per source. */
  readonly folder: string;
}

export interface Counts {
  readonly answered: number;
  readonly notTaken: number;
  readonly unknown: number;
  readonly pending: number;
}

export type MessageToClients =
  /** Later commands belong to this round. */
  | { readonly kind: 'round'; readonly round: number }
  | { readonly kind: 'pace'; readonly isSlow: boolean }
  /** Answered with `frame` as soon as such a frame arrives. */
  | { readonly kind: 'await-frame'; readonly id: number; readonly wanted: FrameWanted }
  | { readonly kind: 'ask-gap'; readonly id: number; readonly sinceMs: number }
  /** Stops sending; answered with `finished` when every command is answered or timed out. */
  | { readonly kind: 'finish' };

export type MessageFromClients =
  /** The exchange is set up and trading begins. */
  | { readonly kind: 'trading' }
  | { readonly kind: 'frame'; readonly id: number; readonly atMs: number }
  | { readonly kind: 'gap'; readonly id: number; readonly gapMs: number }
  | { readonly kind: 'counts'; readonly counts: Counts }
  | { readonly kind: 'finished' };

export function recordsFile(folder: string, source: number): string {
  return `${folder}/outcomes-${source}.bin`;
}
