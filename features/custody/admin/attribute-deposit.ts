// Credits a final deposit to a user whom an operator found: coins at the address of an erased user,
// or coins that no transfer explains. Assessed like any other money credited by an operator.

import { type Atoms, decimalFromAtoms, type UserId } from '../../../core/money/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { type ActContext, defineAct } from '../../approvals/index.ts';
import { outboxRef, type RequestRef, termsOfUser } from '../../payments/admin/index.ts';
import { addDepositRequest } from '../../payments/index.ts';
import { evmAddressText } from '../addresses/address-owners.ts';

export type AttributePayload = {
  readonly id: number;
  readonly user_id: number;
  readonly note: string;
};

export const ATTRIBUTE_DEPOSIT = defineAct({
  name: 'custody.attribute',
  votePower: 'approve.money',
  async prepare(context: ActContext, { id, note, user_id }: AttributePayload) {
    const { connection } = context;
    const deposit = await readOpen(context, id);
    if (deposit === undefined) return new Refused('custody_deposit_not_open');
    const { amount, currency, network, output, reason, transactionId } = deposit;
    const terms = await termsOfUser(context, { user_id, currency, amount }, 'in');
    if (terms instanceof Refused) return terms;
    const { amountAtoms, asset } = terms;
    if (amountAtoms > asset.capAtoms) return new Refused('issuance_cap_exceeded');
    const address = evmAddressText(network, deposit.address);
    return {
      ...terms.assessed,
      money: { currency, amount },
      shown: [
        { label: 'Credit', value: terms.amountText },
        { label: 'To user', value: `${user_id}` },
        { label: 'Network', value: network },
        { label: 'Deposit address', value: address },
        { label: 'Transaction', value: transactionId },
        { label: 'Why it is unattributed', value: reason },
        { label: 'Note', value: note },
        ...terms.balances,
      ],

      async run() {
        const user = user_id as UserId;
        const requested = await addDepositRequest(connection, {
          user,
          asset,
          amountAtoms,
          isChainCoin: true,
          network,
          address,
          transactionId,
          output,
        });
        if (requested instanceof Refused) return requested;
        const { rowCount } = await connection.query(
          `update custody_deposits set state = 'credited', user_id = $2, deposit_request = $3,
             updated_at = now()
           where id = $1 and state = 'unattributed'`,
          [id, user, requested.id],
        );
        if (rowCount !== 1) throw new Error(`deposit ${id} was attributed by another action`);
        const asked = requested.position === undefined ? null : outboxRef(requested.position);
        const result: RequestRef = { id: requested.id, asked };
        return {
          result,
          subject: user,
          after: { deposit: requested.id, custody_deposit: id, currency, amount, network, note },
          effects: { dispatcher: true },
        };
      },
    };
  },
});

interface OpenDeposit {
  readonly amount: string;
  readonly currency: string;
  readonly network: string;
  readonly address: Uint8Array;
  readonly transactionId: string;
  readonly output: string;
  readonly reason: string;
}

async function readOpen(
  { connection, exchange }: ActContext,
  id: number,
): Promise<OpenDeposit | undefined> {
  const { rows } = await connection.query(
    `select d.*, a.symbol, a.scale from custody_deposits d
     join ${exchange.projectionSchema}.assets a on a.id = d.asset_id
     where d.id = $1 and d.state = 'unattributed' for update of d`,
    [id],
  );
  return rows.map(
    (row): OpenDeposit => ({
      amount: decimalFromAtoms(BigInt(row.atoms) as Atoms, Number(row.scale)),
      currency: row.symbol,
      network: row.network,
      address: row.address,
      // Coins that no transfer explains have none.
      transactionId: row.txid === '' ? `${row.network}-balance-${row.id}` : row.txid,
      output: row.output === '' ? '0' : row.output,
      reason: row.reason ?? '',
    }),
  )[0];
}
