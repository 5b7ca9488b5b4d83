// Exponential backoff with jitter: the delay doubles with each attempt up to a maximum, and jitter
// keeps clients that lost a server together from reconnecting together.

export interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
}

/**
 * `attempt` counts from 0; `chance` in [0, 1) picks a delay between half and all of the maximum.
 */
export function backoffMs(
  { firstMs, maxMs }: Backoff,
  { attempt, chance }: { readonly attempt: number; readonly chance: number },
): number {
  const fullMs = Math.min(maxMs, firstMs * 2 ** Math.min(attempt, 30));
  return Math.round(fullMs / 2 + (fullMs / 2) * chance);
}
