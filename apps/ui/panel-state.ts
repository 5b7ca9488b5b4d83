// States of every panel. Views choose one; `Panel` renders all of them the same way.

export type PanelState =
  | { readonly kind: 'ready' }
  | { readonly kind: 'loading' }
  /** Nothing to show, with a hint for the user. */
  | { readonly kind: 'empty'; readonly text: string }
  /** Shown data is from `sinceMs` and no longer live. */
  | { readonly kind: 'stale'; readonly sinceMs: number }
  | { readonly kind: 'refused'; readonly message: string; readonly code?: number | undefined }
  /** The request might have been executed. */
  | { readonly kind: 'unknown'; readonly message?: string }
  /** Requires signing in or a permission. */
  | { readonly kind: 'forbidden'; readonly needs: 'session' | 'permission' };

export const READY: PanelState = { kind: 'ready' };
export const LOADING: PanelState = { kind: 'loading' };

/** Fields of a client error; other errors have none of them. */
interface Refusal {
  readonly status?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
  readonly isOutcomeUnknown?: unknown;
}

export function stateOfError(error: unknown): PanelState {
  const { code, isOutcomeUnknown, message, status } = (error ?? {}) as Refusal;
  const text = typeof message === 'string' ? message : String(error);
  if (isOutcomeUnknown === true) return { kind: 'unknown', message: text };
  if (status === 401) return { kind: 'forbidden', needs: 'session' };
  if (status === 403) return { kind: 'forbidden', needs: 'permission' };
  return { kind: 'refused', message: text, code: typeof code === 'number' ? code : undefined };
}

/** Returns the state of a fetched list: error first, then loading, then empty. */
export function stateOfList(
  query: { readonly error: unknown; readonly data: readonly unknown[] | undefined },
  emptyText: string,
): PanelState {
  if (query.error !== null && query.error !== undefined) return stateOfError(query.error);
  if (query.data === undefined) return LOADING;
  return query.data.length === 0 ? { kind: 'empty', text: emptyText } : READY;
}
