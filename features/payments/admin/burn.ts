// An operator takes money of a user out of the exchange: at once, or held first and completed later
// by a review.

import type { UserId } from '../../../core/money/index.ts';
import { defineActInTwoSteps } from '../../approvals/index.ts';
import type { JsonObject } from '../../audit/index.ts';
import { addBurnRequest } from '../withdrawals/requests.ts';
import {
  type AskedRequest,
  amountOf,
  askedAt,
  bytesOf,
  feeOf,
  personalOf,
  readAsset,
  refusedWithdrawal,
  termsOfUser,
} from './money-terms.ts';

export interface BurnPayload extends JsonObject {
  readonly user_id: number;
  readonly currency: string;
  readonly amount: string;
  /** Only shown. */
  readonly fee: string;
  readonly network: string | null;
  readonly transaction_id: string;
  readonly address: string | null;
  readonly description: string;
  /** Only held. */
  readonly is_pending: boolean;
  readonly email: boolean;
  /** In hex; null without a signature. One signed request is one burn. */
  readonly signature_hash: string | null;
}

export const burnAct = defineActInTwoSteps<BurnPayload, AskedRequest>({
  name: 'withdrawal.burn',
  votePower: 'approve.money',
  personal: ['address', 'description'],

  async assess(context, payload) {
    const { amount, currency, is_pending, transaction_id, user_id: user } = payload;
    const { amountText, assessed, asset, balances } = await termsOfUser(context, payload, 'out');
    feeOf(payload.fee, asset);
    return {
      ...assessed,
      money: { currency, amount },
      shown: [
        { label: is_pending ? 'Hold, to burn later' : 'Burn', value: amountText },
        { label: 'Of user', value: `${user}` },
        { label: 'Transaction', value: transaction_id },
        ...balances,
      ],
    };
  },

  async execute(context, payload) {
    const asset = await readAsset(context, payload.currency);
    const { address, amount, currency, description, is_pending, network } = payload;
    const user = payload.user_id as UserId;
    const requested = await addBurnRequest(context.connection, {
      user,
      asset,
      amountAtoms: amountOf(amount, asset),
      feeAtoms: feeOf(payload.fee, asset),
      isPending: is_pending,
      network,
      transactionId: payload.transaction_id,
      description,
      withMail: payload.email,
      signatureHash: bytesOf(payload.signature_hash),
      address: address ?? undefined,
    });
    if (requested.kind === 'refused') throw refusedWithdrawal(requested.refusal);
    const { id, position, transactionId } = requested;
    return {
      result: { id, asked: askedAt(position) },
      subject: user,
      after: {
        withdrawal: id,
        currency,
        amount,
        network,
        transaction_id: transactionId,
        is_pending,
      },
      ...personalOf({ address, description }),
      effects: { dispatcher: true },
    };
  },
});
