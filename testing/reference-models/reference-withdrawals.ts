// Withdrawals: on hold when opened, paid out when completed, released when canceled.

import {
  type CancelWithdrawal,
  type CompleteWithdrawal,
  EXTERNAL_OWNER,
  FEES_OWNER,
  type OpenWithdrawal,
  type Refusal,
} from '../../core/messages/index.ts';
import { checkUser } from './reference-capacity.ts';
import { availableOf, hold, payFromHeld, release } from './reference-ledger.ts';
import { checkAsset } from './reference-money.ts';
import { emit, type ReferenceState } from './reference-state.ts';

export function openWithdrawal(
  state: ReferenceState,
  command: OpenWithdrawal,
): Refusal | undefined {
  const { withdrawal, user, asset, amountAtoms, feeAsset, feeAtoms } = command;
  const refusal = checkUser(user) ?? checkAsset(state, asset) ?? checkAsset(state, feeAsset);
  if (refusal !== undefined) return refusal;
  if (amountAtoms <= 0n || feeAtoms < 0n) return 'amount_must_be_positive';
  if (state.withdrawals.has(withdrawal)) return 'withdrawal_already_open';
  const ofUser = [...state.withdrawals.values()].filter((one) => one.user === user);
  if (ofUser.length >= state.limits.withdrawalsPerUserMax) return 'user_withdrawals_limit_reached';
  if (state.withdrawals.size >= state.limits.withdrawalsMax) return 'withdrawals_limit_reached';
  const needed = asset === feeAsset ? amountAtoms + feeAtoms : amountAtoms;
  const isCovered =
    availableOf(state.ledger, user, asset) >= needed &&
    availableOf(state.ledger, user, feeAsset) >= feeAtoms;
  if (!isCovered) return 'available_balance_too_small';

  hold(state.ledger, user, asset, amountAtoms);
  // Without a fee, the user might not have an account in the fee's asset.
  if (feeAtoms > 0n) hold(state.ledger, user, feeAsset, feeAtoms);
  const isKept = state.rulesVersion >= 3 && /^[\da-f]{64}$/.test(command.destination);
  const destination = isKept ? command.destination : '';
  const opened = { withdrawal, user, asset, amountAtoms, feeAsset, feeAtoms, destination };
  state.withdrawals.set(withdrawal, opened);
  emit(state, { kind: 'WithdrawalOpened', ...opened });
  return undefined;
}

export function completeWithdrawal(
  state: ReferenceState,
  command: CompleteWithdrawal,
): Refusal | undefined {
  const opened = state.withdrawals.get(command.withdrawal);
  if (opened === undefined) return 'withdrawal_must_be_open';
  const { destination: _, ...amounts } = opened;
  const { user, asset, amountAtoms, feeAsset, feeAtoms } = amounts;
  payFromHeld(state.ledger, { asset, atoms: amountAtoms, from: user, to: EXTERNAL_OWNER });
  if (feeAtoms > 0n) {
    payFromHeld(state.ledger, { asset: feeAsset, atoms: feeAtoms, from: user, to: FEES_OWNER });
  }
  state.withdrawals.delete(command.withdrawal);
  emit(state, { kind: 'WithdrawalCompleted', ...amounts, reference: command.reference });
  return undefined;
}

export function cancelWithdrawal(
  state: ReferenceState,
  command: CancelWithdrawal,
): Refusal | undefined {
  const opened = state.withdrawals.get(command.withdrawal);
  if (opened === undefined) return 'withdrawal_must_be_open';
  const { destination: _, ...amounts } = opened;
  release(state.ledger, opened.user, opened.asset, opened.amountAtoms);
  if (opened.feeAtoms > 0n) {
    release(state.ledger, opened.user, opened.feeAsset, opened.feeAtoms);
  }
  state.withdrawals.delete(command.withdrawal);
  emit(state, { kind: 'WithdrawalCanceled', ...amounts });
  return undefined;
}
