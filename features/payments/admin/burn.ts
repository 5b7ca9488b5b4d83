// Removes a user's money from the exchange: immediately, or as a hold that a review completes
// later.

import type { UserId } from '../../../core/money/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { type ActContext, defineAct } from '../../approvals/index.ts';
import type { JsonObject } from '../../audit/index.ts';
import { addBurnRequest } from '../withdrawals/requests.ts';
import {
  bytesOf,
  outboxRef,
  parseAmount,
  personalOf,
  type RequestRef,
  termsOfUser,
} from './money-terms.ts';

export interface BurnPayload extends JsonObject {
  readonly user_id: number;
  readonly currency: string;
  readonly amount: string;
  /** Display only. */
  readonly fee: string;
  readonly network: string | null;
  readonly transaction_id: string;
  readonly address: string | null;
  readonly description: string;
  /** Hold the amount only. */
  readonly is_pending: boolean;
  readonly email: boolean;
  /** Hex; null without a signature. One signed request creates one burn. */
  readonly signature_hash: string | null;
}

export const burnAct = defineAct({
  name: 'withdrawal.burn',
  votePower: 'approve.money',
  personal: ['address', 'description'],

  async prepare(context: ActContext, payload: BurnPayload) {
    const { address, amount, currency, description, is_pending, network } = payload;
    const user = payload.user_id as UserId;
    const terms = await termsOfUser(context, payload, 'out');
    if (terms instanceof Refused) return terms;
    const { amountAtoms, asset } = terms;
    const feeAtoms = parseAmount(payload.fee, asset, { allowZero: true });
    if (feeAtoms instanceof Refused) return feeAtoms;
    return {
      ...terms.assessed,
      money: { currency, amount },
      shown: [
        { label: is_pending ? 'Hold, to burn later' : 'Burn', value: terms.amountText },
        { label: 'User', value: `${user}` },
        { label: 'Transaction', value: payload.transaction_id },
        ...terms.balances,
      ],

      async run() {
        const requested = await addBurnRequest(context.connection, {
          user,
          asset,
          amountAtoms,
          feeAtoms,
          isPending: is_pending,
          network,
          transactionId: payload.transaction_id,
          description,
          withMail: payload.email,
          signatureHash: bytesOf(payload.signature_hash),
          address: address ?? undefined,
        });
        if (requested instanceof Refused) return requested;
        const { id, position, transactionId: transaction_id } = requested;
        const result: RequestRef = { id, asked: outboxRef(position) };
        return {
          result,
          subject: user,
          after: { withdrawal: id, currency, amount, network, transaction_id, is_pending },
          ...personalOf({ address, description }),
          effects: { dispatcher: true },
        };
      },
    };
  },
});
