// Notices about orders that fill or are canceled while the user is on another screen.

import type { AccountOrder, AccountState } from './account-state.ts';

export interface OrderNotice {
  readonly kind: 'filled' | 'part' | 'canceled';
  readonly order: AccountOrder;
}

/** Notices that the user wants, stored in the account. */
export type NoticeChoice = Readonly<Record<OrderNotice['kind'], boolean>>;

const SETTINGS: Readonly<Record<OrderNotice['kind'], string>> = {
  filled: 'popup_order_completed',
  part: 'popup_order_partially_filled',
  canceled: 'popup_order_canceled',
};

/** Reads the group `notification` in `settings`. Anything but false means on. */
export function readNotices(settings: unknown): NoticeChoice {
  const group = (settings ?? {}) as Readonly<Record<string, unknown>>;
  return {
    filled: group[SETTINGS.filled] !== false,
    part: group[SETTINGS.part] !== false,
    canceled: group[SETTINGS.canceled] !== false,
  };
}

/** Returns the entire group, because the exchange replaces groups. */
export function writeNotices(
  settings: unknown,
  kind: OrderNotice['kind'],
  isOn: boolean,
): Record<string, boolean> {
  const group = Object.entries((settings ?? {}) as Readonly<Record<string, unknown>>);
  const known = group.filter((field): field is [string, boolean] => typeof field[1] === 'boolean');
  return { ...Object.fromEntries(known), [SETTINGS[kind]]: isOn };
}

/** Skips cancellations by the user, which are confirmed where they were requested. */
export function noticesBetween(before: AccountState, after: AccountState): OrderNotice[] {
  if (!before.isKnown || before === after) return [];
  const wasClosed = new Set(before.closed.map(({ id }) => id));
  const filledBefore = new Map(before.open.map(({ filled, id }) => [id, filled]));
  const closed = after.closed
    .filter(({ id }) => !wasClosed.has(id))
    .flatMap((order): OrderNotice[] => {
      if (order.status === 'filled') return [{ kind: 'filled', order }];
      return order.close_reason === 'canceled_by_user' ? [] : [{ kind: 'canceled', order }];
    });
  const parts = after.open
    .filter(({ filled, id }) => (filledBefore.get(id) ?? filled) !== filled)
    .map((order): OrderNotice => ({ kind: 'part', order }));
  return [...closed, ...parts];
}
