// Deposits in blocks that are not final: announced, shown, and dropped if a reorganization removes
// them. They change no balance.

import type { Atoms } from '../../../core/money/index.ts';
import type { CustodyNetwork } from '../../../infra/custody-file/index.ts';
import { type Connection, inTransaction } from '../../../infra/postgres/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { causeOf, dropChainDeposit, lockFamilies, moveChainDeposit } from '../../payments/index.ts';
import { evmAddressText } from '../addresses/address-owners.ts';
import { atomsOfUnits } from './decide-deposit.ts';
import type { BlockName, IncomingTransfer } from './final-block.ts';

export interface PendingTransfer extends IncomingTransfer {
  readonly block: BlockName;
}

/**
 * Replaces the pending deposits of a network by those in its unfinal blocks. Deposits that are no
 * longer in any of these blocks are dropped; final ones never change. Idempotent.
 */
export function replacePending(
  connection: Connection,
  network: CustodyNetwork,
  transfers: readonly PendingTransfer[],
): Promise<{ readonly announced: number; readonly dropped: number }> {
  return inTransaction(connection, async () => {
    await lockFamilies(connection, [...new Set(transfers.map(({ user }) => user))]);
    await connection.query('select from custody_networks where network = $1 for update', [
      network.name,
    ]);
    const ids: number[] = [];
    for (const transfer of transfers) {
      const id = await announce(connection, network, transfer);
      if (id !== undefined) ids.push(id);
    }
    const { rows } = await connection.query(
      `update custody_deposits set state = 'dropped', updated_at = now()
       where network = $1 and state = 'pending' and id <> all($2::bigint[])
       returning deposit_request`,
      [network.name, ids],
    );
    for (const row of rows) {
      if (row.deposit_request !== null) {
        await dropChainDeposit(connection, Number(row.deposit_request));
      }
    }
    return { announced: ids.length, dropped: rows.length };
  });
}

/** Returns undefined if the deposit is final or has no user. */
async function announce(
  connection: Connection,
  network: CustodyNetwork,
  { address, block, coin, output, txid, units, user }: PendingTransfer,
): Promise<number | undefined> {
  const { atoms, dustUnits } = atomsOfUnits(units, coin);
  const { rows } = await connection.query(
    `insert into custody_deposits as d (network, asset_id, cause, txid, output, address, user_id,
       units, atoms, dust_units, height, block_hash, state)
     select $1, $2, $3, $4, $5, $6, u.id, $8, $9, $10, $11, $12, 'pending'
     from users u where u.id = $7 and u.state <> 'erased'
     on conflict (network, asset_id, cause) do update
       set state = 'pending', height = excluded.height, block_hash = excluded.block_hash,
         updated_at = now()
       where d.state in ('pending', 'dropped')
     returning id, deposit_request`,
    [
      network.name,
      coin.asset,
      causeOf({ transactionId: txid, output }),
      txid,
      output,
      Buffer.from(address),
      user,
      units,
      atoms,
      dustUnits,
      block.height,
      Buffer.from(block.hash),
    ],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  // Small deposits are credited together, so none of them has its own request.
  if (row.deposit_request !== null || atoms < coin.credit.minAtoms) return Number(row.id);
  const request = await moveChainDeposit(
    connection,
    {
      user,
      asset: { id: coin.asset, currency: coin.symbol, scale: coin.scale },
      amountAtoms: atoms as Atoms,
      network: network.name,
      address: evmAddressText(network.name, address),
      transactionId: txid,
      output,
    },
    'announce',
  );
  if (!(request instanceof Refused)) {
    await connection.query('update custody_deposits set deposit_request = $2 where id = $1', [
      row.id,
      request,
    ]);
  }
  return Number(row.id);
}
