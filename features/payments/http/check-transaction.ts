// Shows an operator what the exchange knows about a transaction: the owner of the address, and the
// deposits that name the transaction. The exchange follows no chain yet, and the response states
// that.

import { type Atoms, decimalFromAtoms } from '../../../core/money/index.ts';
import type { Call, Dependencies } from '../../../platform/http/index.ts';
import { decimal, type KnownTransaction, type Routes } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { requireCoin } from './withdrawal-quote.ts';

const DEPOSITS_MAX = 10;

export async function checkTransactionOfUsers(
  { query }: Call<Routes['checkTransactionOfUsers']>,
  { catalogue, registry }: Dependencies,
): Promise<KnownTransaction | Refused<'currency_invalid'>> {
  const coin = requireCoin(catalogue.now, query.currency);
  if (coin instanceof Refused) return coin;
  const { symbol: currency } = coin;
  const { address, network, transaction_id } = query;
  const owners = await registry.query(
    `select user_id from wallets
     where address = $1 and currency = $2 and lower(network) = lower($3)
     order by is_valid desc, id desc limit 1`,
    [address, currency, network],
  );
  const deposits = await registry.query(
    `select id, user_id, amount_atoms, scale, network, state from deposit_requests
     where transaction_id = $1 and currency = $2 order by id desc limit ${DEPOSITS_MAX}`,
    [transaction_id, currency],
  );
  return {
    message: 'Success',
    transaction: {
      currency,
      network,
      transaction_id,
      address,
      is_watched: false,
      address_user_id: owners.rows.length === 0 ? null : Number(owners.rows[0].user_id),
      deposits: deposits.rows.map((row) => ({
        id: Number(row.id),
        user_id: Number(row.user_id),
        amount: decimal(decimalFromAtoms(BigInt(row.amount_atoms) as Atoms, Number(row.scale))),
        network: row.network,
        state: row.state,
      })),
    },
  };
}
