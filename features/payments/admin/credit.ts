// An operator credits a user with money that came from outside the exchange, or announces it.

import type { UserId } from '../../../core/money/index.ts';
import { ActRefused, defineActInTwoSteps } from '../../approvals/index.ts';
import type { JsonObject } from '../../audit/index.ts';
import { addDepositRequest, type DepositRequested } from '../deposits/requests.ts';
import {
  type AskedRequest,
  amountOf,
  askedAt,
  feeOf,
  personalOf,
  readAsset,
  requireWithinCap,
  termsOfUser,
} from './money-terms.ts';

export interface CreditPayload extends JsonObject {
  readonly user_id: number;
  readonly currency: string;
  readonly amount: string;
  /** Only shown. */
  readonly fee: string;
  /** As the coin spells it; of an asset without a chain only shown. */
  readonly network: string | null;
  /** Always named, so that one request is one credit. */
  readonly transaction_id: string;
  readonly output: string | null;
  readonly address: string | null;
  readonly description: string;
  /** Not to be credited yet. */
  readonly is_pending: boolean;
  readonly email: boolean;
}

export const creditAct = defineActInTwoSteps<CreditPayload, AskedRequest>({
  name: 'deposit.credit',
  votePower: 'approve.money',
  personal: ['address', 'description'],

  async assess(context, payload) {
    const { amount, currency, is_pending, transaction_id, user_id: user } = payload;
    const terms = await termsOfUser(context, payload, 'in');
    feeOf(payload.fee, terms.asset);
    requireWithinCap(terms.amountAtoms, terms.asset);
    return {
      ...terms.assessed,
      // An announced deposit counts when it is credited.
      ...(!is_pending && { money: { currency, amount } }),
      shown: [
        { label: is_pending ? 'Announce a deposit of' : 'Credit', value: terms.amountText },
        { label: 'To user', value: `${user}` },
        { label: 'Transaction', value: transaction_id },
        ...terms.balances,
      ],
    };
  },

  async execute(context, payload) {
    const asset = await readAsset(context, payload.currency);
    const { address, currency, description, network, output, transaction_id } = payload;
    const user = payload.user_id as UserId;
    const requested = await addDepositRequest(context.connection, {
      user,
      asset,
      amountAtoms: amountOf(payload.amount, asset),
      feeAtoms: feeOf(payload.fee, asset),
      isChainCoin: asset.isChainCoin,
      isPending: payload.is_pending,
      network,
      transactionId: transaction_id,
      description,
      withMail: payload.email,
      ...(address !== null && { address }),
      ...(output !== null && { output }),
    });
    if (requested.kind === 'refused') throw refused(requested);
    const { id, position } = requested;
    return {
      result: { id, asked: position === undefined ? null : askedAt(position) },
      subject: user,
      after: {
        deposit: id,
        currency,
        amount: payload.amount,
        network,
        transaction_id,
        is_pending: payload.is_pending,
      },
      ...personalOf({ address, description }),
      effects: { dispatcher: true },
    };
  },
});

function refused(requested: Extract<DepositRequested, { kind: 'refused' }>): ActRefused {
  switch (requested.refusal) {
    case 'user_must_exist':
      return new ActRefused('user_not_found');
    case 'transaction_already_credited':
      return new ActRefused('transaction_id_used');
    case 'transaction_failed_before':
      return new ActRefused('transaction_failed_before', { id: requested.id });
  }
}
