// The message that clients receive about a change of a deposit or a withdrawal, and its subject.

import { noticeSubject, statusOf, type TransferChange } from '../../domain/transfers/index.ts';
import {
  type DepositMessage,
  decimal,
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
