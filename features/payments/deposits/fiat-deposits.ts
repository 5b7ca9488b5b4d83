// Deposits of fiat announced by users. An announced deposit is unconfirmed: its row changes no
// balance and has no cause until an operator credits it.

import type { Atoms } from '../../../core/money/index.ts';
import { type Connection, inTransaction, type Statements } from '../../../infra/postgres/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { lockHolder, type PersonContext } from '../../auth/index.ts';
import { FIAT_NETWORK } from '../policy/withdrawal-policy.ts';
import type { RequestedAsset } from '../withdrawals/requests.ts';
import { announceDeposit } from './requests.ts';

export interface FiatDeposit {
  readonly asset: RequestedAsset;
  readonly amountAtoms: Atoms;
  /** Bank reference of the payment, as given by the user. */
  readonly transactionId: string;
  /** Account that the user pays from; display only. */
  readonly address: string;
}

/** Requests per user and currency that no operator has credited or ended yet. */
export const FIAT_REQUESTS_MAX = 3;

export function requestFiatDeposit(
  connection: Connection,
  person: PersonContext,
  { address, amountAtoms, asset, transactionId }: FiatDeposit,
) {
  return inTransaction(connection, async () => {
    const holder = await lockHolder(connection, person);
    if (holder instanceof Refused) return holder;
    const { user } = holder;
    const { currency } = asset;
    if (!(await areDepositsOn(connection, currency))) {
      return new Refused('deposits_are_off', { currency });
    }
    if ((await countPending(connection, user, currency)) >= FIAT_REQUESTS_MAX) {
      return new Refused('fiat_requests_too_many', { max: FIAT_REQUESTS_MAX, currency });
    }
    return announceDeposit(connection, {
      user,
      asset,
      amountAtoms,
      transactionId,
      address,
      isChainCoin: false,
      network: FIAT_NETWORK,
    });
  });
}

/** A deposit stop waits for requests that passed this check. */
async function areDepositsOn(statements: Statements, currency: string): Promise<boolean> {
  const { rows } = await statements.query(
    'select allow_deposit from coins where symbol = $1 for share',
    [currency],
  );
  return rows.length > 0 && rows[0].allow_deposit;
}

async function countPending(
  statements: Statements,
  user: number,
  currency: string,
): Promise<number> {
  const { rows } = await statements.query(
    `select count(*) as pending from deposit_requests
     where user_id = $1 and currency = $2 and state = 'pending'`,
    [user, currency],
  );
  return Number(rows[0].pending);
}
