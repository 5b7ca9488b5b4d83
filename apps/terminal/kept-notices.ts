// Order notices of this browser, and how far the user has read them.

import { Cell } from '../ui/index.ts';
import { type KeptNotice, readKept, withNotice } from './notice-history.ts';

const ORDERS_AS = 'rialto.notices';
const SEEN_AS = 'rialto.notices-seen';

/** Notices about orders; empty until `openNotices`. */
export const orderNotices = new Cell<readonly KeptNotice[]>([]);

/** Another user of the same browser does not see them. */
export function openNotices(user: number): void {
  orderNotices.set(readKept(localStorage.getItem(ORDERS_AS), user));
}

export function keepNotice(user: number, notice: KeptNotice): void {
  const kept = withNotice(orderNotices.latest, notice);
  orderNotices.set(kept);
  localStorage.setItem(ORDERS_AS, JSON.stringify({ owner: user, kept }));
}

/** Time of the newest notice that the user has seen. */
export function readSeen(): string {
  return localStorage.getItem(SEEN_AS) ?? '';
}

export function writeSeen(at: string): void {
  localStorage.setItem(SEEN_AS, at);
}
