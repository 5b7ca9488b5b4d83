// The status of a market as operators change it: which follow, and how many others must agree.

import type { ListedPair, PairChangeIn } from '../../../client/index.ts';

export type Status = ListedPair['status'];

/** In the order in which an operator thinks of them: trading first, then less and less. */
export const STATUSES: readonly Status[] = [
  'full',
  'auction',
  'post-only',
  'cancel-only',
  'paused',
  'maintenance',
  'pre-launch',
  'migration',
  'inactive',
  'delisted',
];

const ACCEPTS_ORDERS: readonly Status[] = ['full', 'auction', 'post-only'];

/** People besides the requester who must agree, outside of the set-up. */
export function peopleFor(status: Status): 0 | 1 | 2 {
  if (status === 'delisted') return 2;
  return ACCEPTS_ORDERS.includes(status) ? 1 : 0;
}

export const AUCTION_SECONDS_MAX = 7 * 86_400;

/** Undefined if the seconds are no length of an auction; empty means without an end. */
export function statusBody(
  code: string,
  status: Status,
  auctionSeconds: string,
): PairChangeIn | undefined {
  if (status !== 'auction' || auctionSeconds === '') return { code, status };
  const seconds = Number(auctionSeconds);
  const isLength = Number.isInteger(seconds) && seconds >= 1 && seconds <= AUCTION_SECONDS_MAX;
  return isLength ? { code, status, auction_seconds: seconds } : undefined;
}
