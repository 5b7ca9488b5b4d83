// The user's open orders, closed orders, fills and balances from the private stream, with each
// event applied once and in order. A snapshot replaces everything.

import type { AccountMessage, Order, UserEvents, UserTrade } from '../../client/index.ts';

export type AccountOrder = Omit<Order, 'client_order_id'> & { readonly client_order_id?: string };

export interface AccountState {
  /** Newest first. */
  readonly open: readonly AccountOrder[];
  /** Orders closed while this page was open, newest first. */
  readonly closed: readonly AccountOrder[];
  /** Newest first. */
  readonly fills: readonly UserTrade[];
  readonly balances: ReadonlyMap<string, Balance>;
  /** False until the first snapshot. */
  readonly isKnown: boolean;
}

export interface Balance {
  readonly total: string;
  readonly available: string;
}

export const NO_ACCOUNT: AccountState = {
  open: [],
  closed: [],
  fills: [],
  balances: new Map(),
  isKnown: false,
};

const KEPT = 200;

export function applyEvents(state: AccountState, events: UserEvents): AccountState {
  const start = events.action === 'snapshot' ? { ...NO_ACCOUNT, closed: state.closed } : state;
  const next = events.messages.reduce(applyMessage, start);
  return { ...next, isKnown: true };
}

function applyMessage(state: AccountState, message: AccountMessage): AccountState {
  if (message.topic === 'order') {
    if (message.action === 'partial') return { ...state, open: [...message.data].reverse() };
    return (message.data as readonly AccountOrder[]).reduce(applyOrder, state);
  }
  if (message.topic === 'usertrade') {
    const fills = message.action === 'partial' ? [] : state.fills;
    return { ...state, fills: [...message.data, ...fills].slice(0, KEPT) };
  }
  return { ...state, balances: withBalances(state.balances, message.data) };
}

function applyOrder(state: AccountState, order: AccountOrder): AccountState {
  const isOpen = order.status === 'new' || order.status === 'pfilled';
  const at = state.open.findIndex(({ id }) => id === order.id);
  if (!isOpen) {
    const closed = [order, ...state.closed.filter(({ id }) => id !== order.id)].slice(0, KEPT);
    return { ...state, closed, open: state.open.filter(({ id }) => id !== order.id) };
  }
  const open = at < 0 ? [order, ...state.open] : state.open.with(at, order);
  return { ...state, open };
}

/** Reads fields such as `btc_balance` and `btc_available`. */
export function withBalances(
  balances: ReadonlyMap<string, Balance>,
  data: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, Balance> {
  const next = new Map(balances);
  for (const [field, value] of Object.entries(data)) {
    const match = /^(\w+)_(balance|available)$/.exec(field);
    if (match === null || typeof value !== 'string') continue;
    const [, coin, part] = match;
    const known = next.get(coin) ?? { total: '0', available: '0' };
    next.set(coin, { ...known, [part === 'balance' ? 'total' : 'available']: value });
  }
  return next;
}
