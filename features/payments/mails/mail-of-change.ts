// Decides which email a change of a deposit or a withdrawal causes. A request causes each email
// once, whatever its path through the states. Pure.

import type { MailKind, TransferEnd, TransferValues } from '../../messages/index.ts';
import { EMAIL_NETWORK } from '../addresses/parse-destination.ts';
import type { TransferChange } from '../transfer-changes.ts';

export interface ChangeFacts {
  readonly change: TransferChange;
  /** Previous state; undefined for the first change. */
  readonly from: string | undefined;
  /** Requested with an API key; the program already has the response. */
  readonly isByKey: boolean;
  /** Requested by an operator who wants the user to be notified. */
  readonly isByOperator?: boolean;
}

type TransferMail = Extract<
  MailKind,
  | 'withdrawal_held'
  | 'withdrawal_completed'
  | 'withdrawal_ended'
  | 'deposit_pending'
  | 'deposit_completed'
  | 'deposit_ended'
>;

export interface MailOfChange {
  readonly kind: TransferMail;
  readonly values: TransferValues & { readonly end?: TransferEnd };
  /** Freezing the account can still stop the payment. */
  readonly canStillBeStopped: boolean;
  readonly dedupeKey: string;
}

/** Returns undefined if the change causes no email. */
export function mailOfChange(facts: ChangeFacts): MailOfChange | undefined {
  const { change } = facts;
  const kind = kindOf(facts);
  if (kind === undefined) return undefined;
  const isDone = kind === 'withdrawal_completed' || change.type === 'deposit';
  const end = kind.endsWith('_ended') ? { end: change.state as TransferEnd } : {};
  return {
    kind,
    canStillBeStopped: kind === 'withdrawal_held',
    dedupeKey: `${change.type}:${change.request}:${kind.slice(change.type.length + 1)}`,
    values: {
      time: change.changedAt.toISOString(),
      amount: change.amount,
      currency: change.currency,
      fee: change.fee,
      feeCurrency: change.feeCurrency,
      network: change.network ?? '',
      address: change.address,
      // A placeholder until the payment.
      transactionId: isDone ? change.transactionId : '',
      freezeToken: '',
      ...end,
    },
  };
}

function kindOf({ change, from, isByKey, isByOperator }: ChangeFacts): TransferMail | undefined {
  const { kind, network, state, type } = change;
  // Transfers within an account family send no email.
  if (kind === 'transfer' && network !== EMAIL_NETWORK && !isByOperator) return undefined;
  if (state === 'completed') return `${type}_completed`;
  if (type === 'deposit') return DEPOSIT_MAILS[state];
  if (state === 'in_review' || state === 'approved') return 'withdrawal_held';
  const hasEnded = state in ENDS;
  if (!hasEnded) return undefined;
  // Canceled or expired before anything was on hold, or rejected immediately.
  const isKnown =
    (from === 'unconfirmed' && (state === 'canceled' || state === 'expired')) ||
    (state === 'refused' && (isByKey || isByOperator));
  return isKnown ? undefined : 'withdrawal_ended';
}

const ENDS: Readonly<Record<TransferEnd, true>> = {
  canceled: true,
  dismissed: true,
  rejected: true,
  expired: true,
  refused: true,
};

/** A credit rejected by the engine is requested again, so the user is not notified. */
const DEPOSIT_MAILS: Readonly<Record<string, TransferMail>> = {
  pending: 'deposit_pending',
  canceled: 'deposit_ended',
  dismissed: 'deposit_ended',
  rejected: 'deposit_ended',
  expired: 'deposit_ended',
};
