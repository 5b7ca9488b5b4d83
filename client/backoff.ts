// How long to wait before trying again: twice as long each time, up to a bound, and never quite the
// same, so that those who lost a server together do not all come back at once.

export interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
}

/** `attempt` counts from 0; `chance` is in [0, 1). Between half of it and the whole. */
export function backoffMs(
  { firstMs, maxMs }: Backoff,
  { attempt, chance }: { readonly attempt: number; readonly chance: number },
): number {
  const wholeMs = Math.min(maxMs, firstMs * 2 ** Math.min(attempt, 30));
  return Math.round(wholeMs / 2 + (wholeMs / 2) * chance);
}
