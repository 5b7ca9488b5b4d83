// Terms of a withdrawal, confirmed with an emailed code. The code's payload contains all of them,
// so it cannot confirm a row with other terms.

import { type Atoms, decimalFromAtoms, type UserId } from '../../../core/money/index.ts';
import { idOf } from '../../../infra/postgres/index.ts';
import type { RequestedAsset } from './requests.ts';

export interface WithdrawalTerms {
  readonly asset: RequestedAsset;
  readonly amountAtoms: Atoms;
  readonly feeAsset: RequestedAsset;
  readonly feeAtoms: Atoms;
  /** Canonical spelling, with `:tag` if it has one. */
  readonly address: string;
  /** Null if the coin has no networks. */
  readonly network: string | null;
}

export interface StoredTerms extends WithdrawalTerms {
  readonly id: number;
  readonly user: UserId;
  readonly transactionId: string;
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
export function termsOf(row: any): StoredTerms {
  return {
    id: Number(row.id),
    user: idOf(row.user_id),
    transactionId: row.transaction_id,
    asset: { id: idOf(row.asset_id), currency: row.currency, scale: Number(row.scale) },
    amountAtoms: BigInt(row.amount_atoms) as Atoms,
    feeAsset: {
      id: idOf(row.fee_asset_id),
      currency: row.fee_currency,
      scale: Number(row.fee_scale),
    },
    feeAtoms: BigInt(row.fee_atoms) as Atoms,
    address: row.address,
    network: row.network,
  };
}

/** Returns the same text for the same terms, and a different one otherwise. */
export function termsText({ user, ...terms }: StoredTerms): string {
  const { address, amountAtoms, asset, feeAsset, feeAtoms, id, network } = terms;
  return JSON.stringify([
    id,
    user,
    asset.id,
    asset.scale,
    amountAtoms.toString(),
    feeAsset.id,
    feeAsset.scale,
    feeAtoms.toString(),
    network,
    address,
  ]);
}

/** Returns the terms as shown in the email. */
export function mailedTerms(terms: WithdrawalTerms) {
  const { address, amountAtoms, asset, feeAsset, feeAtoms, network } = terms;
  return {
    amount: decimalFromAtoms(amountAtoms, asset.scale),
    currency: asset.currency,
    fee: decimalFromAtoms(feeAtoms, feeAsset.scale),
    feeCurrency: feeAsset.currency,
    network: network ?? '',
    address,
  };
}
