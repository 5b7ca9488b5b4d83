// Addresses that the operator controls and configures manually. In a network with tags all users
// share one address, each with a memo. In any other network each user gets an address that is never
// assigned to another user. The operator watches them and credits deposits.

import type { UserId } from '../../../core/money/index.ts';
import { type Connection, idOf, type Statements } from '../../../infra/postgres/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import type { AddressIssuer, WantedAddress } from './deposit-addresses.ts';
import { destinationText } from './destination.ts';
import { memoOf, userOfMemo } from './memo.ts';
import { parseDestination } from './parse-destination.ts';

export interface ManualAddress {
  readonly id: number;
  readonly currency: string;
  readonly network: string;
  readonly address: string;
  /** Shared by all users, each with a memo. */
  readonly hasMemo: boolean;
  /** ID of the user it is assigned to, if it is not shared. */
  readonly assignedTo: number | null;
}

export type ManualAddressRefusal =
  | 'address_not_valid'
  | 'network_has_no_memo'
  | 'address_configured';

export const manualAddresses: AddressIssuer = {
  async issue(connection, wanted) {
    const shared = await findShared(connection, wanted);
    if (shared !== undefined) return destinationText({ address: shared, tag: memoOf(wanted.user) });
    const { currency, network, user } = wanted;
    const { rows } = await connection.query(
      `update manual_addresses set assigned_to = $3 where id = (
         select id from manual_addresses
         where currency = $1 and network = $2 and not has_memo and assigned_to is null
           and removed_at is null
         order by id limit 1 for update skip locked)
       returning address`,
      [currency, network, user],
    );
    return rows[0]?.address;
  },

  // The table of addresses is the only source.
  async verify() {
    return true;
  },

  // Operators credit these deposits when they see them.
  async terms() {
    return undefined;
  },

  explorer() {
    return undefined;
  },
};

async function findShared(
  connection: Connection,
  { currency, network }: WantedAddress,
): Promise<string | undefined> {
  const { rows } = await connection.query(
    `select address from manual_addresses
     where currency = $1 and network = $2 and has_memo and removed_at is null`,
    [currency, network],
  );
  return rows[0]?.address;
}

/**
 * Configures an address in the caller's transaction. An address with a memo replaces the shared
 * address for its currency and network.
 */
export async function addManualAddress(
  statements: Statements,
  given: Omit<ManualAddress, 'id' | 'assignedTo'>,
): Promise<'added' | Refused<ManualAddressRefusal>> {
  const { currency, hasMemo, network } = given;
  const parsed = parseDestination(network, given.address);
  if (parsed === undefined || parsed.tag !== '') return new Refused('address_not_valid');
  const { address } = parsed;
  if (hasMemo && parseDestination(network, `${address}:1`)?.tag !== '1') {
    return new Refused('network_has_no_memo');
  }
  if (hasMemo) {
    await statements.query(
      `update manual_addresses set removed_at = now()
       where currency = $1 and network = $2 and has_memo and removed_at is null`,
      [currency, network],
    );
  }
  const { rowCount } = await statements.query(
    `insert into manual_addresses (currency, network, address, has_memo) values ($1, $2, $3, $4)
     on conflict do nothing`,
    [currency, network, address, hasMemo],
  );
  return rowCount === 1 ? 'added' : new Refused('address_configured');
}

/** Stops assigning an address. Users who have it keep it. Returns false if it does not exist. */
export async function removeManualAddress(statements: Statements, id: number): Promise<boolean> {
  const { rowCount } = await statements.query(
    'update manual_addresses set removed_at = now() where id = $1 and removed_at is null',
    [id],
  );
  return rowCount === 1;
}

/** Returns the newest addresses that are not removed, assigned or not. */
export async function listManualAddresses(
  statements: Statements,
  { limit }: { readonly limit: number },
): Promise<ManualAddress[]> {
  const { rows } = await statements.query(
    `select id, currency, network, address, has_memo, assigned_to from manual_addresses
     where removed_at is null order by id desc limit $1`,
    [limit],
  );
  return rows.map((row) => ({
    id: idOf<number>(row.id),
    currency: row.currency,
    network: row.network,
    address: row.address,
    hasMemo: row.has_memo,
    assignedTo: row.assigned_to === null ? null : idOf<number>(row.assigned_to),
  }));
}

export interface FreeAddresses {
  readonly currency: string;
  readonly network: string;
  readonly free: number;
}

/** Counts the users who can still get their own address; 0 where all are assigned. */
export async function countFreeAddresses(statements: Statements): Promise<FreeAddresses[]> {
  const { rows } = await statements.query(
    `select currency, network, count(*) filter (where assigned_to is null) as free
     from manual_addresses where not has_memo and removed_at is null
     group by currency, network order by currency, network`,
  );
  return rows.map(({ currency, free, network }) => ({ currency, network, free: Number(free) }));
}

/** Returns undefined if the memo is mistyped or no user has it. */
export async function findUserOfMemo(
  statements: Statements,
  memo: string,
): Promise<UserId | undefined> {
  const user = userOfMemo(memo);
  if (user === undefined) return undefined;
  const { rows } = await statements.query('select id from users where id = $1', [user]);
  return rows.map(({ id }) => idOf<UserId>(id))[0];
}
