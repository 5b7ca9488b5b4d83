// Credits a user with external money, or announces it.

import type { UserId } from '../../../core/money/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { type ActContext, defineAct } from '../../approvals/index.ts';
import type { JsonObject } from '../../audit/index.ts';
import { addDepositRequest } from '../deposits/requests.ts';
import { outboxRef, parseAmount, personalOf, type RequestRef, termsOfUser } from './money-terms.ts';

export interface CreditPayload extends JsonObject {
  readonly user_id: number;
  readonly currency: string;
  readonly amount: string;
  /** Display only. */
  readonly fee: string;
  /** Canonical spelling; display only for an asset without a chain. */
  readonly network: string | null;
  /** Always set, so one request creates one credit. */
  readonly transaction_id: string;
  readonly output: string | null;
  readonly address: string | null;
  readonly description: string;
  /** Do not credit yet. */
  readonly is_pending: boolean;
  readonly email: boolean;
}

export const creditAct = defineAct({
  name: 'deposit.credit',
  votePower: 'approve.money',
  personal: ['address', 'description'],

  async prepare(context: ActContext, payload: CreditPayload) {
    const { address, amount, currency, description, is_pending, network, output } = payload;
    const { transaction_id } = payload;
    const user = payload.user_id as UserId;
    const terms = await termsOfUser(context, payload, 'in');
    if (terms instanceof Refused) return terms;
    const { amountAtoms, asset } = terms;
    const feeAtoms = parseAmount(payload.fee, asset, { allowZero: true });
    if (feeAtoms instanceof Refused) return feeAtoms;
    const watched = await watchedNetwork(context, payload);
    if (watched !== undefined) return new Refused('network_under_custody', { network: watched });
    // An amount above the issuance cap is rejected without a vote.
    if (amountAtoms > asset.capAtoms) return new Refused('issuance_cap_exceeded');
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

      async run() {
        const requested = await addDepositRequest(context.connection, {
          user,
          asset,
          amountAtoms,
          feeAtoms,
          isChainCoin: asset.isChainCoin,
          isPending: is_pending,
          network,
          transactionId: transaction_id,
          description,
          withMail: payload.email,
          ...(address !== null && { address }),
          ...(output !== null && { output }),
        });
        if (requested instanceof Refused) return requested;
        const { id, position } = requested;
        const result: RequestRef = {
          id,
          asked: position === undefined ? null : outboxRef(position),
        };
        return {
          result,
          subject: user,
          after: { deposit: id, currency, amount, network, transaction_id, is_pending },
          ...personalOf({ address, description }),
          effects: { dispatcher: true },
        };
      },
    };
  },
});

/**
 * Returns the network under custody that the payment might have come from. Only payments to older,
 * manual addresses are credited manually in it.
 */
async function watchedNetwork(
  { connection }: ActContext,
  { address, currency, network }: CreditPayload,
): Promise<string | undefined> {
  const { rows } = await connection.query(
    `select n.network from custody_networks n
     join coins c on c.symbol = $1 and n.network = any(string_to_array(c.network, ','))
     where ($2::text is null or n.network = $2)
       and not exists (
         select from manual_addresses m where m.network = n.network and m.address = $3)
     limit 1`,
    [currency, network, address],
  );
  return rows[0]?.network;
}
