// A deposit or a withdrawal as clients and operators see it. The flags show the state.

import { decimalFromAtoms, type UserId } from '../../../core/money/index.ts';
import type { Vault } from '../../../platform/vault/index.ts';
import {
  type DepositOrWithdrawal,
  type DepositOrWithdrawalOfUser,
  decimal,
  timeText,
} from '../../../protocol/index.ts';
import type { PersonalView } from '../../pii-access/index.ts';
import { EMAIL_NETWORK } from '../addresses/parse-destination.ts';
import { toldLines } from '../policy/withdrawal-policy.ts';
import { openSealedBank, type RequestRow } from '../request-lists.ts';

/** A deployment has one exchange. */
const EXCHANGE_ID = 1;

/** The user's view, which hides policy details that would help a thief. */
export function requestAnswer(row: RequestRow, explorer?: Explorer): DepositOrWithdrawal {
  const policy = row.state === 'in_review' ? toldLines(row.policyLines) : [];
  const url = row.network === null ? undefined : explorer?.(row.network, row.transactionId);
  return {
    ...requestFields(row),
    ...(url !== undefined && { txid_url: url }),
    ...(row.type === 'withdrawal' && {
      policy: policy.map(({ result, rule, untilMs }) => ({
        rule,
        result,
        ...(untilMs !== undefined && { until: timeText(untilMs) }),
      })),
    }),
  };
}

/** Returns the page of a transaction, if the network has an explorer. */
export type Explorer = (network: string, transactionId: string) => string | undefined;

function requestFields(row: RequestRow): Omit<DepositOrWithdrawal, 'policy'> {
  return {
    id: row.id,
    amount: decimal(decimalFromAtoms(row.amountAtoms, row.scale)),
    fee: decimal(decimalFromAtoms(row.feeAtoms, row.feeScale)),
    fee_coin: row.feeCurrency,
    address: row.address,
    transaction_id: row.transactionId,
    status: row.isCompleted,
    dismissed: row.dismissed,
    rejected: row.rejected,
    processing: row.processing,
    waiting: row.waiting,
    onhold: false,
    description: row.description,
    type: row.type,
    currency: row.currency,
    network: row.network,
    created_at: timeText(row.createdAt.getTime()),
    updated_at: timeText(row.updatedAt.getTime()),
    user_id: row.user,
    ...(row.chain !== undefined && {
      // A network that was not followed for a while needs no more than it has.
      confirmations: Math.max(0, row.chain.confirmations),
      confirmations_needed: Math.max(1, row.chain.needed),
    }),
  };
}

export interface OperatorsView {
  /** Name of the exchange. */
  readonly name: string;
  readonly vault: Vault;
  readonly view: PersonalView;
  /** The operator, who sees the bank account of a withdrawal they claimed. */
  readonly payer?: UserId;
}

/** The operators' view, with masked email addresses and bank accounts. */
export function requestAnswerOfUser(
  row: RequestRow,
  { name, payer, vault, view }: OperatorsView,
): DepositOrWithdrawalOfUser {
  const fields = openSealedBank(vault, row);
  const isPaid = row.state === 'claimed' && row.claimedBy === payer;
  return {
    ...requestFields(row),
    // A transfer's address is another user's email address.
    ...(row.network === EMAIL_NETWORK && { address: view.email(row.address) }),
    ...(fields !== undefined && { bank_account: isPaid ? fields : view.bank(fields) }),
    ...(row.type === 'withdrawal' && {
      policy: row.policyLines.map(({ facts, result, reviews, rule, tellUser }) => ({
        rule,
        result,
        reviews,
        facts,
        tell_user: tellUser,
      })),
    }),
    network_id: row.user,
    User: {
      id: row.user,
      email: view.email(row.email),
      exchange_id: EXCHANGE_ID,
      Exchange: { id: EXCHANGE_ID, name, display_name: name },
    },
  };
}

/** Response to an operator: the row, and the message that some clients expect. */
export type TransactionDone = DepositOrWithdrawalOfUser & { readonly message: string };

export function transactionDone(row: RequestRow, view: OperatorsView): TransactionDone {
  return { message: 'Success', ...requestAnswerOfUser(row, view) };
}
