// Orders whose answer was lost: each is looked up by its client order id until the exchange knows
// it or certainly does not. Nothing here ever sends an order.

/**
 * looking ──found──▶ placed
 * looking ──unknown to the exchange for LOOK_UPS times──▶ absent
 */
export interface PendingOrder {
  readonly clientOrderId: string;
  /** The act in words, as the user confirmed it. */
  readonly words: string;
  readonly status: 'looking' | 'placed' | 'absent';
  readonly lookUps: number;
}

export type LookUp = 'found' | 'not found' | 'no answer';

/** A request may arrive late, so one answer that the order is unknown proves nothing. */
export const LOOK_UPS = 5;
export const LOOK_UP_EVERY_MS = 2_000;

export function afterLookUp(pending: PendingOrder, result: LookUp): PendingOrder {
  if (pending.status !== 'looking' || result === 'no answer') return pending;
  if (result === 'found') return { ...pending, status: 'placed' };
  const lookUps = pending.lookUps + 1;
  return { ...pending, lookUps, status: lookUps >= LOOK_UPS ? 'absent' : 'looking' };
}

/** The private stream may report the order before a look-up does. */
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

/** The lane of this tab survives a reload. Anything that is no entry is left out. */
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
