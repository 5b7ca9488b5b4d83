// The messages between the drill and the process of its clients.

import type { FrameWanted } from './frames-heard.ts';

/** Handed over as the first argument, as JSON. */
export interface ClientPlan {
  readonly urls: readonly string[];
  readonly exchange: string;
  readonly clients: number;
  readonly seed: number;
  /** All clients together, at full pace and at a slow one. */
  readonly commandsPerSecond: number;
  readonly slowCommandsPerSecond: number;
  readonly pendingMaxPerClient: number;
  /** Where the records go, one file for each source. */
  readonly folder: string;
}

export interface Counts {
  readonly answered: number;
  readonly notTaken: number;
  readonly unknown: number;
  readonly pending: number;
}

export type WordToClients =
  /** Later commands belong to this round. */
  | { readonly kind: 'round'; readonly round: number }
  | { readonly kind: 'pace'; readonly isSlow: boolean }
  /** Answered with `heard` as soon as there is such a frame. */
  | { readonly kind: 'await-frame'; readonly id: number; readonly wanted: FrameWanted }
  | { readonly kind: 'ask-gap'; readonly id: number; readonly sinceMs: number }
  /** Sends no more; answered with `finished` when everything is answered or given up. */
  | { readonly kind: 'finish' };

export type WordFromClients =
  /** The exchange is set up and trading begins. */
  | { readonly kind: 'trading' }
  | { readonly kind: 'heard'; readonly id: number; readonly atMs: number }
  | { readonly kind: 'gap'; readonly id: number; readonly gapMs: number }
  | { readonly kind: 'counts'; readonly counts: Counts }
  | { readonly kind: 'finished' };

export function recordsFile(folder: string, source: number): string {
  return `${folder}/told-${source}.bin`;
}
