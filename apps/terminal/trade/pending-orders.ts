// Orders whose response was lost: each is looked up by its client order ID until the exchange
// reports it or its absence is certain. Never sends an order.

/**
 * looking ──found──▶ placed
 * looking ──not found LOOK_UPS times──▶ absent
 */
export interface PendingOrder {
  readonly clientOrderId: string;
  /** Text of the order, as the user confirmed it. */
  readonly words: string;
  readonly status: 'looking' | 'placed' | 'absent';
  readonly lookUps: number;
}

export type LookUp = 'found' | 'not found' | 'no answer';

/** A request can arrive late, so one "not found" response proves nothing. */
export const LOOK_UPS = 5;
export const LOOK_UP_EVERY_MS = 2_000;

export function afterLookUp(pending: PendingOrder, result: LookUp): PendingOrder {
  if (pending.status !== 'looking' || result === 'no answer') return pending;
  if (result === 'found') return { ...pending, status: 'placed' };
  const lookUps = pending.lookUps + 1;
  return { ...pending, lookUps, status: lookUps >= LOOK_UPS ? 'absent' : 'looking' };
}

/** Applies the private stream, which can report the order before a look-up does. */
export function afterStream(
  pending: readonly PendingOrder[],
  known: readonly { readonly client_order_id?: string }[],
): readonly PendingOrder[] {
  const ids = new Set(known.map(({ client_order_id }) => client_order_id));
  const isSeen = ({ clientOrderId, status }: PendingOrder) =>
    status !== 'placed' && ids.has(clientOrderId);
  if (!pending.some(isSeen)) return pending;
  return pending.map((one) => (isSeen(one) ? { ...one, status: 'placed' } : one));
}

/** Reads this tab's pending orders after a reload. Anything invalid is ignored. */
export function readPending(text: string | null): readonly PendingOrder[] {
  let stored: unknown;
  try {
    stored = JSON.parse(text ?? '[]');
  } catch {
    return [];
  }
  return Array.isArray(stored) ? stored.filter(isPending) : [];
}

function isPending(one: Partial<PendingOrder> | null): one is PendingOrder {
  return (
    typeof one?.clientOrderId === 'string' &&
    typeof one.words === 'string' &&
    typeof one.lookUps === 'number' &&
    (one.status === 'looking' || one.status === 'placed' || one.status === 'absent')
  );
}
