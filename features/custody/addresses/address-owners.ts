// Owners of deposit addresses. The table only finds a candidate: the address is derived again
// before a deposit counts, so a row that someone inserted or swapped credits no one.

import type { UserId } from '../../../core/money/index.ts';
import type { CustodyFile, CustodyNetwork } from '../../../infra/custody-file/index.ts';
import { idOf, type Statements } from '../../../infra/postgres/index.ts';
import { type AddressIssuer, parseDestination } from '../../payments/index.ts';

export interface AddressOwner {
  /** In lowercase hexadecimal, without a prefix. */
  readonly address: string;
  readonly user: UserId;
}

export interface FoundAddresses {
  readonly owners: ReadonlyMap<string, AddressOwner>;
  /** Rows whose address does not derive from the user's ID: someone changed the table. */
  readonly forged: readonly AddressOwner[];
}

/** Finds the exchange's own addresses among all addresses of a block, in one query. */
export async function findAddressOwners(
  statements: Statements,
  network: Pick<CustodyNetwork, 'family' | 'xpub'>,
  addresses: readonly Uint8Array[],
): Promise<FoundAddresses> {
  const { rows } = await statements.query(
    `select address, user_id from custody_addresses
     where family = $1 and address = any($2::bytea[])`,
    [network.family, addresses.map((address) => Buffer.from(address))],
  );
  const found: AddressOwner[] = rows.map((row) => ({
    address: row.address.toString('hex'),
    user: idOf<UserId>(row.user_id),
  }));
  const isDerived = ({ address, user }: AddressOwner) =>
    Buffer.from(network.xpub.evmAddress(user)).toString('hex') === address;
  return {
    owners: new Map(found.filter(isDerived).map((owner) => [owner.address, owner])),
    forged: found.filter((owner) => !isDerived(owner)),
  };
}

/** Returns the text of an address as users see it, with its checksum. */
export function evmAddressText(network: string, address: Uint8Array): string {
  const text = parseDestination(network, `0x${Buffer.from(address).toString('hex')}`)?.address;
  if (text === undefined) throw new Error(`the network ${network} has no EVM addresses`);
  return text;
}

/**
 * Issues derived addresses in networks under custody, and other addresses in all others. A process
 * without the custody file issues no address in a network under custody.
 */
export function custodyAddresses(
  file: CustodyFile | undefined,
  others: AddressIssuer,
): AddressIssuer {
  return {
    async issue(connection, wanted) {
      if (!(await isUnderCustody(connection, wanted.network))) {
        return others.issue(connection, wanted);
      }
      const network = file?.networks.get(wanted.network);
      const isListed = file?.coins.some(
        (coin) => coin.network === wanted.network && coin.symbol === wanted.currency,
      );
      if (network === undefined || !isListed) return undefined;
      const address = network.xpub.evmAddress(wanted.user);
      await connection.query(
        `insert into custody_addresses (family, address, user_id) values ($1, $2, $3)
         on conflict do nothing`,
        [network.family, Buffer.from(address), wanted.user],
      );
      return evmAddressText(network.name, address);
    },

    async verify(connection, wanted, address) {
      if (!(await isUnderCustody(connection, wanted.network))) {
        return others.verify(connection, wanted, address);
      }
      const network = file?.networks.get(wanted.network);
      if (network === undefined) return false;
      return evmAddressText(network.name, network.xpub.evmAddress(wanted.user)) === address;
    },
  };
}

/** Whether the network was opened, which forbids manual credits in it. */
export async function isUnderCustody(statements: Statements, network: string): Promise<boolean> {
  const { rows } = await statements.query('select from custody_networks where network = $1', [
    network,
  ]);
  return rows.length > 0;
}
