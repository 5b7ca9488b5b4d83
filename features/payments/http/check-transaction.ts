// Shows an operator what the exchange knows about a transaction: the owner of the address, the
// deposits that name the transaction, and what the chain watcher saw of it.

import { type Atoms, decimalFromAtoms } from '../../../core/money/index.ts';
import type { Call, Dependencies } from '../../../platform/http/index.ts';
import { decimal, type KnownTransaction, type Routes } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { requireCoin } from './withdrawal-quote.ts';

const DEPOSITS_MAX = 10;

export async function checkTransactionOfUsers(
  { query }: Call<Routes['checkTransactionOfUsers']>,
  { catalogue, exchange, registry }: Dependencies,
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
  const watched = await registry.query(
    'select tip_height from custody_networks where network = lower($1)',
    [network],
  );
  const payments = await registry.query(
    `select d.*, a.scale from custody_deposits d
     join ${exchange.projectionSchema}.assets a on a.id = d.asset_id and a.symbol = $3
     where d.txid = $1 and d.network = lower($2) order by d.id limit ${DEPOSITS_MAX}`,
    [hashOf(transaction_id), network, currency],
  );
  return {
    message: 'Success',
    transaction: {
      currency,
      network,
      transaction_id,
      address,
      is_watched: watched.rows.length > 0,
      chain_deposits: payments.rows.map((row) => ({
        id: Number(row.id),
        user_id: row.user_id === null ? null : Number(row.user_id),
        amount: decimal(decimalFromAtoms(BigInt(row.atoms) as Atoms, Number(row.scale))),
        address: `0x${row.address.toString('hex')}`,
        height: Number(row.height),
        confirmations: confirmationsOf(row, watched.rows[0]),
        state: row.state,
        reason: row.reason,
      })),
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

interface Payment {
  readonly height: string;
  readonly state: string;
}

/** A transaction that a reorganization removed has none. */
function confirmationsOf(
  { height, state }: Payment,
  { tip_height }: { readonly tip_height: string },
): number {
  return state === 'dropped' ? 0 : Math.max(0, Number(tip_height) - Number(height) + 1);
}

/** As the watcher stores it: without a prefix, in lowercase. */
function hashOf(transactionId: string): string {
  return transactionId.trim().toLowerCase().replace(/^0x/, '');
}
