// Pays a user's money out to an address. The amount is put on hold; the payer claims and completes
// it like any withdrawal. The withdrawal policy for user requests does not apply.

import type { KeyId, UserId } from '../../../core/money/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { type ActContext, defineAct } from '../../approvals/index.ts';
import type { JsonObject } from '../../audit/index.ts';
import { openWithdrawalIn } from '../withdrawals/requests.ts';
import {
  bytesOf,
  outboxRef,
  parseAmount,
  personalOf,
  type RequestRef,
  readAsset,
  termsOfUser,
  textOf,
} from './money-terms.ts';

export interface PayOutPayload extends JsonObject {
  readonly user_id: number;
  readonly currency: string;
  readonly amount: string;
  readonly fee_currency: string;
  readonly fee: string;
  /** Canonical spelling. */
  readonly address: string;
  readonly network: string | null;
  /** Hex; null without a signature. One signed request creates one payout. */
  readonly signature_hash: string | null;
}

export const payOutAct = defineAct({
  name: 'withdrawal.payout',
  votePower: 'approve.money',
  personal: ['address'],

  async prepare(context: ActContext, payload: PayOutPayload) {
    const { address, amount, currency, fee, network } = payload;
    const user = payload.user_id as UserId;
    const terms = await termsOfUser(context, payload, 'out');
    if (terms instanceof Refused) return terms;
    const { amountAtoms, asset } = terms;
    if (!asset.isWithdrawable) return new Refused('withdrawals_are_off', { currency });
    const feeAsset = await readAsset(context, payload.fee_currency);
    if (feeAsset instanceof Refused) return feeAsset;
    const feeAtoms = parseAmount(fee, feeAsset, { allowZero: true });
    if (feeAtoms instanceof Refused) return feeAtoms;
    return {
      ...terms.assessed,
      money: { currency, amount },
      shown: [
        { label: 'Payout', value: terms.amountText },
        { label: 'User', value: `${user}` },
        { label: 'To address', value: address, isPersonal: true },
        { label: 'Network', value: network ?? currency },
        { label: 'Fee', value: textOf(feeAtoms, feeAsset) },
        ...terms.balances,
      ],

      async run() {
        const opened = await openWithdrawalIn(context.connection, {
          user,
          key: 0 as KeyId,
          asset,
          amountAtoms,
          feeAsset,
          feeAtoms,
          address,
          network,
          isByOperator: true,
          signatureHash: bytesOf(payload.signature_hash),
          projectionSchema: context.exchange.projectionSchema,
        });
        if (opened instanceof Refused) return opened;
        const { id, position, transactionId: transaction_id } = opened;
        const result: RequestRef = { id, asked: outboxRef(position) };
        return {
          result,
          subject: user,
          after: { withdrawal: id, currency, amount, fee, network, transaction_id },
          ...personalOf({ address }),
          effects: { dispatcher: true },
        };
      },
    };
  },
});
