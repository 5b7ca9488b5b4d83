// State machine for a deposit, a mint or the receiving side of a transfer: every state, the wire
// flags it implies, and every move. No other module may list these states or decide whether a move
// is legal.

import { type Arrow, StateMachine, type StateMeaning } from '../state-machine.ts';

const STATES = {
  /** Reported but not final. No balance has changed. */
  pending: { phase: 'open', wire: [] },
  /** Final, and an operator reviews it before it is credited. */
  in_review: { phase: 'open', wire: ['waiting'] },
  /** A credit command is pending in the engine. */
  crediting: { phase: 'asked', wire: [] },
  completed: { phase: 'ended', wire: ['status'] },
  /** Rejected by the engine. */
  refused: { phase: 'ended', wire: ['rejected'] },
  /** Canceled by its user, or dropped by the chain. */
  canceled: { phase: 'ended', wire: ['dismissed'] },
  /** Ended by an operator. */
  dismissed: { phase: 'ended', wire: ['dismissed'] },
  rejected: { phase: 'ended', wire: ['rejected'] },
  /** Not final, or not approved, in time. */
  expired: { phase: 'ended', wire: ['dismissed'] },
} as const satisfies Record<string, StateMeaning>;

export type DepositState = keyof typeof STATES;

const CREDIT = ['CreditDeposit', 'MintAsset'] as const;
const CREDITORS = ['operator', 'watcher'] as const;
const TRANSFER = ['TransferAsset'] as const;
const ANY = ['CreditDeposit', 'MintAsset', 'TransferAsset'] as const;

// biome-ignore format: a table
const ARROWS = [
  { move: 'announce', from: 'new', to: 'pending', by: ['user', 'operator', 'watcher'] },
  { move: 'submit', from: 'new', to: 'in_review', by: ['operator', 'watcher'] },
  { move: 'credit', from: 'new', to: 'crediting', by: CREDITORS, appends: CREDIT },
  { move: 'receive', from: 'new', to: 'crediting', by: ['user', 'operator'], appends: TRANSFER },

  { move: 'submit', from: 'pending', to: 'in_review', by: ['watcher'] },
  { move: 'credit', from: 'pending', to: 'crediting', by: CREDITORS, appends: CREDIT },
  { move: 'cancel', from: 'pending', to: 'canceled', by: ['user', 'watcher'] },
  { move: 'dismiss', from: 'pending', to: 'dismissed', by: ['operator'] },
  { move: 'reject', from: 'pending', to: 'rejected', by: ['operator'] },
  { move: 'expire', from: 'pending', to: 'expired', by: ['clock'] },

  { move: 'approve', from: 'in_review', to: 'crediting', by: ['operator'], appends: CREDIT },
  { move: 'dismiss', from: 'in_review', to: 'dismissed', by: ['operator'] },
  { move: 'reject', from: 'in_review', to: 'rejected', by: ['operator'] },
  { move: 'expire', from: 'in_review', to: 'expired', by: ['clock'] },

  // A cause has one row permanently, so a failed deposit is credited again.
  { move: 'credit', from: 'refused', to: 'crediting', by: ['operator'], appends: CREDIT },
  { move: 'credit', from: 'canceled', to: 'crediting', by: CREDITORS, appends: CREDIT },
  { move: 'credit', from: 'dismissed', to: 'crediting', by: ['operator'], appends: CREDIT },
  { move: 'credit', from: 'rejected', to: 'crediting', by: ['operator'], appends: CREDIT },
  { move: 'credit', from: 'expired', to: 'crediting', by: CREDITORS, appends: CREDIT },
  // A chain dropped the transaction, or finalized it late, and a large one is reviewed.
  { move: 'submit', from: 'canceled', to: 'in_review', by: ['watcher'] },
  { move: 'submit', from: 'expired', to: 'in_review', by: ['watcher'] },

  { move: 'accept', from: 'crediting', to: 'completed', by: ['engine'], answers: ANY },
  { move: 'refuse', from: 'crediting', to: 'refused', by: ['engine'], answers: ANY },
  // Above a limit of the custody file: the dispatcher did not send the credit.
  { move: 'review', from: 'crediting', to: 'in_review', by: ['engine'], answers: ANY },
] as const satisfies readonly Arrow<DepositState, string>[];

export type DepositMove = (typeof ARROWS)[number]['move'];

export const DEPOSITS = new StateMachine<DepositState, DepositMove>({
  table: 'deposit_requests',
  refusals: { missing: 'deposit_not_found', notMovable: 'deposit_ended' },
  states: STATES,
  arrows: ARROWS,
});
