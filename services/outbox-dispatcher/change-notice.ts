// Messages to clients about a changed deposit, withdrawal or stake, and their subjects.

import { statusOf, type TransferChange } from '../../features/payments/index.ts';
import { type StakeChange, shownStake } from '../../features/staking/index.ts';
import { noticeSubject } from '../../platform/outbox/index.ts';
import {
  type DepositMessage,
  decimal,
  type StakeMessage,
  stakerJson,
  timeText,
  type WithdrawalMessage,
} from '../../protocol/index.ts';

export interface BusMessage {
  readonly subject: string;
  readonly message: Uint8Array;
}

export function changeNotice(
  change: TransferChange,
  { exchange, nowMs }: { readonly exchange: string; readonly nowMs: number },
): BusMessage {
  const { type, user } = change;
  const message: DepositMessage | WithdrawalMessage = {
    topic: type as 'deposit',
    action: 'insert',
    user_id: user,
    data: {
      id: change.request,
      state: change.state,
      change: change.id,
      amount: decimal(change.amount),
      currency: change.currency,
      status: statusOf(change),
      address: change.address,
      transaction_id: change.transactionId,
      network: change.network,
      fee: decimal(change.fee),
      fee_coin: change.feeCurrency,
      description: change.description,
      created_at: timeText(change.createdAt.getTime()),
      updated_at: timeText(change.changedAt.getTime()),
    },
    time: Math.floor(nowMs / 1_000),
  };
  return {
    subject: noticeSubject(exchange, user, type),
    message: Buffer.from(JSON.stringify(message)),
  };
}

/** Contains the stake's current state, not its state at the change. */
export function stakeNotice(
  { action, id, stake }: StakeChange,
  { exchange, nowMs }: { readonly exchange: string; readonly nowMs: number },
): BusMessage {
  const message: StakeMessage = {
    topic: 'stake',
    action,
    user_id: stake.user,
    data: { ...stakerJson({ ...stake, ...shownStake(stake) }), change: id },
    time: Math.floor(nowMs / 1_000),
  };
  return {
    subject: noticeSubject(exchange, stake.user, 'stake'),
    message: Buffer.from(JSON.stringify(message)),
  };
}
