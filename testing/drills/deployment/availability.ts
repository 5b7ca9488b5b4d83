// Records every success of a client, by kind. The longest time without a success is how long that
// kind was unavailable.

export type Kind = 'orders' | 'reads' | 'streams' | 'withdrawals';

export const KINDS: readonly Kind[] = ['orders', 'reads', 'streams', 'withdrawals'];

export class Availability {
  readonly #times: Record<Kind, number[]> = { orders: [], reads: [], streams: [], withdrawals: [] };

  succeeded(kind: Kind): void {
    this.#times[kind].push(performance.now());
  }

  countSince(kind: Kind, sinceMs: number): number {
    return this.#times[kind].filter((time) => time > sinceMs).length;
  }

  /**
   * Returns the longest time without a success of this kind, starting at the last one before the
   * moment.
   */
  longestGapMs(kind: Kind, sinceMs: number): number {
    const times = this.#times[kind];
    const before = times.findLast((time) => time <= sinceMs) ?? sinceMs;
    const all = [before, ...times.filter((time) => time > sinceMs), performance.now()];
    return all.reduce((gap, time, at) => (at === 0 ? 0 : Math.max(gap, time - all[at - 1])), 0);
  }
}
