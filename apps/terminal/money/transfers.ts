// Deposits and withdrawals: their stage, and whether the user can still cancel.

import type { Coin, DepositOrWithdrawal, WithdrawalNews } from '../../../client/index.ts';

/**
 * unconfirmed ──email code──▶ held ──▶ paying ──▶ completed
 * held ──review──▶ reviewed ──approved──▶ held
 * Each of the first four can end in canceled or rejected.
 */
export type Stage =
  | 'unconfirmed'
  | 'reviewed'
  | 'held'
  | 'paying'
  | 'completed'
  | 'canceled'
  | 'rejected'
  | 'pending';

const STAGES: Readonly<Record<WithdrawalNews['state'], Stage>> = {
  unconfirmed: 'unconfirmed',
  awaiting_recipient: 'unconfirmed',
  opening: 'held',
  executing: 'paying',
  pending: 'pending',
  crediting: 'pending',
  in_review: 'reviewed',
  approved: 'held',
  claimed: 'paying',
  completing: 'paying',
  canceling: 'canceled',
  dismissing: 'canceled',
  expiring: 'canceled',
  rejecting: 'rejected',
  completed: 'completed',
  refused: 'rejected',
  canceled: 'canceled',
  dismissed: 'canceled',
  rejected: 'rejected',
  expired: 'canceled',
};

/** Uses the exact state from the stream if there is one, otherwise the flags in the list. */
export function stageOf(
  transfer: DepositOrWithdrawal,
  state?: WithdrawalNews['state'] | undefined,
): Stage {
  if (state !== undefined) return STAGES[state];
  if (transfer.status) return 'completed';
  if (transfer.rejected) return 'rejected';
  if (transfer.dismissed) return 'canceled';
  if (transfer.type === 'deposit') return transfer.waiting ? 'reviewed' : 'pending';
  if (transfer.processing) return 'paying';
  if (!transfer.waiting) return 'held';
  return transfer.policy === undefined ? 'unconfirmed' : 'reviewed';
}

/** A deposit on a chain that the exchange follows, before it is credited or reviewed. */
export function isConfirming(transfer: DepositOrWithdrawal): boolean {
  return transfer.confirmations !== undefined && stageOf(transfer) === 'pending';
}

/** Decides only whether to show the button; the exchange decides whether it is canceled. */
export function canCancel(stage: Stage): boolean {
  return stage === 'unconfirmed' || stage === 'reviewed' || stage === 'held';
}

export type StepStatus = 'done' | 'now' | 'next' | 'failed';
export type Step = 'requested' | 'confirmed' | 'checked' | 'paid';

/** Returns the four steps of a withdrawal with their status. */
export function stepsOf(stage: Stage): readonly (readonly [Step, StepStatus])[] {
  const steps: readonly Step[] = ['requested', 'confirmed', 'checked', 'paid'];
  const reached: Readonly<Record<Stage, number>> = {
    unconfirmed: 1,
    pending: 1,
    reviewed: 2,
    held: 3,
    paying: 3,
    completed: 4,
    canceled: 1,
    rejected: 2,
  };
  const at = reached[stage];
  const isBroken = stage === 'canceled' || stage === 'rejected';
  return steps.map((step, index) => {
    if (index < at) return [step, 'done'];
    if (index > at) return [step, 'next'];
    return [step, isBroken ? 'failed' : 'now'];
  });
}

/** A transfer to a sub-account or another user has no network. */
export function isInternal({ address, network }: DepositOrWithdrawal): boolean {
  return address === 'transfer' || network === 'email';
}

/** Splits `address:tag`. */
export function splitAddress(text: string): { address: string; tag: string | undefined } {
  const at = text.lastIndexOf(':');
  return at < 0
    ? { address: text, tag: undefined }
    : { address: text.slice(0, at), tag: text.slice(at + 1) };
}

/** Returns the networks of an asset, or none. */
export function networksOf({ network }: Pick<Coin, 'network'>): string[] {
  return network.split(',').filter((name) => name !== '');
}

/** Splits a text into groups of four, which are easier to compare. */
export function inFours(address: string): string[] {
  return address.match(/.{1,4}/gu) ?? [];
}
