// State of a deposit or withdrawal, derived from its API flags.

import type { DepositOrWithdrawalOfUser } from '../../../client/index.ts';

export type TransferState =
  | 'completed'
  | 'dismissed'
  | 'rejected'
  | 'onhold'
  | 'processing'
  | 'waiting'
  | 'open';

type Flags = Pick<
  DepositOrWithdrawalOfUser,
  'dismissed' | 'onhold' | 'processing' | 'rejected' | 'status' | 'waiting'
>;

export function transferState(flags: Flags): TransferState {
  if (flags.status) return 'completed';
  if (flags.rejected) return 'rejected';
  if (flags.dismissed) return 'dismissed';
  if (flags.onhold) return 'onhold';
  if (flags.processing) return 'processing';
  return flags.waiting ? 'waiting' : 'open';
}

/** Returns whether it can still be credited, rejected or dismissed. */
export function isOpen(flags: Flags): boolean {
  return !flags.status && !flags.rejected && !flags.dismissed;
}
