// A person says that fiat is on its way. Nobody has seen it yet: the row changes no balance, and
// has no cause until an operator credits it.

import type { Atoms } from '../../../core/money/index.ts';
import { type Connection, inTransaction, type Statements } from '../../../infra/postgres/index.ts';
import { type Act, type HolderRefusal, lockHolder } from '../../auth/index.ts';
import { FIAT_NETWORK } from '../policy/withdrawal-policy.ts';
import type { RequestedAsset } from '../withdrawals/requests.ts';
import { announceDeposit } from './requests.ts';

export interface FiatDeposit {
  readonly asset: RequestedAsset;
  readonly amountAtoms: Atoms;
  /** The bank's reference of the payment, as the person gives it. */
  readonly transactionId: string;
  /** The account that the person pays from; only shown. */
  readonly address: string;
}

type FiatRefusal = HolderRefusal | 'fiat_requests_too_many' | 'deposits_are_off';

export type FiatDepositRequested =
  | { readonly kind: 'requested'; readonly id: number }
  | { readonly kind: 'refused'; readonly refusal: FiatRefusal };

/** Of one person and currency, that no operator has credited or ended yet. */
export const FIAT_REQUESTS_MAX = 3;

export function requestFiatDeposit(
  connection: Connection,
  act: Act,
  { address, amountAtoms, asset, transactionId }: FiatDeposit,
): Promise<FiatDepositRequested> {
  return inTransaction(connection, async () => {
    const holder = await lockHolder(connection, act);
    if (typeof holder === 'string') return { kind: 'refused', refusal: holder };
    const { user } = holder;
    if (!(await areDepositsOn(connection, asset.currency))) {
      return { kind: 'refused', refusal: 'deposits_are_off' };
    }
    const pending = await countPending(connection, user, asset.currency);
    if (pending >= FIAT_REQUESTS_MAX) return { kind: 'refused', refusal: 'fiat_requests_too_many' };
    const { id } = await announceDeposit(connection, {
      user,
      asset,
      amountAtoms,
      transactionId,
      address,
      isChainCoin: false,
      network: FIAT_NETWORK,
    });
    return { kind: 'requested', id };
  });
}

/** A stop waits for the requests that it does not stop any more. */
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
