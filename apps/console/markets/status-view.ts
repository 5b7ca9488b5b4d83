// Market status changes: the possible statuses, and how many approvals each needs.

import type { ListedPair, PairChangeIn } from '../../../client/index.ts';

export type Status = ListedPair['status'];

/** From full trading to no trading. */
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

/** Returns the number of approvals needed from other operators, after setup. */
export function peopleFor(status: Status): 0 | 1 | 2 {
  if (status === 'delisted') return 2;
  return ACCEPTS_ORDERS.includes(status) ? 1 : 0;
}

export const AUCTION_SECONDS_MAX = 7 * 86_400;

/** Returns undefined if the auction duration is invalid. An empty duration means no end. */
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
