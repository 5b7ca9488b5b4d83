// Opens custody of a network: the chain watcher credits its deposits after that. The signatures on
// the custody file are the approval. Cannot be undone: addresses that were shown stay in use.

import { type CustodyFile, coinsOf } from '../../infra/custody-file/index.ts';
import { type Connection, inTransaction } from '../../infra/postgres/index.ts';

export interface OpenedCustody {
  /** First block that the watcher reads. */
  readonly fromHeight: number;
  /** Manual addresses that are no longer shown; deposits to them stay manual. */
  readonly retiredAddresses: number;
}

/** Returns undefined if the network is open already. Throws if it is not in the file. */
export function openCustody(
  connection: Connection,
  file: CustodyFile,
  name: string,
): Promise<OpenedCustody | undefined> {
  const network = file.networks.get(name);
  if (network === undefined) throw new Error(`the custody file has no network ${name}`);
  return inTransaction(connection, async () => {
    const { rowCount } = await connection.query(
      `insert into custody_networks
         (network, family, from_height, height, hash, tip_height, opened_after_deposit)
       select $1, $2, $3::bigint, $3::bigint - 1, '', $3::bigint - 1,
         coalesce((select max(id) from deposit_requests), 0)
       on conflict do nothing`,
      [name, network.family, network.fromHeight],
    );
    if (rowCount === 0) return undefined;
    const retired = await connection.query(
      `update wallets set is_valid = false, updated_at = now()
       where network = $1 and currency = any($2) and is_valid`,
      [name, coinsOf(file, name).map(({ symbol }) => symbol)],
    );
    return { fromHeight: network.fromHeight, retiredAddresses: retired.rowCount ?? 0 };
  });
}
