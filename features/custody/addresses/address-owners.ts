// Owners of deposit addresses. The table only finds a candidate: the address is derived again
// before a deposit counts, so a row that someone inserted or swapped credits no one.

import { type Atoms, decimalFromAtoms, type UserId } from '../../../core/money/index.ts';
import type {
  CustodyCoin,
  CustodyFile,
  CustodyNetwork,
} from '../../../infra/custody-file/index.ts';
import { idOf, type Statements } from '../../../infra/postgres/index.ts';
import { type AddressIssuer, type DepositTerms, parseDestination } from '../../payments/index.ts';

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

    terms: async (statements, wanted) => {
      const coin = file?.coins.find(
        ({ network, symbol }) => network === wanted.network && symbol === wanted.currency,
      );
      const network = file?.networks.get(wanted.network);
      if (coin === undefined || network === undefined) return undefined;
      return readDepositTerms(statements, coin, network);
    },

    explorer(name, transactionId) {
      const url = file?.networks.get(name)?.txidUrl;
      // Other deposits of the network have operators' own references.
      if (url === undefined || !/^(?:0x)?[0-9a-f]{64}$/i.test(transactionId)) return undefined;
      return url.replace('{txid}', `0x${transactionId.replace(/^0x/i, '')}`);
    },
  };
}

/** Deposits whose median is the usual time. */
const RECENT_DEPOSITS = 50;

/** Returns undefined if custody of the coin's network was not opened. */
async function readDepositTerms(
  statements: Statements,
  { credit, scale }: CustodyCoin,
  { final, name }: CustodyNetwork,
): Promise<DepositTerms | undefined> {
  const { rows } = await statements.query(
    `select n.tip_height - n.height + 1 as confirmations, (
       -- A deposit that was recorded only when it was final shows no time.
       select percentile_cont(0.5) within group (order by extract(epoch from took)) from (
         select finalized_at - created_at as took from custody_deposits
         where network = n.network and finalized_at > created_at
         order by id desc limit ${RECENT_DEPOSITS}
       ) d) as usual
     from custody_networks n where n.network = $1`,
    [name],
  );
  const [row] = rows;
  return (
    row && {
      min: decimalFromAtoms(credit.minAtoms as Atoms, scale),
      // A chain with its own finality needs as many as it needs now.
      confirmations: final === 'finalized' ? Math.max(1, Number(row.confirmations)) : final + 1,
      usualSeconds: row.usual === null ? undefined : Math.round(Number(row.usual)),
    }
  );
}

/** Whether the network was opened, which forbids manual credits in it. */
export async function isUnderCustody(statements: Statements, network: string): Promise<boolean> {
  const { rows } = await statements.query('select from custody_networks where network = $1', [
    network,
  ]);
  return rows.length > 0;
}
