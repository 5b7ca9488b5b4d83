// State machine for a withdrawal, a burn or the sending side of a transfer: every state, the wire
// flags it implies, and every move. No other module may list these states or decide whether a move
// is legal.

import { type Arrow, StateMachine, type StateMeaning } from '../state-machine.ts';

const STATES = {
  /** Not confirmed by email yet. Nothing is on hold. */
  unconfirmed: { phase: 'open', wire: ['waiting'] },
  /** Confirmed, to an email address without an account. Nothing is on hold. */
  awaiting_recipient: { phase: 'open', wire: ['waiting'] },
  /** A command to hold the amount and the fee is pending in the engine. */
  opening: { phase: 'asked', wire: [] },
  /** A command to burn or transfer without a hold is pending in the engine. */
  executing: { phase: 'asked', wire: [] },
  /** On hold. Needs approval by an operator. */
  in_review: { phase: 'open', wire: ['waiting'] },
  /** On hold. Can be paid. */
  approved: { phase: 'open', wire: [] },
  /** On hold. A payer is paying it, and only the payer can release it. */
  claimed: { phase: 'open', wire: ['processing'] },
  /** Paid. A command to move the amount out of the exchange is pending in the engine. */
  completing: { phase: 'asked', wire: ['processing'] },
  /**
   * A command to release the amount is pending in the engine; each state names the end that
   * follows.
   */
  canceling: { phase: 'asked', wire: ['dismissed'] },
  dismissing: { phase: 'asked', wire: ['dismissed'] },
  rejecting: { phase: 'asked', wire: ['rejected'] },
  expiring: { phase: 'asked', wire: ['dismissed'] },
  /** The amount has left the user's account. */
  completed: { phase: 'ended', wire: ['status'] },
  /** Rejected by the engine. Nothing moved. */
  refused: { phase: 'ended', wire: ['rejected'] },
  /** Canceled by its user. */
  canceled: { phase: 'ended', wire: ['dismissed'] },
  /** Ended by an operator. */
  dismissed: { phase: 'ended', wire: ['dismissed'] },
  rejected: { phase: 'ended', wire: ['rejected'] },
  /** Not confirmed, or not approved, in time. */
  expired: { phase: 'ended', wire: ['dismissed'] },
} as const satisfies Record<string, StateMeaning>;

export type WithdrawalState = keyof typeof STATES;

const OPEN = ['OpenWithdrawal'] as const;
const COMPLETE = ['CompleteWithdrawal'] as const;
const CANCEL = ['CancelWithdrawal'] as const;
const AT_ONCE = ['BurnAsset', 'TransferAsset'] as const;
const PAYERS = ['payer', 'operator'] as const;

// biome-ignore format: a table
const ARROWS = [
  { move: 'requestConfirmation', from: 'new', to: 'unconfirmed', by: ['user'] },
  { move: 'request', from: 'new', to: 'opening', by: ['user', 'operator'], appends: OPEN },
  { move: 'execute', from: 'new', to: 'executing', by: ['user', 'operator'], appends: AT_ONCE },

  { move: 'confirm', from: 'unconfirmed', to: 'opening', by: ['user'], appends: OPEN },
  { move: 'execute', from: 'unconfirmed', to: 'executing', by: ['user'], appends: AT_ONCE },
  { move: 'awaitRecipient', from: 'unconfirmed', to: 'awaiting_recipient', by: ['user'] },
  { move: 'cancel', from: 'unconfirmed', to: 'canceled', by: ['user'] },
  { move: 'dismiss', from: 'unconfirmed', to: 'dismissed', by: ['operator'] },
  { move: 'reject', from: 'unconfirmed', to: 'rejected', by: ['operator'] },
  { move: 'expire', from: 'unconfirmed', to: 'expired', by: ['clock'] },

  { move: 'cancel', from: 'awaiting_recipient', to: 'canceled', by: ['user'] },
  { move: 'dismiss', from: 'awaiting_recipient', to: 'dismissed', by: ['operator'] },
  { move: 'reject', from: 'awaiting_recipient', to: 'rejected', by: ['operator'] },
  { move: 'expire', from: 'awaiting_recipient', to: 'expired', by: ['clock'] },

  { move: 'accept', from: 'opening', to: 'approved', by: ['engine'], answers: OPEN },
  { move: 'acceptForReview', from: 'opening', to: 'in_review', by: ['engine'], answers: OPEN },
  { move: 'refuse', from: 'opening', to: 'refused', by: ['engine'], answers: OPEN },

  { move: 'approve', from: 'in_review', to: 'approved', by: ['operator'] },
  { move: 'cancel', from: 'in_review', to: 'canceling', by: ['user'], appends: CANCEL },
  { move: 'dismiss', from: 'in_review', to: 'dismissing', by: ['operator'], appends: CANCEL },
  { move: 'reject', from: 'in_review', to: 'rejecting', by: ['operator'], appends: CANCEL },
  { move: 'expire', from: 'in_review', to: 'expiring', by: ['clock'], appends: CANCEL },

  { move: 'recall', from: 'approved', to: 'in_review', by: ['operator'] },
  { move: 'claim', from: 'approved', to: 'claimed', by: ['payer'] },
  { move: 'cancel', from: 'approved', to: 'canceling', by: ['user'], appends: CANCEL },
  { move: 'dismiss', from: 'approved', to: 'dismissing', by: ['operator'], appends: CANCEL },
  { move: 'reject', from: 'approved', to: 'rejecting', by: ['operator'], appends: CANCEL },

  { move: 'release', from: 'claimed', to: 'approved', by: ['payer'] },
  { move: 'complete', from: 'claimed', to: 'completing', by: PAYERS, appends: COMPLETE },

  { move: 'accept', from: 'completing', to: 'completed', by: ['engine'], answers: COMPLETE },
  { move: 'refuse', from: 'completing', to: 'claimed', by: ['engine'], answers: COMPLETE },

  { move: 'accept', from: 'canceling', to: 'canceled', by: ['engine'], answers: CANCEL },
  { move: 'refuse', from: 'canceling', to: 'in_review', by: ['engine'], answers: CANCEL },
  { move: 'accept', from: 'dismissing', to: 'dismissed', by: ['engine'], answers: CANCEL },
  { move: 'refuse', from: 'dismissing', to: 'in_review', by: ['engine'], answers: CANCEL },
  { move: 'accept', from: 'rejecting', to: 'rejected', by: ['engine'], answers: CANCEL },
  { move: 'refuse', from: 'rejecting', to: 'in_review', by: ['engine'], answers: CANCEL },
  { move: 'accept', from: 'expiring', to: 'expired', by: ['engine'], answers: CANCEL },
  { move: 'refuse', from: 'expiring', to: 'in_review', by: ['engine'], answers: CANCEL },

  { move: 'accept', from: 'executing', to: 'completed', by: ['engine'], answers: AT_ONCE },
  { move: 'refuse', from: 'executing', to: 'refused', by: ['engine'], answers: AT_ONCE },
] as const satisfies readonly Arrow<WithdrawalState, string>[];

export type WithdrawalMove = (typeof ARROWS)[number]['move'];

export const WITHDRAWALS = new StateMachine<WithdrawalState, WithdrawalMove>({
  table: 'withdrawal_requests',
  refusals: { missing: 'withdrawal_not_found', notMovable: 'withdrawal_under_way' },
  states: STATES,
  arrows: ARROWS,
});
