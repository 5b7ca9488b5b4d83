// Totals over all clients of the drill.

export interface FollowerTally {
  messages: number;
  resumed: number;
  snapshots: number;
  /**
   * Snapshots that the client did not request, because the gateway noticed that it missed
   * something.
   */
  unasked: number;
  reconnects: number;
  gaps: number;
  duplicates: number;
  checksumFailures: number;
  readonly examples: string[];
}

export function newTally(): FollowerTally {
  return {
    messages: 0,
    resumed: 0,
    snapshots: 0,
    unasked: 0,
    reconnects: 0,
    gaps: 0,
    duplicates: 0,
    checksumFailures: 0,
    examples: [],
  };
}
