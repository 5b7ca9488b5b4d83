// Users' deposit addresses: one per currency and network, assigned once. A port supplies them;
// until the exchange has custody, they are addresses that the operator configured.

import type { UserId } from '../../../core/money/index.ts';
import type { Connection, Statements } from '../../../infra/postgres/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';

export interface WantedAddress {
  readonly user: UserId;
  readonly currency: string;
  readonly network: string;
}

export interface AddressIssuer {
  /**
   * Returns an address assigned only to this user, with its tag, or undefined if none is left. Runs
   * in the transaction that stores it, after locking the user.
   */
  issue(connection: Connection, wanted: WantedAddress): Promise<string | undefined>;
  /** Whether a stored address is still this user's. Checked every time before it is returned. */
  verify(connection: Connection, wanted: WantedAddress, address: string): Promise<boolean>;
  /** Returns when deposits are credited; undefined if operators credit them. */
  terms(
    statements: Statements,
    wanted: Pick<WantedAddress, 'currency' | 'network'>,
  ): Promise<DepositTerms | undefined>;
  /** Returns the page of a transaction, if the network has an explorer. */
  explorer(network: string, transactionId: string): string | undefined;
}

export interface DepositTerms {
  /** A decimal. Smaller deposits are added up. */
  readonly min: string;
  /** Blocks until a deposit is credited, as of now. */
  readonly confirmations: number;
  /** Median of recent deposits; undefined without any. */
  readonly usualSeconds: number | undefined;
}

export type AddressRefusal = 'sub_account_has_no_address' | 'deposit_address_unavailable';

/** Returns the user's address, or assigns a new one. Runs in the caller's transaction. */
export async function createDepositAddress(
  connection: Connection,
  issuer: AddressIssuer,
  wanted: WantedAddress,
): Promise<string | Refused<AddressRefusal>> {
  const { currency, network, user } = wanted;
  const owner = await connection.query(
    `select from users where id = $1 and kind = 'person' for no key update`,
    [user],
  );
  if (owner.rows.length === 0) return new Refused('sub_account_has_no_address');
  const known = await connection.query(
    `select address from wallets
     where user_id = $1 and currency = $2 and network = $3 and is_valid`,
    [user, currency, network],
  );
  const [stored] = known.rows;
  if (stored !== undefined) {
    if (await issuer.verify(connection, wanted, stored.address)) return stored.address;
    throw new Error(`the stored ${network} address of user ${user} is not derived from the user`);
  }
  const address = await issuer.issue(connection, wanted);
  if (address === undefined) {
    return new Refused('deposit_address_unavailable', { currency, network });
  }
  await connection.query(
    'insert into wallets (user_id, currency, network, address) values ($1, $2, $3, $4)',
    [user, currency, network, address],
  );
  return address;
}
