// Orders that a market accepts in each status, as docs/trading-rules.md defines. Never decides: the
// exchange checks every order again.

import type { Pair } from '../../../client/index.ts';
import { type Draft, hasPrice, hasStop, mayPostOnly } from './order-draft.ts';

export type MarketStatus = Pair['status'];

export type Accepted = 'all' | 'post_only' | 'resting_limit' | 'none';

export function acceptedBy(status: MarketStatus): Exclude<Accepted, 'all'> {
  if (status === 'post-only') return 'post_only';
  return status === 'auction' ? 'resting_limit' : 'none';
}

export function isAccepted(draft: Draft, status: MarketStatus): boolean {
  if (status === 'full') return true;
  const accepted = acceptedBy(status);
  const isPostOnly = mayPostOnly(draft) && draft.isPostOnly;
  if (accepted === 'post_only') return isPostOnly;
  if (accepted === 'none') return false;
  return hasStop(draft.kind) || (hasPrice(draft.kind) && draft.timeInForce === 'GTC');
}
