// The states that every panel can be in. Views say which; `Panel` draws all of them the same way.

export type PanelState =
  | { readonly kind: 'ready' }
  | { readonly kind: 'loading' }
  /** Nothing to show, and what the user can do about it. */
  | { readonly kind: 'empty'; readonly text: string }
  /** Shown data are from `sinceMs` and no longer follow the exchange. */
  | { readonly kind: 'stale'; readonly sinceMs: number }
  | { readonly kind: 'refused'; readonly message: string; readonly code?: number | undefined }
  /** The request may have been carried out. */
  | { readonly kind: 'unknown'; readonly message?: string }
  /** Needs a sign-in or a permission. */
  | { readonly kind: 'forbidden'; readonly needs: 'session' | 'permission' };

export const READY: PanelState = { kind: 'ready' };
export const LOADING: PanelState = { kind: 'loading' };

/** The fields of an error of the client; anything else is an error without them. */
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

/** The state of a list that is fetched: its error first, then loading, then emptiness. */
export function stateOfList(
  query: { readonly error: unknown; readonly data: readonly unknown[] | undefined },
  emptyText: string,
): PanelState {
  if (query.error !== null && query.error !== undefined) return stateOfError(query.error);
  if (query.data === undefined) return LOADING;
  return query.data.length === 0 ? { kind: 'empty', text: emptyText } : READY;
}
