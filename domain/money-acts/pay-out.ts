// An operator pays money of a user out to an address. The amount is held; the payer claims and
// completes it like any withdrawal. The policy for requests of users does not apply.

import type { Atoms, KeyId, UserId } from '../../core/money/index.ts';
import type { JsonObject } from '../audit/index.ts';
import { ActRefused, defineAct } from '../operators/index.ts';
import { openWithdrawalIn } from '../transfers/index.ts';
import { bytesOf } from './burn.ts';
import {
  type AskedRequest,
  amountOf,
  askedAt,
  balanceLines,
  feeOf,
  personalOf,
  readAsset,
  requireUsers,
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

export const payOutAct = defineAct<PayOutPayload, AskedRequest>({
  name: 'withdrawal.payout',
  votePower: 'approve.money',
  personal: ['address'],

  async assess(context, { address, amount, currency, fee, fee_currency, network, user_id: user }) {
    const asset = await readAsset(context, currency);
    if (!asset.isWithdrawable) throw new ActRefused('withdrawals_are_off', { currency });
    const feeAsset = await readAsset(context, fee_currency);
    const amountAtoms = amountOf(amount, asset);
    const feeText = textOf(feeOf(fee, feeAsset), feeAsset);
    await requireUsers(context, [user]);
    const change = { user, asset, amountAtoms, direction: 'out', isFromOutside: true } as const;
    return {
      object: `user ${user}`,
      objectVersion: '',
      approvals: 0,
      money: { currency, amount },
      beneficiaries: [user as UserId],
      shown: [
        { label: 'Pay out', value: textOf(amountAtoms, asset) },
        { label: 'Of user', value: `${user}` },
        { label: 'To address', value: address, isPersonal: true },
        { label: 'Network', value: network ?? currency },
        { label: 'Fee', value: feeText },
        ...(await balanceLines(context, change)),
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
    if (opened.kind === 'refused') {
      const isUnknown = opened.refusal === 'user_must_exist';
      throw new ActRefused(isUnknown ? 'user_not_found' : 'signature_replayed');
    }
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
