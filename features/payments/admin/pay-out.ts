// An operator pays money of a user out to an address. The amount is held; the payer claims and
// completes it like any withdrawal. The policy for requests of users does not apply.

import type { Atoms, KeyId, UserId } from '../../../core/money/index.ts';
import { ActRefused, defineActInTwoSteps } from '../../approvals/index.ts';
import type { JsonObject } from '../../audit/index.ts';
import { openWithdrawalIn } from '../withdrawals/requests.ts';
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
  textOf,
} from './money-terms.ts';

export interface PayOutPayload extends JsonObject {
  readonly user_id: number;
  readonly currency: string;
  readonly amount: string;
  readonly fee_currency: string;
  readonly fee: string;
  /** In its one spelling. */
  readonly address: string;
  readonly network: string | null;
  /** In hex; null without a signature. One signed request is one payout. */
  readonly signature_hash: string | null;
}

export const payOutAct = defineActInTwoSteps<PayOutPayload, AskedRequest>({
  name: 'withdrawal.payout',
  votePower: 'approve.money',
  personal: ['address'],

  async assess(context, payload) {
    const { address, amount, currency, fee, fee_currency, network, user_id: user } = payload;
    const { amountText, assessed, asset, balances } = await termsOfUser(context, payload, 'out');
    if (!asset.isWithdrawable) throw new ActRefused('withdrawals_are_off', { currency });
    const feeAsset = await readAsset(context, fee_currency);
    return {
      ...assessed,
      money: { currency, amount },
      shown: [
        { label: 'Pay out', value: amountText },
        { label: 'Of user', value: `${user}` },
        { label: 'To address', value: address, isPersonal: true },
        { label: 'Network', value: network ?? currency },
        { label: 'Fee', value: textOf(feeOf(fee, feeAsset), feeAsset) },
        ...balances,
      ],
    };
  },

  async execute(context, payload) {
    const { address, amount, currency, fee, fee_currency, network } = payload;
    const user = payload.user_id as UserId;
    const [asset, feeAsset] = [
      await readAsset(context, currency),
      await readAsset(context, fee_currency),
    ];
    const opened = await openWithdrawalIn(context.connection, {
      user,
      key: 0 as KeyId,
      asset,
      amountAtoms: amountOf(amount, asset),
      feeAsset,
      feeAtoms: feeOf(fee, feeAsset) as Atoms,
      address,
      network,
      isByOperator: true,
      signatureHash: bytesOf(payload.signature_hash),
      projectionSchema: context.exchange.projectionSchema,
    });
    if (opened.kind === 'refused') throw refusedWithdrawal(opened.refusal);
    const { id, position, transactionId } = opened;
    return {
      result: { id, asked: askedAt(position) },
      subject: user,
      after: { withdrawal: id, currency, amount, fee, network, transaction_id: transactionId },
      ...personalOf({ address }),
      effects: { dispatcher: true },
    };
  },
});
