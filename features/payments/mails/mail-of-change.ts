// Which mail a change of a deposit or a withdrawal causes: pure. A request causes each mail once,
// whatever way it takes through its states.

import type { MailKind, TransferEnd, TransferValues } from '../../messages/index.ts';
import { EMAIL_NETWORK } from '../addresses/parse-destination.ts';
import type { TransferChange } from '../transfer-changes.ts';

export interface ChangeFacts {
  readonly change: TransferChange;
  /** The state before this one; undefined for the first. */
  readonly from: string | undefined;
  /** A program asked for it with an API key, and was answered. */
  readonly isByKey: boolean;
  /** An operator asked for it, and wants the user to know. */
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
  /** The account can be frozen to stop the payment. */
  readonly canStillBeStopped: boolean;
  readonly dedupeKey: string;
}

/** Undefined if the change causes no mail. */
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
      // Before the payment it is a placeholder.
      transactionId: isDone ? change.transactionId : '',
      freezeToken: '',
      ...end,
    },
  };
}

function kindOf({ change, from, isByKey, isByOperator }: ChangeFacts): TransferMail | undefined {
  const { kind, network, state, type } = change;
  // Transfers within a family: the account shows them.
  if (kind === 'transfer' && network !== EMAIL_NETWORK && !isByOperator) return undefined;
  if (state === 'completed') return `${type}_completed`;
  if (type === 'deposit') return DEPOSIT_MAILS[state];
  if (state === 'in_review' || state === 'approved') return 'withdrawal_held';
  const hasEnded = state in ENDS;
  if (!hasEnded) return undefined;
  // Given up, or forgotten, before anything was held; refused at once.
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

/** A credit that the engine refused is asked for again, so it is no end for the user. */
const DEPOSIT_MAILS: Readonly<Record<string, TransferMail>> = {
  pending: 'deposit_pending',
  canceled: 'deposit_ended',
  dismissed: 'deposit_ended',
  rejected: 'deposit_ended',
  expired: 'deposit_ended',
};
